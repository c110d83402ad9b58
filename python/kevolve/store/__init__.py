"""What a run has done, in a database: written node by node, never changed."""

from kevolve.store.store import NodeRecord, RunRecord, Store

__all__ = ["NodeRecord", "RunRecord", "Store"]

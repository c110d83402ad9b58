"""Reading and writing a run's store: SQLite in the run directory, or any SQLAlchemy URL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from sqlalchemy import Engine, create_engine, event, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, SQLAlchemyError
from sqlalchemy.orm import Session

from kevolve.errors import KevolveError
from kevolve.records import Evaluation, from_json, to_json
from kevolve.store.schema import SCHEMA_VERSION, Base, NodeRow, RunRow

STORE_FILE = "store.sqlite"


@dataclass(frozen=True)
class RunRecord:
    """What a search was asked for."""

    problem_name: str
    problem_path: str
    problem_source: str
    problem_hash: str
    target: str
    seed: int
    synthesizer: str
    versions_json: str


@dataclass(frozen=True)
class NodeRecord:
    """One evaluated candidate and how it came to be.

    `id` counts the candidates of the run from 0 in the order they were made; node 0 is the
    eager baseline. `answers` is the bottleneck of the parent that the operator was chosen for.
    """

    id: int
    parent_id: int | None
    operator: str
    parameters: str
    answers: str
    expected_effect: str
    source: str
    source_hash: str
    evaluation: Evaluation
    wall_time_ns: int

    @property
    def time_ns(self) -> float | None:
        """Time of one forward pass in ns, None unless the candidate is correct."""
        if not self.evaluation.verdict.correct or self.evaluation.measurement is None:
            return None
        return self.evaluation.measurement.time_ns


class Store:
    """The store of one run. Use as a context manager."""

    def __init__(self, engine: Engine):
        self._engine = engine

    @classmethod
    def create(cls, run_dir: Path, run: RunRecord) -> Store:
        """Opens the store in `run_dir`, made anew or that of an earlier, unfinished call.

        Raises KevolveError when the directory holds a run that asked for something else.
        """
        run_dir.mkdir(parents=True, exist_ok=True)
        store = cls(_open_engine(run_dir / STORE_FILE))
        Base.metadata.create_all(store._engine)
        found = store._find_run()
        if found is None:
            store._insert_run(run)
        else:
            _check_same_run(found, run, run_dir)
        return store

    @classmethod
    def open(cls, run_dir: Path) -> Store:
        """Opens the store of a run that exists; raises KevolveError if there is none."""
        path = run_dir / STORE_FILE
        if not path.is_file():
            raise KevolveError("no run here: expected a folder that holds store.sqlite", run_dir)
        store = cls(_open_engine(path))
        if store._find_run() is None:
            raise KevolveError("the store holds no run", path)
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._engine.dispose()

    def run(self) -> RunRecord:
        """What this run was asked for."""
        found = self._find_run()
        if found is None:
            raise KevolveError("the store holds no run")
        return found

    def nodes(self) -> list[NodeRecord]:
        """Every evaluated candidate, in the order of their ids."""
        with Session(self._engine) as session:
            rows = session.scalars(select(NodeRow).order_by(NodeRow.id)).all()
            return [_node_from_row(row) for row in rows]

    def add(self, node: NodeRecord) -> None:
        """Inserts `node` in one transaction; afterwards a kill cannot lose it."""
        row = NodeRow(
            id=node.id,
            run_id=1,
            parent_id=node.parent_id,
            operator=node.operator,
            parameters=node.parameters,
            answers=node.answers,
            expected_effect=node.expected_effect,
            source=node.source,
            source_hash=node.source_hash,
            evaluation_json=to_json(node.evaluation),
            wall_time_ns=node.wall_time_ns,
        )
        with Session(self._engine) as session, session.begin():
            session.add(row)

    def _find_run(self) -> RunRecord | None:
        try:
            with Session(self._engine) as session:
                row = session.scalars(select(RunRow)).first()
        except SQLAlchemyError as error:
            raise _unreadable(self._engine, error) from error
        if row is None:
            return None
        if row.schema_version != SCHEMA_VERSION:
            raise KevolveError(
                f"the store has schema version {row.schema_version}, this kevolve reads "
                f"{SCHEMA_VERSION}: use another --run-dir",
                _database_file(self._engine),
            )
        return _run_from_row(row)

    def _insert_run(self, run: RunRecord) -> None:
        with Session(self._engine) as session, session.begin():
            session.add(RunRow(id=1, schema_version=SCHEMA_VERSION, **vars(run)))


def _open_engine(path: Path) -> Engine:
    engine = create_engine(make_url("sqlite://").set(database=str(path)))

    # Write-ahead logging: a reader never blocks the search, and a kill leaves whole transactions.
    @event.listens_for(engine, "connect")
    def _set_pragmas(connection, _record):  # type: ignore[no-untyped-def]
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.close()

    try:
        with engine.connect():
            return engine
    except DatabaseError as error:
        raise _unreadable(engine, error) from error


def _unreadable(engine: Engine, error: SQLAlchemyError) -> KevolveError:
    cause = getattr(error, "orig", None) or error
    return KevolveError(f"not a readable store ({cause})", _database_file(engine))


def _database_file(engine: Engine) -> str:
    return engine.url.database or "store"


def _check_same_run(found: RunRecord, asked: RunRecord, run_dir: Path) -> None:
    for name in ("problem_hash", "target", "seed", "synthesizer", "versions_json"):
        if getattr(found, name) != getattr(asked, name):
            raise KevolveError(
                f"this folder holds a run with another {name.removesuffix('_json')} "
                f"({getattr(found, name)} there, {getattr(asked, name)} now): "
                "give another --run-dir",
                run_dir,
            )


def _run_from_row(row: RunRow) -> RunRecord:
    return RunRecord(**{name: getattr(row, name) for name in RunRecord.__dataclass_fields__})


def _node_from_row(row: NodeRow) -> NodeRecord:
    return NodeRecord(
        id=row.id,
        parent_id=row.parent_id,
        operator=row.operator,
        parameters=row.parameters,
        answers=row.answers,
        expected_effect=row.expected_effect,
        source=row.source,
        source_hash=row.source_hash,
        evaluation=from_json(Evaluation, row.evaluation_json),
        wall_time_ns=row.wall_time_ns,
    )

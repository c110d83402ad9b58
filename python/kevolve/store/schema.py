"""Tables of the store. Rows are inserted once and never updated."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

SCHEMA_VERSION = 1


class Base(DeclarativeBase):
    """Base of the tables."""


class RunRow(Base):
    """One search: what was asked for, and with which versions."""

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(primary_key=True)
    schema_version: Mapped[int]
    problem_name: Mapped[str] = mapped_column(Text)
    problem_path: Mapped[str] = mapped_column(Text)
    problem_source: Mapped[str] = mapped_column(Text)
    problem_hash: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text)
    seed: Mapped[int]
    synthesizer: Mapped[str] = mapped_column(Text)
    versions_json: Mapped[str] = mapped_column(Text)


class NodeRow(Base):
    """One evaluated candidate. Inserted in one transaction when its evaluation has ended."""

    __tablename__ = "node"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    run_id: Mapped[int] = mapped_column(ForeignKey("run.id"), index=True)
    parent_id: Mapped[int | None] = mapped_column(index=True)
    operator: Mapped[str] = mapped_column(Text)
    parameters: Mapped[str] = mapped_column(Text)
    answers: Mapped[str] = mapped_column(Text)
    expected_effect: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    source_hash: Mapped[str] = mapped_column(Text, index=True)
    evaluation_json: Mapped[str] = mapped_column(Text)
    wall_time_ns: Mapped[int]

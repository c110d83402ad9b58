"""`-verify-diagnostics` for Triton's pretty IR, whose comments do not survive the crossing.

The annotations are those of mlir-opt (MLIR, "Diagnostic Infrastructure: SourceMgr Diagnostic
Verifier Handler"): `// expected-error@+1 {{part of the message}}`, `@above`, `@below`, `-re`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ANNOTATION = re.compile(
    r"expected-(?P<severity>error|note|remark|warning)(?P<regex>-re)?\s*"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))?\s*\{\{(?P<message>.*)\}\}\s*$"
)
_DIAGNOSTIC = re.compile(
    r"^(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+): "
    r"(?P<severity>error|note|remark|warning): (?P<message>.*)$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class _Expected:
    severity: str
    line: int
    message: str
    is_regex: bool

    def accepts(self, severity: str, line: int, message: str) -> bool:
        if (severity, line) != (self.severity, self.line):
            return False
        if not self.is_regex:
            return self.message in message
        return re.search(_as_python_regex(self.message), message) is not None


def compare(source: str, diagnostics: str, name: str) -> list[str]:
    """What is wrong: a line for each diagnostic that nobody expected, or that never came."""
    open_expectations = _expectations(source)
    complaints: list[str] = []
    for found in _DIAGNOSTIC.finditer(diagnostics):
        severity, line, message = found["severity"], int(found["line"]), found["message"]
        match = next(
            (one for one in open_expectations if one.accepts(severity, line, message)), None
        )
        if match is not None:
            open_expectations.remove(match)
        elif severity != "note":
            complaints.append(f"{name}:{line}: error: unexpected {severity}: {message}")
    complaints += [
        f'{name}:{one.line}: error: expected {one.severity} "{one.message}" was not produced'
        for one in open_expectations
    ]
    return complaints


def _expectations(source: str) -> list[_Expected]:
    """`@above` and `@below` skip lines that hold nothing but annotations, as mlir-opt does."""
    lines = source.splitlines()
    found: list[_Expected] = []
    for number, text in enumerate(lines, start=1):
        for one in _ANNOTATION.finditer(text):
            line = _line(lines, number, one["place"])
            found.append(_Expected(one["severity"], line, one["message"], bool(one["regex"])))
    return found


def _line(lines: list[str], number: int, place: str | None) -> int:
    if place is None:
        return number
    if place in ("above", "below"):
        step = 1 if place == "below" else -1
        number += step
        while 0 < number <= len(lines) and _only_annotation(lines[number - 1]):
            number += step
        return number
    return 0 if place == "unknown" else number + int(place)


def _only_annotation(line: str) -> bool:
    return line.strip().startswith("//") and _ANNOTATION.search(line) is not None


def _as_python_regex(message: str) -> str:
    """In an `-re` message only the parts in double braces are regular expressions."""
    parts = re.split(r"\{\{(.*?)\}\}", message)
    return "".join(part if n % 2 else re.escape(part) for n, part in enumerate(parts))

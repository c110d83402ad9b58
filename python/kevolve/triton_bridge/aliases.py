"""Expands attribute, type and location aliases of MLIR text.

Upstream MLIR keeps the body of a dialect's attribute or type that it does not know as plain text,
so an alias inside such a body (`#ttg.slice<{dim = 1, parent = #blocked1}>`) loses its definition.
Triton's text is therefore expanded before it is parsed there.

The lexical rules are those of MLIR's language reference (Attribute and Type Value Aliases).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kevolve.errors import KevolveError

# One alternative per kind of token that can hide or hold an alias; all else is a single character.
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*)
  | (?P<string>"(?:[^"\\\n]|\\.)*")
  | (?P<value>[%^@](?:[\w$.]|-(?!>))+(?:\#\d+)?)
  | (?P<symbol>[\#!](?:[A-Za-z_$](?:[\w$.]|-(?!>))*|\d+))
  | (?P<word>[A-Za-z_](?:[\w$.])*)
  | (?P<arrow>->|>=|<=|==)
  | (?P<open>[(\[{<])
  | (?P<close>[)\]}>])
  | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)


class AliasError(KevolveError):
    """An alias that is defined by itself."""


@dataclass(frozen=True)
class Token:
    """A lexical unit of MLIR text, white space and comments included."""

    kind: str
    text: str


@dataclass(frozen=True)
class _Definition:
    """`name = value` at top level; `breaks` are the line breaks within it."""

    name: str
    value: list[Token]
    breaks: int


def expand(text: str, locations: bool = False) -> str:
    """`text` with every alias replaced by what it stands for, and the definitions gone.

    Location aliases stay by default: they never occur in an opaque body, and a module prints much
    longer without them. Lines keep their numbers.
    """
    parts = _split(list(tokens_of(text)))
    definitions = [part for part in parts if isinstance(part, _Definition)]
    gone = {one.name: one.value for one in definitions if locations or not _is_location(one.value)}
    if not gone:
        return text
    expander = _Expander(gone)
    return "".join(_replaced(part, gone, expander) for part in parts)


def _replaced(
    part: _Definition | list[Token], gone: dict[str, list[Token]], expander: _Expander
) -> str:
    if not isinstance(part, _Definition):
        return expander.replace(part)
    if part.name in gone:
        return "\n" * part.breaks
    return f"{part.name} = {expander.replace(part.value)}"


def tokens_of(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        assert match.lastgroup is not None
        yield Token(match.lastgroup, match.group())


def _split(tokens: list[Token]) -> list[_Definition | list[Token]]:
    """The definitions of a text, and the runs of tokens between them, in order."""
    parts: list[_Definition | list[Token]] = [[]]
    depth = 0
    position = 0
    while position < len(tokens):
        token = tokens[position]
        start = _definition_start(tokens, position) if depth == 0 else None
        if start is not None:
            end = _definition_end(tokens, start)
            value = tokens[start:end]
            breaks = sum(one.text.count("\n") for one in value)
            parts += [_Definition(token.text, _trimmed(value), breaks), []]
            position = end
            continue
        depth += _depth_change(token)
        last = parts[-1]
        assert isinstance(last, list)
        last.append(token)
        position += 1
    return parts


def _depth_change(token: Token) -> int:
    return (token.kind == "open") - (token.kind == "close")


def _definition_start(tokens: list[Token], position: int) -> int | None:
    """Where the value starts if the token at `position` is a symbol that is being defined."""
    if tokens[position].kind != "symbol":
        return None
    following = _skip_space(tokens, position + 1)
    if following < len(tokens) and tokens[following].text == "=":
        return following + 1
    return None


def _skip_space(tokens: list[Token], position: int) -> int:
    while position < len(tokens) and tokens[position].kind == "space":
        position += 1
    return position


def _definition_end(tokens: list[Token], start: int) -> int:
    """A value ends at the first line break outside brackets."""
    depth = 0
    first = _skip_space(tokens, start)
    for position in range(first, len(tokens)):
        token = tokens[position]
        depth += _depth_change(token)
        if depth == 0 and token.kind == "space" and "\n" in token.text:
            return position
    return len(tokens)


def _trimmed(tokens: list[Token]) -> list[Token]:
    meaningful = [n for n, token in enumerate(tokens) if token.kind not in ("space", "comment")]
    return tokens[meaningful[0] : meaningful[-1] + 1] if meaningful else []


def _is_location(value: list[Token]) -> bool:
    return len(value) > 1 and value[0].text == "loc" and value[1].text == "("


class _Expander:
    """Replaces aliases by their definitions, each expanded once."""

    def __init__(self, definitions: dict[str, list[Token]]) -> None:
        self._definitions = definitions
        self._expanded: dict[str, str] = {}
        self._open: list[str] = []

    def replace(self, tokens: list[Token]) -> str:
        parts: list[str] = []
        inside_location: list[bool] = [False]
        for position, token in enumerate(tokens):
            _follow_brackets(tokens, position, inside_location)
            if self._is_use(tokens, position):
                parts.append(self._definition(token.text, inside_location[-1]))
            else:
                parts.append(token.text)
        return "".join(parts)

    def _is_use(self, tokens: list[Token], position: int) -> bool:
        token = tokens[position]
        if token.kind != "symbol" or token.text not in self._definitions:
            return False
        # `#name<` is an attribute of the dialect `name`, whatever the aliases are.
        return position + 1 == len(tokens) or tokens[position + 1].text != "<"

    def _definition(self, name: str, inside_location: bool) -> str:
        value = self._definitions[name]
        text = self._expand(name, value)
        if inside_location and _is_location(value):
            return text[len("loc(") : -1]
        return text

    def _expand(self, name: str, value: list[Token]) -> str:
        if name in self._expanded:
            return self._expanded[name]
        if name in self._open:
            raise AliasError(f"alias {name} is defined by itself: {' -> '.join(self._open)}")
        self._open.append(name)
        self._expanded[name] = self.replace(value)
        self._open.pop()
        return self._expanded[name]


def _follow_brackets(tokens: list[Token], position: int, inside_location: list[bool]) -> None:
    """Keeps for each open bracket whether it belongs to a location."""
    token = tokens[position]
    if token.kind == "open":
        opens_location = token.text == "(" and position > 0 and tokens[position - 1].text == "loc"
        # In `fused<metadata>[...]` the metadata is an attribute again.
        inside_location.append(opens_location or (inside_location[-1] and token.text != "<"))
    elif token.kind == "close" and len(inside_location) > 1:
        inside_location.pop()

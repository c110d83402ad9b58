"""Gives long dialect attributes that occur often an alias, for people who read the IR.

MLIR prints aliases for attributes of dialects that it knows; Triton's encodings are foreign to it
and fill the page. Only occurrences that MLIR itself parses become aliases (see `aliases`): not
those in the body of another foreign attribute or type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kevolve.triton_bridge.aliases import Token, tokens_of

# Shorter attributes read better in place.
_SHORTEST = 24


def contract(text: str) -> str:
    """`text` with aliases for what `aliases.expand` would expand again."""
    tokens = list(tokens_of(text))
    spans = [(start, end) for start, end in _foreign_attributes(tokens)]
    bodies = ["".join(token.text for token in tokens[start:end]) for start, end in spans]
    names = _names(bodies, {token.text for token in tokens if token.kind == "symbol"})
    if not names:
        return text
    parts: list[str] = [f"{name} = {body}\n" for body, name in names.items()]
    position = 0
    for (start, end), body in zip(spans, bodies, strict=True):
        parts += [token.text for token in tokens[position:start]]
        parts.append(names.get(body, body))
        position = end
    parts += [token.text for token in tokens[position:]]
    return "".join(parts)


def _foreign_attributes(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    """First token and end of each `#dialect.name<...>` that is in no other dialect body."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        end = _body_end(tokens, position) if token.kind == "symbol" else position + 1
        if token.kind == "symbol" and token.text.startswith("#") and end > position + 1:
            yield position, end
        position = end


def _body_end(tokens: list[Token], position: int) -> int:
    """The token after the `<...>` that follows a symbol, or after the symbol if none does."""
    depth = 0
    for here in range(position + 1, len(tokens)):
        token = tokens[here]
        if here == position + 1 and token.text != "<":
            return here
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return here + 1
    return position + 1


def _names(bodies: list[str], taken: set[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    for body, count in Counter(bodies).items():
        if count < 2 or len(body) < _SHORTEST or "." not in body.partition("<")[0]:
            continue
        stem = "#" + body.partition("<")[0].rpartition(".")[2]
        name, number = stem, 0
        while name in taken:
            number += 1
            name = f"{stem}{number}"
        taken.add(name)
        names[body] = name
    return names

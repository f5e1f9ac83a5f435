"""JSON whose numbers are decimals, digit by digit: no amount is ever a float."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?")


def parse_json(text: str | bytes) -> Any:
    """Every number as a `Decimal` with the digits that stand in the text.

    :raises ValueError: where it is no JSON
    """
    return json.loads(text, parse_float=Decimal, parse_int=Decimal, parse_constant=_no_number)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def write_json(value: Any) -> str:
    """:raises TypeError: for a float, which is not what was meant"""
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, Mapping):
        return "{%s}" % ",".join(f"{json.dumps(str(name))}:{write_json(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(write_json(item) for item in value)
    if value is None or isinstance(value, (bool, int, str)):
        return json.dumps(value)
    raise TypeError(f"{value!r} is a {type(value).__name__}: give amounts as Decimal or int")


def decimal_text(value: Decimal) -> str:
    """Without an exponent.

    :raises ValueError: for what is not finite
    """
    if not value.is_finite():
        raise ValueError(f"{value} is no amount")
    return format(value, "f")


def with_numbers(body: Any, paths: Sequence[str]) -> Any:
    """A body with decimals given as text at these paths as numbers; what is None there is kept.

    :raises ValueError: where a text is no decimal
    :raises TypeError: for a float
    """
    for path in paths:
        body = _changed(body, path.split("."), path)
    return body


def _changed(value: Any, steps: Sequence[str], path: str) -> Any:
    if value is None:
        return None
    if not steps:
        return _number_at(value, path)
    step, rest = steps[0], steps[1:]
    if step == "*" and isinstance(value, (list, tuple)):
        return [_changed(item, rest, path) for item in value]
    if not isinstance(value, Mapping):
        return value
    names = list(value) if step == "*" else [step] if step in value else []
    return {**value, **{name: _changed(value[name], rest, path) for name in names}}


def _number_at(value: Any, path: str) -> Any:
    if isinstance(value, str):
        if not _DECIMAL.fullmatch(value):
            raise ValueError(f"{path} is no decimal number: {value!r}")
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise TypeError(f"{path} is a {type(value).__name__}: give amounts as Decimal or int")
    return value

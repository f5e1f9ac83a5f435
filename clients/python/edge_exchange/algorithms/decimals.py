"""Decimal numbers as text, computed on scaled integers: a state is plain JSON, and the same one in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce

_PATTERN = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]+))?")


def _read(text: str) -> tuple[int, int]:
    """Digits and scale.

    :raises ValueError: where it is no decimal
    """
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise ValueError(f'"{text}" is no decimal number')
    sign, whole, fraction = match[1], match[2], match[3] or ""
    digits = int(whole + fraction)
    return (-digits if sign == "-" else digits), len(fraction)


def _write(digits: int, scale: int) -> str:
    text = str(abs(digits)).rjust(scale + 1, "0")
    return ("-" if digits < 0 else "") + (text if scale == 0 else f"{text[:-scale]}.{text[-scale:]}")


def _alike(a: str, b: str) -> tuple[int, int, int]:
    (left, left_scale), (right, right_scale) = _read(a), _read(b)
    scale = max(left_scale, right_scale)
    return left * 10 ** (scale - left_scale), right * 10 ** (scale - right_scale), scale


def add(a: str, b: str) -> str:
    left, right, scale = _alike(a, b)
    return _write(left + right, scale)


def subtract(a: str, b: str) -> str:
    left, right, scale = _alike(a, b)
    return _write(left - right, scale)


def multiply(a: str, b: str) -> str:
    (left, left_scale), (right, right_scale) = _read(a), _read(b)
    return _write(left * right, left_scale + right_scale)


def divide(a: str, b: str, scale: int) -> str:
    """Cut after `scale` decimals, towards zero."""
    left, right, _ = _alike(a, b)
    if right == 0:
        raise ZeroDivisionError("division by zero")
    quotient = abs(left) * 10**scale // abs(right)
    return _write(quotient if (left < 0) == (right < 0) else -quotient, scale)


def total(values: Iterable[str]) -> str:
    return reduce(add, values, "0")


def compare(a: str, b: str) -> int:
    """Below zero where `a` is less than `b`."""
    left, right, _ = _alike(a, b)
    return (left > right) - (left < right)


def smaller(a: str, b: str) -> str:
    return a if compare(a, b) <= 0 else b


def floor_to(value: str, step: str) -> str:
    """The largest multiple of `step` that is not above `value`; both not negative."""
    left, right, scale = _alike(value, step)
    if right <= 0:
        raise ValueError("a step is above zero")
    rest = abs(left) % right
    return _trimmed(_write(left - (-rest if left < 0 else rest), scale))


def ceil_to(value: str, step: str) -> str:
    """The smallest multiple of `step` that is not below `value`; both not negative."""
    floor = floor_to(value, step)
    return add(floor, step) if compare(floor, value) < 0 else floor


def _trimmed(value: str) -> str:
    return value.rstrip("0").rstrip(".") if "." in value else value

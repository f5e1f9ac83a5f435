"""A client's copy of a book, kept right by snapshot and updates of the `orderbook` channel."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Literal

Level = tuple[Decimal, Decimal]
Applied = Literal["applied", "stale", "gap", "checksum"]
"""`stale`: the book has it already. `gap`, `checksum`: messages are missing, or the sum differs: subscribe again for a fresh snapshot."""

_CHECKED_LEVELS = 10


def number_text(value: Decimal) -> str:
    """A number as the message wrote it, which is how ECMAScript writes it: a `Decimal` keeps its digits and its exponent."""
    return str(value).lower()


def book_checksum(bids: Sequence[Sequence[Decimal]], asks: Sequence[Sequence[Decimal]]) -> int:
    """CRC-32 over the top ten levels a side, best first (docs/feeds.md#checksums)."""
    sides = (",".join(f"{number_text(price)}:{number_text(size)}" for price, size in side[:_CHECKED_LEVELS]) for side in (bids, asks))
    return zlib.crc32("|".join(sides).encode())


class LocalBook:
    def __init__(self, depth: int | None = None) -> None:
        """:param depth: levels a side that it shows; the messages may have more, which others follow over the same connection"""
        self._depth = depth
        self._bids: dict[Decimal, Level] = {}
        self._asks: dict[Decimal, Level] = {}
        self.sequence = 0
        """Of the last message that it includes."""
        self.is_live = False
        """Whether it has had its snapshot, and nothing was missing since."""

    @property
    def bids(self) -> list[Level]:
        """Best first."""
        return self._all_bids()[: self._depth]

    @property
    def asks(self) -> list[Level]:
        """Best first."""
        return self._all_asks()[: self._depth]

    def _all_bids(self) -> list[Level]:
        return [self._bids[price] for price in sorted(self._bids, reverse=True)]

    def _all_asks(self) -> list[Level]:
        return [self._asks[price] for price in sorted(self._asks)]

    def apply(self, message: dict[str, Any]) -> Applied:
        if message["type"] == "orderbook_snapshot":
            return self._begin(message)
        if not self.is_live:
            return "gap"
        if message["sequence"] <= self.sequence:
            return "stale"
        # Starting from a REST snapshot, the first update may reach back behind it.
        if message["prev_sequence"] > self.sequence:
            return self._broken("gap")
        self._change(message)
        return self._checked(message)

    def _begin(self, message: dict[str, Any]) -> Applied:
        self._bids.clear()
        self._asks.clear()
        self._change(message)
        self.is_live = True
        return self._checked(message)

    def _change(self, message: dict[str, Any]) -> None:
        for side, levels in ((self._bids, message["bids"]), (self._asks, message["asks"])):
            for price, size in levels:
                if size == 0:
                    side.pop(price, None)
                else:
                    side[price] = (price, size)
        self.sequence = int(message["sequence"])

    def _checked(self, message: dict[str, Any]) -> Applied:
        checksum = book_checksum(self._all_bids(), self._all_asks())
        return "applied" if checksum == message["checksum"] else self._broken("checksum")

    def _broken(self, why: Literal["gap", "checksum"]) -> Applied:
        self.is_live = False
        return why

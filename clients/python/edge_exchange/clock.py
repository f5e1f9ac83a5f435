"""The exchange's clock, as far as it is known."""

from __future__ import annotations

import threading
from collections.abc import Callable

_CORRECTION_MS_MAX = 10_000


class Clock:
    """Ours and what was measured between the two. A time is given out once, because a signature serves once."""

    def __init__(self, now_ms: Callable[[], float]) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._skew_ms = 0
        self._last = 0

    @property
    def skew_ms(self) -> int:
        """How far the exchange's clock is ahead of ours."""
        return self._skew_ms

    def read(self) -> float:
        """Our own clock, Unix milliseconds."""
        return self._now_ms()

    def stamp(self) -> int:
        """For a signature: Unix milliseconds of the exchange, above any that was given out before."""
        with self._lock:
            self._last = max(round(self._now_ms() + self._skew_ms), self._last + 1)
            return self._last

    def measured(self, server_ms: float, sent_at: float, received_at: float) -> None:
        """The exchange said `server_ms` between these two readings of our clock."""
        with self._lock:
            self._skew_ms = round(server_ms - (sent_at + received_at) / 2)
            # One that ran far ahead starts anew; a small correction keeps times rising.
            if self._last > received_at + self._skew_ms + _CORRECTION_MS_MAX:
                self._last = 0

"""What every call raises. The class says what to do about it, `code` says why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answered:
    """An answer that is no success."""

    status: int
    code: str
    """Of the API; `HTTP_<status>` where the answer has none."""
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)
    request_id: str | None = None


OTHER_REQUEST = "IDEMPOTENCY_CONFLICT"
"""Another request was made under the key of this one: which, and what became of it, that answer does not say."""


class ExchangeError(Exception):
    """Whatever keeps a call from succeeding."""

    def __init__(self, message: str, code: str, answer: Answered | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.message = message
        self.code = code
        self.answer = answer
        """The last answer, where one came."""

    @property
    def details(self) -> Mapping[str, Any]:
        return {} if self.answer is None else self.answer.details

    @classmethod
    def of(cls, answer: Answered) -> ExchangeError:
        return cls(answer.message, answer.code, answer)


class Refused(ExchangeError):
    """The exchange has refused it, for good: nothing was done."""


class Unauthorized(ExchangeError):
    """The credential does not hold, or may not do this: nothing was done."""


class RateLimited(ExchangeError):
    """Still too many calls after waiting as long as the client may: nothing was done."""

    retry_after_s: float = 0.0


class Unavailable(ExchangeError):
    """The exchange cannot answer a read now."""


class NoAnswer(ExchangeError):
    """No answer came to a read, no token could be had and nothing was sent, or the next page of a list is at another address."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "NO_ANSWER")


class OutcomeUnknown(ExchangeError):
    """A change may have been done or not.

    The same call with this `idempotency_key` finds out, within 24 hours, where `is_repeatable`; else read what it would have changed. That
    is so, too, where another request was made under the key: `answer` is IDEMPOTENCY_CONFLICT.
    """

    def __init__(self, message: str, idempotency_key: str, is_repeatable: bool, answer: Answered | None) -> None:
        super().__init__(message, "OUTCOME_UNKNOWN", answer)
        self.idempotency_key = idempotency_key
        self.is_repeatable = is_repeatable

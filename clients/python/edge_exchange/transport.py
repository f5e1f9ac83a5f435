"""Sends calls of one profile: proves who calls, waits where it is told to, and repeats a change under the same key until its outcome is known."""

from __future__ import annotations

import http.client
import random
import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

from .answers import answered_by, body_of, retry_after_ms
from .clock import Clock
from .credentials import Credentials
from .errors import OTHER_REQUEST, Answered, ExchangeError, NoAnswer, OutcomeUnknown, RateLimited, Refused, Unauthorized, Unavailable
from .http import Answer, HttpSender, Send
from .rate_limits import RateLimits

_TRIES_MAX = 6
_WAIT_MS_MAX = 15_000
_WAIT_FIRST_MS = 250
_TIMEOUT_S = 30.0
_HOLD_MS_MAX = 1_000
_BEFORE_THE_KEY = (401, 403, 408, 429)
"""Statuses of a request that was turned away before anybody looked at its Idempotency-Key."""


_HEADER = re.compile(r"[\x20-\x7e]+")

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Call:
    method: str
    operation: str
    """Method and path as the documents have them, `DELETE /v1/orders/{order_id}`."""
    path: str
    """Path with query, behind the base."""
    body: str | None
    is_repeatable: bool
    idempotency_key: str


class Received(NamedTuple):
    headers: Any
    body: Any


@dataclass
class _Progress:
    may_be_done: bool = False
    is_renewed: bool = False
    answer: Answered | None = None


class _Again(Exception):
    """A try that may be repeated; `otherwise` is what the call comes to where it is not."""

    def __init__(self, otherwise: ExchangeError, after_ms: float | None) -> None:
        super().__init__(str(otherwise))
        self.otherwise = otherwise
        self.after_ms = after_ms


class Transport:
    def __init__(
        self,
        base_url: str,
        credentials: Credentials | None = None,
        *,
        tries_max: int = _TRIES_MAX,
        wait_ms_max: float = _WAIT_MS_MAX,
        timeout_s: float = _TIMEOUT_S,
        send: Send | None = None,
        now_ms: Callable[[], float] = lambda: time.time() * 1_000,
        sleep: Callable[[float], None] = time.sleep,
        random_below_one: Callable[[], float] = random.random,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        parts = urlsplit(self._base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
            raise ValueError("base_url is an address of http or https, without a name or password in it")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._prefix = parts.path
        self._credentials = credentials
        self._tries_max = tries_max
        self._wait_ms_max = wait_ms_max
        self._timeout_s = timeout_s
        self._send = send or HttpSender()
        self._sleep = sleep
        self._random = random_below_one
        self.clock = Clock(now_ms)
        self.limits = RateLimits()

    def path_within(self, href: str) -> str | None:
        """The path of an address behind this base, or None where it leads elsewhere: no credential goes there."""
        parts = urlsplit(urljoin(f"{self._base_url}/", href))
        if f"{parts.scheme}://{parts.netloc}" != self._origin or not parts.path.startswith(f"{self._prefix}/"):
            return None
        return parts.path[len(self._prefix) :] + (f"?{parts.query}" if parts.query else "")

    def send(self, call: Call) -> Received:
        """
        :raises ExchangeError: where it does not succeed
        :raises ValueError: for an idempotency key that no header can have
        """
        if not _HEADER.fullmatch(call.idempotency_key):
            raise ValueError("an idempotency key, or a client order id in its place, has visible ASCII characters alone")
        is_read = call.method == "GET"
        progress = _Progress()
        try:
            return self._repeated(call, is_read, progress)
        except Exception:
            raise
        except BaseException as error:
            # Ctrl-C, say, in the middle of a change or in the pause before it is repeated: whoever asked has to know its key.
            if progress.may_be_done:
                error.add_note(f"{call.operation} may have been done, under the idempotency key {call.idempotency_key}")
            raise

    def _repeated(self, call: Call, is_read: bool, progress: _Progress) -> Received:
        tries = 1
        while True:
            try:
                return self._try(call, is_read, progress)
            except _Again as again:
                error, after_ms = again.otherwise, again.after_ms
                may_repeat = is_read or call.is_repeatable or not progress.may_be_done
                if not may_repeat or tries >= self._tries_max:
                    raise self._ended(call, progress, error) from None
            except ExchangeError as error:
                raise self._ended(call, progress, error) from None
            back_off_ms = _WAIT_FIRST_MS * 2 ** (tries - 1) * (0.5 + self._random() / 2)
            self._pause(min(back_off_ms if after_ms is None else after_ms, self._wait_ms_max))
            tries += 1

    def _ended(self, call: Call, progress: _Progress, error: ExchangeError) -> ExchangeError:
        """A refusal of a later try says nothing of an earlier one that got no answer, unless the exchange had looked at its key by then."""
        status = 0 if error.answer is None else error.answer.status
        is_of_key = isinstance(error, Refused) and call.is_repeatable and status not in _BEFORE_THE_KEY
        is_other_request = is_of_key and error.code == OTHER_REQUEST
        if not is_other_request and (not progress.may_be_done or is_of_key):
            return error
        message = f"{call.operation} may have been done: {error.message}"
        return OutcomeUnknown(message, call.idempotency_key, call.is_repeatable and not is_other_request, progress.answer)

    def _try(self, call: Call, is_read: bool, progress: _Progress) -> Received:
        self._pause(self.limits.hold_ms(call.operation, self.clock.read() + self.clock.skew_ms, _HOLD_MS_MAX))
        body = (call.body or "").encode()
        # A token that cannot be had ends the call here: this try has sent nothing.
        headers = self._proved(lambda: self._headers_of(call, body))
        sent_at = self.clock.read()
        try:
            answer = self._send(call.method, self._base_url + call.path, headers, body, self._timeout_s)
            if 200 <= answer.status < 300:
                self.limits.told(call.operation, answer.headers)
                return Received(answer.headers, body_of(answer))
        except (OSError, http.client.HTTPException, ValueError) as error:
            progress.may_be_done = progress.may_be_done or not is_read
            raise _Again(NoAnswer(str(error) or type(error).__name__), None) from error
        except BaseException:
            progress.may_be_done = progress.may_be_done or not is_read
            raise
        self.limits.told(call.operation, answer.headers)
        progress.answer = answered_by(answer)
        raise self._judged(answer, progress.answer, sent_at, is_read, progress)

    def _judged(
        self, answer: Answer, said: Answered, sent_at: float, is_read: bool, progress: _Progress
    ) -> _Again | ExchangeError:
        after_ms = retry_after_ms(answer.headers)
        if said.status == 401 and not progress.is_renewed:
            progress.is_renewed = self._proved(lambda: self._renewed(said, sent_at))
            if progress.is_renewed:
                return _Again(Unauthorized.of(said), 0)
        if said.status == 401 or said.code in ("FORBIDDEN", "STEP_UP_REQUIRED"):
            return Unauthorized.of(said)
        if said.status == 429:
            limited = RateLimited.of(said)
            limited.retry_after_s = (after_ms or 0) / 1_000
            return _Again(limited, after_ms)
        if said.status == 408:
            return _Again(Refused.of(said), after_ms)
        is_open = (said.status >= 500 and said.code != "MODEL_UNAVAILABLE") or (
            said.status == 409 and said.details.get("reason") == "in_flight"
        )
        if not is_open:
            return Refused.of(said)
        progress.may_be_done = progress.may_be_done or not is_read
        return _Again(Unavailable.of(said), after_ms)

    def _renewed(self, said: Answered, sent_at: float) -> bool:
        """A clock that was wrong is put right; a token that has ended is fetched anew."""
        if said.details.get("reason") == "timestamp_stale":
            server_ms = said.details.get("server_time", said.details.get("serverTime"))
            try:
                self.clock.measured(float(server_ms), sent_at, self.clock.read())
            except (TypeError, ValueError):
                return False
            return True
        return self._credentials is not None and self._credentials.renew()

    def _proved(self, find: Callable[[], _Found]) -> _Found:
        """What a credential gives: whatever it raises, no answer came of this try."""
        try:
            return find()
        except ExchangeError:
            raise
        except Exception as error:
            raise NoAnswer(f"the credential has failed: {type(error).__name__}: {error}") from error

    def _headers_of(self, call: Call, body: bytes) -> dict[str, str]:
        headers = {"accept": "application/json"}
        if self._credentials is not None:
            proof = self._credentials.headers_of(call.method, self._prefix + call.path, body, self.clock)
            # What cannot be sent would be told with its value, which is a secret.
            for name, value in proof.items():
                if not _HEADER.fullmatch(value):
                    raise NoAnswer(f"the credential gives a {name} that no header can have")
            headers |= proof
        if call.is_repeatable and call.method != "GET":
            headers["idempotency-key"] = call.idempotency_key
        if call.body is not None:
            headers["content-type"] = "application/json"
        return headers

    def _pause(self, ms: float) -> None:
        if ms > 0:
            self._sleep(ms / 1_000)


def fresh_key() -> str:
    return str(uuid.uuid4())

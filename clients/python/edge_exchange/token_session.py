"""Access tokens that stay fresh: by the refresh token of a sign-in, or by the credentials of a machine client."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

from .answers import answered_by
from .errors import Answered, ExchangeError, NoAnswer, Unauthorized, Unavailable
from .http import Answer, HttpSender, Send
from .json_numbers import parse_json

_EARLY_MS = 60_000
"""A token is fetched anew so long before its end."""
_TIMEOUT_S = 30.0


@dataclass(frozen=True)
class Tokens:
    """What is kept between two runs of a program. The refresh token serves once."""

    access_token: str = field(repr=False)
    expires_at_ms: float
    refresh_token: str | None = field(repr=False)


class TokenSession:
    def __init__(
        self,
        iam_url: str,
        client_id: str,
        client_secret: str | None = None,
        *,
        tokens: Tokens | None = None,
        on_tokens: Callable[[Tokens], None] | None = None,
        send: Send | None = None,
        now_ms: Callable[[], float] = lambda: time.time() * 1_000,
    ) -> None:
        """
        :param iam_url: of the identity provider, `https://exchange.example/iam`
        :param tokens: those of a sign-in before; a machine client with a secret needs none
        :param on_tokens: told of fresh tokens before they are used: keep them, because the refresh token before them is spent
        """
        self._url = f"{iam_url.rstrip('/')}/api/login/oauth/access_token"
        self._client = {"client_id": client_id} | ({} if client_secret is None else {"client_secret": client_secret})
        self._tokens = tokens
        self._unkept: Tokens | None = None
        self._on_tokens = on_tokens
        self._send = send or HttpSender()
        self._now_ms = now_ms
        self._lock = threading.Lock()

    def access_token(self) -> str:
        """:raises ExchangeError: where none can be had"""
        # Callers at the same time wait for one refresh: a second one would show a spent token, which ends the session.
        with self._lock:
            if self._tokens is not None and self._tokens.expires_at_ms - _EARLY_MS > self._now_ms():
                return self._tokens.access_token
            return self._fetched().access_token

    def renew(self) -> bool:
        before = self._tokens
        with self._lock:
            if self._tokens is not before:
                return True
            if self._unkept is None and self._grant() is None:
                return False
            self._fetched()
            return True

    def _grant(self) -> dict[str, str] | None:
        if self._tokens is not None and self._tokens.refresh_token is not None:
            return {"grant_type": "refresh_token", "refresh_token": self._tokens.refresh_token}
        return {"grant_type": "client_credentials"} if "client_secret" in self._client else None

    def _fetched(self) -> Tokens:
        if self._unkept is not None:
            return self._kept(self._unkept)
        grant = self._grant()
        if grant is None:
            message = "the access token has ended, and there is nothing to buy another with: sign in again"
            raise Unauthorized.of(Answered(401, "UNAUTHORIZED", message))
        body = urlencode(grant | self._client).encode()
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": "application/json"}
        try:
            answer = self._send("POST", self._url, headers, body, _TIMEOUT_S)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"no token of {self._url}: {error}") from error
        return self._kept(self._tokens_of(answer))

    def _tokens_of(self, answer: Answer) -> Tokens:
        if not 200 <= answer.status < 300:
            kind: type[ExchangeError] = Unavailable if answer.status >= 500 else Unauthorized
            raise kind.of(answered_by(answer))
        try:
            said = parse_json(answer.body)
            access_token, seconds, refresh_token = said["access_token"], float(said["expires_in"]), said.get("refresh_token")
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise NoAnswer(f"no token of {self._url}: it has none that can be read") from error
        if not isinstance(access_token, str):
            raise NoAnswer(f"no token of {self._url}: it has none")
        kept = refresh_token if isinstance(refresh_token, str) else None
        return Tokens(access_token, self._now_ms() + seconds * 1_000, kept)

    def _kept(self, tokens: Tokens) -> Tokens:
        """Nobody uses tokens before they are kept; where that fails it is tried again, because what they were bought with is spent."""
        self._unkept = tokens
        if self._on_tokens is not None:
            self._on_tokens(tokens)
        self._unkept = None
        self._tokens = tokens
        return tokens

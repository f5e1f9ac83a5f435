"""An exchange that answers what a test wants, and time that stands still until somebody waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from edge_exchange import BookClient, Credentials
from edge_exchange.http import Answer


class Sent(NamedTuple):
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes


def json_answer(status: int, body: Any, **headers: str) -> Answer:
    text = body if isinstance(body, str) else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"content-type": "application/json", **named}, text.encode())


def refusal(status: int, code: str, details: Mapping[str, Any] | None = None, **headers: str) -> Answer:
    return json_answer(status, {"error": {"code": code, "message": "no", "details": details or {}}}, **headers)


class PlayedExchange:
    def __init__(self, *answers: Answer | BaseException) -> None:
        self.answers = list(answers)
        self.sent: list[Sent] = []
        self.slept: list[float] = []
        self.now_ms = 1_000_000.0

    def __call__(self, method: str, url: str, headers: Mapping[str, str], body: bytes, timeout_s: float) -> Answer:
        self.sent.append(Sent(method, url, dict(headers), body))
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now_ms += seconds * 1_000

    @property
    def options(self) -> dict[str, Any]:
        return {"send": self, "sleep": self.sleep, "now_ms": lambda: self.now_ms, "random_below_one": lambda: 1.0}

    def client(self, credentials: Credentials | None = None, **options: Any) -> BookClient:
        return BookClient("https://exchange.example/book", credentials, **{**self.options, **options})

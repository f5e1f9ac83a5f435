"""Calls of one profile; the generated classes have a method for each operation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote, urlencode

from .credentials import Credentials
from .errors import NoAnswer
from .json_numbers import with_numbers, write_json
from .operations import Operations
from .transport import Call, Received, Transport, fresh_key

_NEXT = re.compile(r'<([^>]*)>\s*;\s*rel="?next"?')
_PLACE = re.compile(r"\{([^}]+)\}")


class Calls:
    """Numbers of answers are `Decimal`; those of a body are `Decimal`, `int` or decimal text. Every call raises `ExchangeError` where it does not succeed.

    Calls block. Use them from any thread, and from asyncio by `asyncio.to_thread`.
    """

    operations: ClassVar[Operations] = {}

    def __init__(self, base_url: str, credentials: Credentials | None = None, **options: Any) -> None:
        """:param base_url: of a profile, `https://exchange.example/book`; :param options: of `Transport`"""
        self.transport = Transport(base_url, credentials, **options)

    def call(
        self,
        method: str,
        path: str,
        *,
        path_values: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return self._sent(method, path, _address(path, path_values or {}, query or {}), body, idempotency_key).body

    def pages(
        self, path: str, *, path_values: Mapping[str, Any] | None = None, query: Mapping[str, Any] | None = None
    ) -> Iterator[Any]:
        """The pages of a list, as its Link header leads on. A page may be empty and yet not be the last."""
        at: str | None = _address(path, path_values or {}, query or {})
        while at is not None:
            received = self._sent("GET", path, at, None, None)
            yield received.body
            link = _NEXT.search(received.headers.get("link", ""))
            at = None if link is None else self._within(link[1], path)

    def _within(self, href: str, path: str) -> str:
        """:raises NoAnswer: where it leads elsewhere: the list would look whole, and no credential goes there"""
        within = self.transport.path_within(href)
        if within is None:
            raise NoAnswer(f"the next page of {path} is at another address, which gets no credential of ours")
        return within

    def _sent(self, method: str, path: str, at: str, body: Any, idempotency_key: str | None) -> Received:
        name = f"{method} {path}"
        known = self.operations.get(name, {})
        text = None if body is None else write_json(with_numbers(body, known.get("numbers", ())))
        return self.transport.send(
            Call(
                method=method,
                operation=name,
                path=at,
                body=text,
                is_repeatable=known.get("isRepeatable", False),
                idempotency_key=idempotency_key or fresh_key(),
            )
        )


def _address(path: str, values: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    """:raises ValueError: for a missing or empty part of the path, or one that an address drops"""

    def filled(place: re.Match[str]) -> str:
        value = str(values.get(place[1], ""))
        if value in ("", ".", ".."):
            raise ValueError(f"{place[1]} is missing in {path}")
        return quote(value, safe="")

    address = _PLACE.sub(filled, path)
    given = [(name, _query_text(value)) for name, value in query.items() if value is not None]
    return f"{address}?{urlencode(given, quote_via=quote, safe='')}" if given else address


def _query_text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

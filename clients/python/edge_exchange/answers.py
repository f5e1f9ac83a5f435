"""What an answer of HTTP says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .errors import Answered
from .http import Answer
from .json_numbers import parse_json


def answered_by(answer: Answer) -> Answered:
    """What an answer that is no success says, in the shape of the API or in that of OAuth (RFC 6749, 5.2)."""
    said = _error_in(answer.body)
    code, message, details = said.get("code"), said.get("message"), said.get("details")
    return Answered(
        status=answer.status,
        code=code if isinstance(code, str) else f"HTTP_{answer.status}",
        message=message if isinstance(message, str) else f"the answer was {answer.status}",
        details=details if isinstance(details, dict) else {},
        request_id=answer.headers.get("x-request-id"),
    )


def _error_in(body: bytes) -> Mapping[str, Any]:
    try:
        said = parse_json(body)
    except ValueError:
        return {}
    if not isinstance(said, dict):
        return {}
    error = said.get("error")
    if isinstance(error, str):
        return {"code": error, "message": said.get("error_description", error)}
    return error if isinstance(error, dict) else {}


def body_of(answer: Answer) -> Any:
    """JSON with its numbers as decimals, another text as it is, anything else as bytes; None where there is none.

    :raises ValueError: where it is not what it says that it is
    """
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not answer.body and kind == "":
        return None
    if kind == "application/json" or kind.endswith("+json"):
        return parse_json(answer.body)
    return answer.body.decode() if kind.startswith("text/") else answer.body


def retry_after_ms(headers: Mapping[str, str]) -> float | None:
    """Of Retry-After, which the exchange writes in seconds; None where there is none."""
    try:
        seconds = float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return seconds * 1_000 if 0 <= seconds < float("inf") else None

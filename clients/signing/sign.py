"""Prints X-API-Signature of a request (docs/design/identity.md#signatures); the body comes on standard input.

printf '%s' "$body" | python3 sign.py <secret> <timestamp in Unix ms> <METHOD> <path with query>
"""

import hashlib
import hmac
import re
import sys

PATH_ESCAPES = b' "<>^`{}'
QUERY_ESCAPES = b' "\'<>'


def signature(secret: str, timestamp: str, method: str, path: str, body: bytes) -> str:
    text = "\n".join([timestamp, method, rewritten(path), hashlib.sha256(body).hexdigest()])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def rewritten(path: str) -> str:
    """The path with its query as the URL standard writes it, which is what is signed."""
    before, mark, query = path.partition("?")
    before = "/".join(without_dots(before.replace("\\", "/").split("/")))
    return escaped(before, PATH_ESCAPES) + (mark + escaped(query, QUERY_ESCAPES) if query else "")


def without_dots(segments: list[str]) -> list[str]:
    kept: list[str] = []
    for place, segment in enumerate(segments):
        dots = re.sub("%2e", ".", segment, flags=re.IGNORECASE)
        if dots == ".." and len(kept) > 1:
            kept.pop()
        if dots not in (".", ".."):
            kept.append(segment)
        elif place == len(segments) - 1:
            kept.append("")
    return kept


def escaped(text: str, escapes: bytes) -> str:
    return "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in escapes else f"%{byte:02X}"
        for byte in text.encode("utf-8", "surrogateescape")
    )


if __name__ == "__main__":
    print(signature(*sys.argv[1:5], sys.stdin.buffer.read()))

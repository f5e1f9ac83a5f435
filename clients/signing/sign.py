"""Prints X-API-Signature of a request (docs/design/identity.md#signatures); the body comes on standard input.

printf '%s' "$body" | python3 sign.py <secret> <timestamp in Unix ms> <METHOD> <path with query>
"""

import hashlib
import hmac
import sys


def signature(secret: str, timestamp: str, method: str, path: str, body: bytes) -> str:
    text = "\n".join([timestamp, method, path, hashlib.sha256(body).hexdigest()])
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


if __name__ == "__main__":
    print(signature(*sys.argv[1:5], sys.stdin.buffer.read()))

"""Checks the books of a feed (docs/feeds.md#checksums): one message of `orderbook` a line on standard input.

Prints, for each, the text that its checksum is over, and `right` or `wrong`. Levels of an update are changes: give it whole books.
"""

import json
import sys
import zlib

LEVELS_MAX = 10


def checksum_text(bids: list, asks: list) -> str:
    """Of levels [price, size], best first, each number as the message writes it, or a float."""
    sides = (",".join(f"{number_text(price)}:{number_text(size)}" for price, size in side[:LEVELS_MAX]) for side in (bids, asks))
    return "|".join(sides)


def number_text(number: "str | int | float") -> str:
    """As ECMAScript's Number::toString writes it: without exponent from 1e-6 to below 1e21, and no zero in front of an exponent."""
    if not isinstance(number, float):
        return str(number)
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        return digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    power = point - 1
    return f"{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{'+' if power > 0 else ''}{power}"


def main() -> None:
    for line in sys.stdin:
        # The digits as they came: a float would be written anew.
        message = json.loads(line, parse_float=str, parse_int=str)
        text = checksum_text(message["bids"], message["asks"])
        print(text, "right" if zlib.crc32(text.encode()) == int(message["checksum"]) else "wrong")


if __name__ == "__main__":
    main()

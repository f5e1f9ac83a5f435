"""Numbers that follow from a text, the same in every language."""


def random_below(text: str, bound: int) -> int:
    """From 0 to below `bound`: the same after a restart, and not to be guessed from the one before. FNV-1a, mixed."""
    value = 0x811C9DC5
    for character in text:
        value = (value ^ ord(character)) * 0x01000193 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (value ^ value >> 16) % bound

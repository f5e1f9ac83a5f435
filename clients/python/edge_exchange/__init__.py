"""Client of the edge exchange: REST, feeds and execution algorithms."""

from .book import BookClient, is_same_order
from .credentials import BearerCredentials, Credentials, KeyCredentials, TokenSource
from .errors import (
    Answered,
    ExchangeError,
    NoAnswer,
    OutcomeUnknown,
    RateLimited,
    Refused,
    Unauthorized,
    Unavailable,
)
from .partner import PartnerClient
from .token_session import Tokens, TokenSession

__all__ = [
    "Answered",
    "BearerCredentials",
    "BookClient",
    "Credentials",
    "ExchangeError",
    "KeyCredentials",
    "NoAnswer",
    "OutcomeUnknown",
    "PartnerClient",
    "RateLimited",
    "Refused",
    "TokenSession",
    "TokenSource",
    "Tokens",
    "Unauthorized",
    "Unavailable",
    "is_same_order",
]

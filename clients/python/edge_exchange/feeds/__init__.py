"""Feeds that heal by themselves: one connection, books with checksum, and the own account. For asyncio."""

from .connection import FeedConnection, Topic, book_feed
from .followed_book import FollowedBook
from .local_book import LocalBook, book_checksum
from .own_account import OwnAccount

__all__ = ["FeedConnection", "FollowedBook", "LocalBook", "OwnAccount", "Topic", "book_checksum", "book_feed"]

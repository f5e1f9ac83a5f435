"""Feeds: books and the own account heal by themselves."""

import asyncio
import json
import unittest

from edge_exchange.feeds import FeedConnection, FollowedBook, OwnAccount, Topic, book_checksum
from edge_exchange.feeds.local_book import number_text
from edge_exchange.json_numbers import parse_json


def checksum(bids, asks=()):
    return book_checksum(parse_json(json.dumps(bids)), parse_json(json.dumps(list(asks))))


def snapshot(sequence, bids, **more):
    return {"type": "orderbook_snapshot", "channel": "orderbook", "symbol": "ACME-USD", "sequence": sequence, "bids": bids, "asks": [], "checksum": checksum(bids), **more}


def update(before, sequence, bids, whole, **more):
    return {**snapshot(sequence, bids), "type": "orderbook_update", "prev_sequence": before, "checksum": checksum(whole), **more}


def said_of(kind, sequence, channel="orderbook", symbol="ACME-USD"):
    return {"type": kind, "channel": channel, "symbol": symbol, "sequence": sequence}


class PlayedSocket:
    def __init__(self):
        self.said = []
        self.incoming = asyncio.Queue()
        self.is_closed = False

    async def send(self, text):
        self.said.append(json.loads(text))

    async def recv(self):
        message = await self.incoming.get()
        if isinstance(message, Exception):
            raise message
        return message if isinstance(message, str) else json.dumps(message)

    async def close(self):
        self.is_closed = True


class PlayedFeed:
    """Sockets that a test answers by hand; waits end at once."""

    def __init__(self, **options):
        self.sockets = []
        self.waits = []

        async def opened():
            self.sockets.append(PlayedSocket())
            return self.sockets[-1]

        async def sleep(seconds):
            self.waits.append(seconds)

        self.connection = FeedConnection(opened, sleep=sleep, now_ms=lambda: 5_000, **options)

    async def __aenter__(self):
        self.task = asyncio.ensure_future(self.connection.run())
        await self.settle()
        return self

    async def __aexit__(self, *_):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    async def settle(self):
        for _ in range(30):
            await asyncio.sleep(0)

    async def tell(self, *messages):
        for message in messages:
            self.sockets[-1].incoming.put_nowait(message)
        await self.settle()

    def subscribed(self, channel="orderbook"):
        return [said for said in self.sockets[-1].said if said["type"] == "subscribe" and said["channel"] == channel]


class ABookThatIsFollowed(unittest.IsolatedAsyncioTestCase):
    async def test_is_fresh_from_its_snapshot_on(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            self.assertEqual(followed.state, "healing")
            await feed.tell(snapshot(3, [[25, 10]]), update(3, 4, [[25, 0], [24.5, 1]], [[24.5, 1]]))
            self.assertEqual((followed.state, [list(map(str, level)) for level in followed.book.bids]), ("fresh", [["24.5", "1"]]))

    async def test_begins_anew_once_where_a_message_is_missing(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            await feed.tell(snapshot(3, [[25, 10]]), update(5, 6, [[24, 1]], []), update(6, 7, [[23, 1]], []))
            self.assertEqual((followed.state, len(feed.subscribed())), ("healing", 2))
            await feed.tell(snapshot(7, [[24, 1]]))
            self.assertEqual((followed.state, followed.book.sequence), ("fresh", 7))

    async def test_begins_anew_where_its_checksum_differs(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            await feed.tell(snapshot(3, [[25, 10]]), update(3, 4, [[24, 1]], [[24, 1]]))
            self.assertEqual((followed.state, len(feed.subscribed())), ("healing", 2))

    async def test_resumes_behind_its_last_sequence_after_a_loss(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            await feed.tell(snapshot(3, [[25, 10]]))
            await feed.tell(OSError("lost"))
            self.assertTrue(feed.sockets[0].is_closed)
            self.assertEqual(feed.subscribed(), [{"type": "subscribe", "channel": "orderbook", "symbol": "ACME-USD", "depth": 50, "resume_from": 3}])
            self.assertEqual(followed.state, "healing")
            await feed.tell(said_of("subscribed", 3))
            self.assertEqual(followed.state, "fresh")

    async def test_a_heartbeat_ahead_of_it_shows_a_loss(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            await feed.tell(snapshot(3, [[25, 10]]), said_of("heartbeat", 4))
            self.assertEqual((followed.state, len(feed.subscribed())), ("healing", 2))

    async def test_says_why_it_is_refused(self):
        async with PlayedFeed() as feed:
            followed = FollowedBook(feed.connection, "ACME-USD")
            await feed.tell({"type": "error", "code": "INVALID_SYMBOL", "message": "no", "channel": "orderbook", "symbol": "ACME-USD"})
            self.assertEqual((followed.refused.code, followed.state), ("INVALID_SYMBOL", "healing"))


class SeveralBooksOfAPair(unittest.IsolatedAsyncioTestCase):
    async def test_share_one_subscription_of_the_greatest_depth_and_each_shows_its_own(self):
        async with PlayedFeed() as feed:
            followed = [FollowedBook(feed.connection, "ACME-USD", depth) for depth in (50, 100, 1)]
            await feed.settle()
            self.assertEqual([said["depth"] for said in feed.subscribed()], [50, 100, 100])
            whole = [[100 - place, 1] for place in range(60)]
            await feed.tell(snapshot(3, whole), update(3, 4, [[100, 2]], [[100, 2], *whole[1:]]))
            shown = [(book.state, len(book.book.bids), int(book.book.bids[0][1])) for book in followed]
            self.assertEqual(shown, [("fresh", 50, 2), ("fresh", 60, 2), ("fresh", 1, 2)])
            followed[1].stop()
            await feed.tell(snapshot(4, whole[:50]))
            self.assertEqual(feed.subscribed()[-1], {"type": "subscribe", "channel": "orderbook", "symbol": "ACME-USD", "depth": 50})
            followed[0].stop()
            await feed.tell(snapshot(5, whole[:1]), OSError())
            self.assertEqual(feed.subscribed(), [{"type": "subscribe", "channel": "orderbook", "symbol": "ACME-USD", "depth": 1, "resume_from": 5}])


class AConnection(unittest.IsolatedAsyncioTestCase):
    async def test_waits_longer_after_each_loss_and_lives_through_rubbish(self):
        async with PlayedFeed(auth=self.proof) as feed:
            for rubbish in ("{", "[]", "1"):
                await feed.tell(rubbish)
            self.assertEqual(feed.waits, [0.5, 1, 2])
            await feed.tell({"type": "authenticated"})
            await feed.tell(OSError())
            self.assertEqual(feed.waits[-1], 0.5)

    async def proof(self):
        return {"api_key": "k", "api_secret": "s"}

    async def test_proves_who_follows_before_it_subscribes(self):
        async with PlayedFeed(auth=self.proof) as feed:
            OwnAccount(feed.connection)
            self.assertEqual(feed.sockets[0].said, [{"type": "auth", "api_key": "k", "api_secret": "s"}])
            await feed.tell({"type": "authenticated"})
            self.assertEqual(feed.subscribed("account"), [{"type": "subscribe", "channel": "account"}])

    async def test_whose_proof_cannot_be_had_tries_again(self):
        async def none():
            raise RuntimeError("no token")

        async with PlayedFeed(auth=none) as feed:
            self.assertGreaterEqual(len(feed.waits), 2)
            self.assertEqual(feed.connection.state, "lost")

    async def test_whose_listener_raises_is_logged_and_opened_again(self):
        heard = []

        def order(message):
            heard.append(message["status"])
            raise KeyError("mine")

        async with PlayedFeed() as feed:
            account = OwnAccount(feed.connection, order=order)
            end = feed.connection.watch(lambda: heard.append(1 // 0))
            with self.assertLogs("edge_exchange.feeds.connection", "ERROR"):
                await feed.tell(ORDERS, BALANCES, change(5, 6, order_id="o", status="filled"))
                self.assertFalse(feed.task.done())
                await feed.tell(said_of("subscribed", 6, "account", "*"))
                end()
            self.assertEqual((heard[0], heard[-1], len(feed.sockets) > 1), ("open", "open", True))
            self.assertEqual(feed.connection.state, "live")
            self.assertIn(account.state, ("fresh", "healing"))

    async def test_that_says_nothing_is_dropped(self):
        async with PlayedFeed(silence_s=0) as feed:
            self.assertTrue(feed.sockets[0].is_closed)

    async def test_answers_pings_and_stops_what_nobody_follows(self):
        async with PlayedFeed() as feed:
            end = feed.connection.follow(Topic("trades", "ACME-USD"), lambda _: None)
            await feed.tell({"type": "ping", "id": 7})
            end()
            await feed.settle()
            self.assertEqual([said["type"] for said in feed.sockets[0].said], ["subscribe", "pong", "unsubscribe"])


ORDERS = {**said_of("orders_snapshot", 5, "account", "*"), "orders": [{"order_id": "o", "status": "open"}], "more": False}
BALANCES = {**said_of("balances_snapshot", 5, "account", "*"), "balances": [{"asset": "USD", "free": 10.5, "locked": 0}]}


def change(before, sequence, kind="order", **fields):
    return {**said_of(kind, sequence, "account", "*"), "prev_sequence": before, **fields}


class TheOwnAccount(unittest.IsolatedAsyncioTestCase):
    async def test_has_orders_and_balances_and_follows_their_changes(self):
        heard = []
        async with PlayedFeed() as feed:
            account = OwnAccount(feed.connection, order=lambda order: heard.append(order["status"]), fill=lambda _: heard.append("fill"))
            await feed.tell(ORDERS, BALANCES, change(5, 6, "fill", order_id="o"), change(6, 7, order_id="o", status="filled"))
            self.assertEqual((account.state, account.orders, str(account.balances["USD"]["free"])), ("fresh", {}, "10.5"))
            self.assertEqual(heard, ["open", "fill", "filled"])

    async def test_begins_anew_at_a_gap_and_says_that_it_was_interrupted(self):
        interrupted = []
        async with PlayedFeed() as feed:
            account = OwnAccount(feed.connection, interrupted=lambda: interrupted.append(True))
            await feed.tell(ORDERS, BALANCES, change(8, 9, order_id="o", status="filled"))
            self.assertEqual((account.state, account.sequence, interrupted, len(feed.subscribed("account"))), ("healing", None, [True], 2))
            await feed.tell({**ORDERS, "sequence": 9, "orders": []}, {**BALANCES, "sequence": 9})
            self.assertEqual((account.state, account.orders), ("fresh", {}))

    async def test_half_a_snapshot_of_a_lost_connection_counts_for_nothing(self):
        async with PlayedFeed() as feed:
            account = OwnAccount(feed.connection)
            await feed.tell({**ORDERS, "more": True})
            await feed.tell(OSError())
            await feed.tell({**ORDERS, "orders": []}, BALANCES)
            self.assertEqual((account.state, account.orders), ("fresh", {}))


class Checksums(unittest.TestCase):
    def test_are_over_the_digits_of_the_message(self):
        for text in ("6e-7", "0.0000017", "0.000051", "99.5", "1e+21", "1.5e+23", "100000", "1.2e-7"):
            self.assertEqual(number_text(parse_json(text)), text)

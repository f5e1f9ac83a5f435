"""Calls: what is sent, and what is read."""

import unittest
from decimal import Decimal

from edge_exchange import BearerCredentials, KeyCredentials, NoAnswer, OutcomeUnknown, RateLimited, Refused, Unauthorized, Unavailable
from edge_exchange.credentials import signature

from .played import PlayedExchange, json_answer, refusal

ORDER = {"symbol": "ACME-USD", "side": "buy", "type": "limit", "price": Decimal("20.10"), "size": 3}
SHOWN = {"symbol": "ACME-USD", "side": "buy", "type": "limit", "size": 3, "price": 20.1, "order_id": "o", "time_in_force": "GTC", "stop_price": None, "expires_at": None, "status": "open"}


class WhatIsSent(unittest.TestCase):
    def test_amounts_go_out_digit_by_digit_and_come_back_as_decimals(self):
        played = PlayedExchange(json_answer(200, '{"price":20.10,"size":9007199254740993}'))
        order = played.client().post_orders({**ORDER, "size": "9007199254740993"})
        self.assertEqual((str(order["price"]), order["size"]), ("20.10", Decimal(9007199254740993)))
        self.assertIn(b'"price":20.10,"size":9007199254740993', played.sent[0].body)

    def test_a_float_for_an_amount_is_an_error_before_anything_is_sent(self):
        played = PlayedExchange()
        for price in (20.1, True, "1e5", Decimal("NaN")):
            with self.assertRaises((TypeError, ValueError)):
                played.client().post_orders({**ORDER, "price": price})
        self.assertEqual(played.sent, [])

    def test_a_key_signs_what_is_sent_and_never_the_same_moment_twice(self):
        played = PlayedExchange(json_answer(200, {}), json_answer(200, {}))
        client = played.client(KeyCredentials("k", "s"))
        for _ in range(2):
            client.get_orders(symbol="Ü/ '", limit=2)
        first, second = (sent.headers for sent in played.sent)
        path = "/book/v1/orders?symbol=%C3%9C%2F%20%27&limit=2"
        self.assertTrue(played.sent[0].url.endswith(path))
        self.assertEqual(first["x-api-signature"], signature("s", "1000000", "GET", path, b""))
        self.assertEqual((first["x-api-timestamp"], second["x-api-timestamp"]), ("1000000", "1000001"))
        self.assertNotIn("idempotency-key", first)

    def test_the_signature_is_the_one_of_the_page(self):
        self.assertEqual(
            signature("local-only-secret", "1750000000000", "POST", "/book/v1/orders?dry=1", b'{"symbol":"ACME-USD","side":"buy"}'),
            "366df4c3871a50990c7017ffe688d33bf6fda1319103452a18187948d04a6e0c",
        )

    def test_a_part_of_a_path_stays_one_part(self):
        played = PlayedExchange(json_answer(200, {}))
        played.client().get_ticker("../a")
        self.assertEqual(played.sent[0].url, "https://exchange.example/book/v1/ticker/..%2Fa")
        for symbol in ("", ".", ".."):
            with self.assertRaises(ValueError):
                played.client().get_ticker(symbol)

    def test_pages_follow_links_and_never_to_another_host(self):
        follows = '</book/v1/orders?cursor=2>; rel="next"'
        played = PlayedExchange(
            json_answer(200, {"orders": [{"order_id": "1"}]}, link=follows),
            json_answer(200, {"orders": []}, link='<https://exchange.example/book/v1/orders?cursor=3>; rel="next"'),
            json_answer(200, {"orders": [{"order_id": "2"}]}, link='<https://evil.example/book/v1/orders>; rel="next"'),
        )
        found = []
        with self.assertRaises(NoAnswer):
            found.extend(order["order_id"] for order in played.client(KeyCredentials("k", "s")).orders(status="all"))
        self.assertEqual(found, ["1", "2"])
        self.assertEqual([sent.url.partition("?")[2] for sent in played.sent], ["status=all", "cursor=2", "cursor=3"])


class WhatBecomesOfAChange(unittest.TestCase):
    def test_every_try_has_the_same_key_and_its_own_signature(self):
        played = PlayedExchange(TimeoutError(), refusal(503, "UNAVAILABLE"), json_answer(200, {"order_id": "o"}))
        self.assertEqual(played.client(KeyCredentials("k", "s")).place_order({**ORDER, "client_order_id": "c"})["order_id"], "o")
        self.assertEqual({sent.headers["idempotency-key"] for sent in played.sent}, {"c"})
        self.assertEqual(len({sent.headers["x-api-signature"] for sent in played.sent}), 3)
        self.assertEqual(played.slept, [0.25, 0.5])

    def test_without_an_answer_the_outcome_is_unknown_and_the_error_has_the_key(self):
        played = PlayedExchange(*[TimeoutError()] * 6)
        with self.assertRaises(OutcomeUnknown) as raised:
            played.client().post_orders(ORDER, idempotency_key="mine")
        self.assertEqual((raised.exception.idempotency_key, raised.exception.is_repeatable), ("mine", True))
        self.assertEqual(len(played.sent), 6)

    def test_a_401_after_a_lost_answer_says_nothing_of_it(self):
        for later in (refusal(401, "UNAUTHORIZED"), refusal(403, "FORBIDDEN")):
            played = PlayedExchange(TimeoutError(), later)
            with self.assertRaises(OutcomeUnknown):
                played.client(KeyCredentials("k", "s")).post_orders(ORDER)

    def test_a_refusal_by_the_key_of_a_lost_try_is_the_outcome(self):
        played = PlayedExchange(TimeoutError(), refusal(422, "INSUFFICIENT_BALANCE"))
        with self.assertRaises(Refused) as raised:
            played.client().post_orders(ORDER)
        self.assertEqual(raised.exception.code, "INSUFFICIENT_BALANCE")

    def test_an_answer_of_success_that_cannot_be_read_counts_as_none(self):
        played = PlayedExchange(json_answer(200, "{"), json_answer(200, {"order_id": "o"}))
        self.assertEqual(played.client().post_orders(ORDER)["order_id"], "o")

    def test_one_without_a_key_is_not_repeated_once_it_may_be_done(self):
        played = PlayedExchange(TimeoutError())
        with self.assertRaises(OutcomeUnknown) as raised:
            played.client().post_orders_cancel_after({"timeout_ms": 30_000})
        self.assertFalse(raised.exception.is_repeatable)
        self.assertNotIn("idempotency-key", played.sent[0].headers)

    def test_an_order_that_stands_already_is_returned_where_every_term_is_the_same(self):
        conflict = refusal(409, "CONFLICT")
        played = PlayedExchange(conflict, json_answer(200, SHOWN | {"price": 20.1}))
        self.assertEqual(played.client().place_order({**ORDER, "client_order_id": "c"})["order_id"], "o")
        other = PlayedExchange(conflict, json_answer(200, SHOWN | {"price": 20.2}))
        with self.assertRaises(Refused):
            other.client().place_order({**ORDER, "client_order_id": "c"})

    def test_an_order_under_a_key_of_other_bytes_is_read_and_another_one_is_a_conflict(self):
        another = refusal(422, "IDEMPOTENCY_CONFLICT")
        for writing in ({"price": "20.1"}, {"size": Decimal("3.0")}, {"time_in_force": "GTC"}):
            played = PlayedExchange(another, json_answer(200, SHOWN))
            self.assertEqual(played.client().place_order({**ORDER, **writing, "client_order_id": "c"})["order_id"], "o")
            self.assertTrue(played.sent[1].url.endswith("/v1/orders/client/c"))
        for change in ({"price": "20.2"}, {"size": 4}, {"side": "sell"}, {"time_in_force": "IOC"}):
            with self.assertRaises(Refused) as raised:
                PlayedExchange(another, json_answer(200, SHOWN)).client().place_order({**ORDER, **change, "client_order_id": "c"})
            self.assertEqual((raised.exception.code, raised.exception.details), ("CONFLICT", {"existing_order_id": "o"}))

    def test_another_request_under_the_key_is_not_that_nothing_was_done(self):
        another = refusal(422, "IDEMPOTENCY_CONFLICT")
        with self.assertRaises(OutcomeUnknown) as raised:
            PlayedExchange(another, refusal(404, "ORDER_NOT_FOUND")).client().place_order({**ORDER, "client_order_id": "c"})
        self.assertEqual((raised.exception.idempotency_key, raised.exception.is_repeatable), ("c", False))
        for answers in ((another,), (TimeoutError(), another)):
            with self.assertRaises(OutcomeUnknown) as raised:
                PlayedExchange(*answers).client().post_orders(ORDER, idempotency_key="c")
            self.assertEqual((raised.exception.is_repeatable, raised.exception.answer.code), (False, "IDEMPOTENCY_CONFLICT"))

    def test_a_cancel_answers_the_order_as_it_stands(self):
        played = PlayedExchange(refusal(409, "ORDER_NOT_CANCELLABLE"), json_answer(200, SHOWN | {"status": "filled"}))
        self.assertEqual(played.client().cancel_called_order("c")["status"], "filled")
        none = PlayedExchange(refusal(404, "ORDER_NOT_FOUND"), refusal(404, "ORDER_NOT_FOUND"))
        self.assertIsNone(none.client().cancel_called_order("c"))


class WhoCalls:
    """A token that a test changes, or that fails."""

    def __init__(self, *tokens):
        self.tokens = list(tokens)

    def access_token(self):
        token = self.tokens.pop(0)
        if isinstance(token, BaseException):
            raise token
        return token

    def renew(self):
        raise OSError("the disk is full")


class WhatNeverGoesOut(unittest.TestCase):
    def test_a_key_that_no_header_can_have_is_an_error_of_the_caller(self):
        for key in ("ордер", "a\nb", ""):
            played = PlayedExchange()
            with self.assertRaises(ValueError) as raised:
                played.client().post_orders(ORDER, idempotency_key=key) if key else played.client().place_order({**ORDER, "client_order_id": "\x00"})
            self.assertEqual(played.sent, [])
            self.assertNotIn(key or "\x00", str(raised.exception))

    def test_a_token_that_no_header_can_have_is_not_told(self):
        played = PlayedExchange()
        with self.assertRaises(NoAnswer) as raised:
            played.client(BearerCredentials(WhoCalls("se\ncret"))).post_orders(ORDER)
        self.assertEqual((played.sent, played.slept), ([], []))
        self.assertNotIn("cret", str(raised.exception))


class WhatACredentialRaises(unittest.TestCase):
    def test_is_an_error_of_the_exchange(self):
        with self.assertRaises(NoAnswer):
            PlayedExchange().client(BearerCredentials(WhoCalls(KeyError("token")))).get_orders()
        with self.assertRaises(NoAnswer):
            PlayedExchange(refusal(401, "UNAUTHORIZED")).client(BearerCredentials(WhoCalls("t"))).get_orders()

    def test_leaves_the_outcome_of_an_earlier_try_unknown(self):
        for played in (PlayedExchange(TimeoutError()), PlayedExchange(TimeoutError(), refusal(401, "UNAUTHORIZED"))):
            with self.assertRaises(OutcomeUnknown) as raised:
                played.client(BearerCredentials(WhoCalls("t", *["t"] * (len(played.answers) - 1), OSError("full")))).post_orders(ORDER, idempotency_key="mine")
            self.assertEqual(raised.exception.idempotency_key, "mine")


class ACallThatIsStopped(unittest.TestCase):
    def stopped(self, played, **options):
        with self.assertRaises(KeyboardInterrupt) as raised:
            played.client(**options).post_orders(ORDER, idempotency_key="mine")
        return getattr(raised.exception, "__notes__", [])

    def test_says_its_key_in_the_middle_of_a_try_and_in_the_pause_after_it(self):
        def pause(_):
            raise KeyboardInterrupt

        self.assertIn("mine", self.stopped(PlayedExchange(KeyboardInterrupt()))[0])
        self.assertIn("mine", self.stopped(PlayedExchange(TimeoutError()), sleep=pause)[0])
        self.assertEqual(self.stopped(PlayedExchange(refusal(429, "RATE_LIMIT_EXCEEDED")), sleep=pause), [])


class Waiting(unittest.TestCase):
    def test_a_429_is_waited_out_as_long_as_it_asks_for_and_15_s_at_most(self):
        limited = refusal(429, "RATE_LIMIT_EXCEEDED", retry_after="2")
        played = PlayedExchange(limited, refusal(429, "RATE_LIMIT_EXCEEDED", retry_after="600"), json_answer(200, {}))
        played.client().get_time()
        self.assertEqual(played.slept, [2, 15])
        with self.assertRaises(RateLimited) as raised:
            PlayedExchange(*[limited] * 2).client(tries_max=2).post_orders(ORDER)
        self.assertEqual(raised.exception.retry_after_s, 2)

    def test_a_call_is_held_back_where_nothing_is_left(self):
        spent = {"x_ratelimit_limit": "10", "x_ratelimit_remaining": "0", "x_ratelimit_reset": "1001"}
        played = PlayedExchange(json_answer(200, {}, **spent), json_answer(200, {}))
        client = played.client()
        client.get_time()
        played.now_ms = 1_000_400.0
        client.get_time()
        self.assertEqual(played.slept, [0.6])

    def test_a_clock_that_is_wrong_is_put_right(self):
        stale = refusal(401, "UNAUTHORIZED", {"reason": "timestamp_stale", "server_time": 1_090_000})
        played = PlayedExchange(stale, json_answer(200, {}))
        client = played.client(KeyCredentials("k", "s"))
        client.get_orders()
        self.assertEqual(client.transport.clock.skew_ms, 90_000)
        self.assertEqual(played.sent[1].headers["x-api-timestamp"], "1090000")

    def test_the_clock_is_measured(self):
        played = PlayedExchange(json_answer(200, {"timestamp": 999_000}))
        self.assertEqual(played.client().measure_clock(), -1_000)

    def test_reads_fail_by_what_is_known(self):
        for answer, kind in ((refusal(500, "INTERNAL"), Unavailable), (refusal(404, "INVALID_SYMBOL"), Refused), (refusal(403, "FORBIDDEN"), Unauthorized)):
            with self.assertRaises(kind):
                PlayedExchange(answer).client(tries_max=1).get_ticker("X")

"""Tokens that stay fresh."""

import unittest

from edge_exchange import BearerCredentials, NoAnswer, OutcomeUnknown, Tokens, TokenSession, Unauthorized

from .played import PlayedExchange, json_answer, refusal


def tokens_answer(name: str):
    return json_answer(200, {"access_token": name, "expires_in": 3600, "refresh_token": f"{name}-refresh"})


def session(iam: PlayedExchange, **options) -> TokenSession:
    return TokenSession("https://exchange.example/iam", "app", send=iam, now_ms=lambda: iam.now_ms, **options)


class ATokenSession(unittest.TestCase):
    def test_buys_one_token_with_the_refresh_token_and_keeps_it_before_it_is_used(self):
        iam, kept = PlayedExchange(tokens_answer("new")), []
        tokens = session(iam, tokens=Tokens("old", 1_050_000, "spent-once"), on_tokens=kept.append)
        self.assertEqual([tokens.access_token(), tokens.access_token()], ["new", "new"])
        self.assertEqual([sent.body for sent in iam.sent], [b"grant_type=refresh_token&refresh_token=spent-once&client_id=app"])
        self.assertEqual([each.refresh_token for each in kept], ["new-refresh"])
        self.assertNotIn("new", repr(kept[0]))

    def test_tries_again_to_keep_what_was_bought(self):
        iam, tries = PlayedExchange(tokens_answer("new")), []

        def keep(tokens):
            tries.append(tokens)
            if len(tries) == 1:
                raise OSError("disk full")

        tokens = session(iam, tokens=Tokens("old", 0, "r"), on_tokens=keep)
        with self.assertRaises(OSError):
            tokens.access_token()
        self.assertEqual(tokens.access_token(), "new")
        self.assertEqual(len(iam.sent), 1)

    def test_renews_once_after_a_401(self):
        iam = PlayedExchange(tokens_answer("one"), tokens_answer("two"))
        credentials = BearerCredentials(session(iam, client_secret="its-secret"))
        played = PlayedExchange(refusal(401, "UNAUTHORIZED"), refusal(401, "UNAUTHORIZED"))
        with self.assertRaises(Unauthorized):
            played.client(credentials).get_orders()
        self.assertEqual([sent.headers["authorization"] for sent in played.sent], ["Bearer one", "Bearer two"])

    def test_says_so_where_nothing_is_left_to_buy_with(self):
        with self.assertRaises(Unauthorized):
            session(PlayedExchange(), tokens=Tokens("old", 0, None)).access_token()
        with self.assertRaises(NoAnswer):
            session(PlayedExchange(json_answer(200, "[]")), client_secret="s").access_token()

    def test_that_fails_after_a_lost_answer_leaves_the_outcome_unknown(self):
        iam = PlayedExchange(tokens_answer("one"), TimeoutError())
        played = PlayedExchange(TimeoutError(), refusal(401, "UNAUTHORIZED"))
        with self.assertRaises(OutcomeUnknown):
            played.client(BearerCredentials(session(iam, client_secret="s"))).delete_orders()

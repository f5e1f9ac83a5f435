"""The network: what is cut, late or closed is no answer."""

import http.client
import itertools
import socket
import threading
import unittest

from edge_exchange import BookClient
from edge_exchange.http import HttpSender

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
WHOLE = HEAD + b"Content-Length: 2\r\n\r\n{}"


class PlayedServer:
    """Each connection gets the next of `answers`: what it writes to the requests of the connection, one after the other, before it closes it."""

    def __init__(self, *answers):
        self._answers = list(answers)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.closed = [threading.Event() for _ in answers]
        self.requests = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        for answers, closed in zip(self._answers, self.closed):
            connection, _ = self._listening.accept()
            with connection:
                for answer in answers:
                    if not connection.recv(65_536):
                        break
                    self.requests += 1
                    if callable(answer):
                        answer(connection)
                    else:
                        connection.sendall(answer)
            closed.set()

    def close(self):
        self._listening.close()


class TheNetwork(unittest.TestCase):
    def served(self, *answers):
        server = PlayedServer(*answers)
        self.addCleanup(server.close)
        return server

    def get(self, sender, server, timeout_s=5.0):
        return sender("GET", f"{server.origin}/book/v1/x", {}, b"", timeout_s)

    def test_an_answer_that_is_cut_is_none(self):
        for cut in (b"Content-Length: 5000\r\n\r\n" + b"a" * 2_000, b"Content-Length: 5\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n9\r\nabc"):
            server = self.served([HEAD + cut])
            with self.assertRaises(http.client.HTTPException):
                self.get(HttpSender(), server)

    def test_one_without_the_json_that_it_promises_is_none(self):
        server = self.served([HEAD + b"Content-Length: 0\r\n\r\n"], [WHOLE])
        client = BookClient(f"{server.origin}/book", sleep=lambda _: None)
        self.assertEqual(client.get_time(), {})
        self.assertEqual(server.requests, 2)

    def test_one_that_drips_is_waited_for_as_long_as_the_whole_call_may_take(self):
        def dripping(connection):
            connection.sendall(HEAD + b"Content-Length: 1000000000\r\n\r\n")
            try:
                while True:
                    connection.sendall(b"a")
            except OSError:
                pass

        server = self.served([dripping])
        looks = itertools.count()
        # Each look at the clock is a second later than the one before.
        with self.assertRaises(TimeoutError):
            self.get(HttpSender(now_s=lambda: float(next(looks))), server, timeout_s=20)
        self.assertEqual(next(looks), 21)

    def test_a_connection_is_kept_and_one_that_the_server_has_closed_is_not_used_again(self):
        server = self.served([WHOLE, WHOLE], [WHOLE])
        sender = HttpSender()
        for _ in range(2):
            self.assertEqual(self.get(sender, server).body, b"{}")
        self.assertTrue(server.closed[0].wait(5))
        self.assertEqual(self.get(sender, server).body, b"{}")
        self.assertEqual(server.requests, 3)

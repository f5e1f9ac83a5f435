"""What an order says to an algorithm."""

import unittest
from decimal import Decimal

from edge_exchange.algorithms import event_of, filled_of, start_iceberg, step_iceberg

TERMS = {"symbol": "A", "side": "buy", "quantity": "1", "limitPrice": "20", "lotSize": "0.0000001", "sizeMin": "0.0000001", "sliceSize": "1", "jitterPercent": 0}


class AnOrder(unittest.TestCase):
    def test_is_told_by_text_without_an_exponent(self):
        shown = {"status": "partially_filled", "filled_size": Decimal("1E-7"), "reason": None}
        event = event_of("run-1", shown)
        self.assertEqual((event["filled"], event["isOver"]), ("0.0000001", False))
        self.assertEqual(filled_of(step_iceberg(start_iceberg("run", TERMS), event)), "0.0000001")
        self.assertTrue(event_of("run-1", shown | {"status": "cancelled"})["isOver"])

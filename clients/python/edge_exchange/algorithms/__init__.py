"""Execution algorithms as pure state machines: `iceberg` and `twap`."""

from .algorithm import Command, Event, State, Terms, commands_of, event_of, filled_of
from .iceberg import IcebergTerms, start_iceberg, step_iceberg
from .twap import TwapTerms, start_twap, step_twap, wake_at_of_twap

__all__ = [
    "Command",
    "Event",
    "IcebergTerms",
    "State",
    "Terms",
    "TwapTerms",
    "commands_of",
    "event_of",
    "filled_of",
    "start_iceberg",
    "start_twap",
    "step_iceberg",
    "step_twap",
    "wake_at_of_twap",
]

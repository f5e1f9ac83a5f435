"""Plays recorded events, JSON on standard input, and prints each state with its commands: the TypeScript library has to say the same."""

import json
import sys

from edge_exchange.algorithms import commands_of, filled_of, start_iceberg, start_twap, step_iceberg, step_twap, wake_at_of_twap

ALGORITHMS = {
    "iceberg": (start_iceberg, step_iceberg, lambda _: None),
    "twap": (start_twap, step_twap, wake_at_of_twap),
}


def played(run):
    start, step, wake_at = ALGORITHMS[run["algorithm"]]
    try:
        state = start(run["id"], run["terms"])
    except ValueError:
        return None
    states = [state]
    for event in run["events"]:
        states.append(step(states[-1], event))
    return [
        {"state": each, "commands": commands_of(each), "filled": filled_of(each), "wakeAt": wake_at(each)} for each in states
    ]


json.dump([played(run) for run in json.load(sys.stdin)], sys.stdout)

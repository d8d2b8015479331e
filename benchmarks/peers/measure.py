"""Rounds in changing order, the minimum of each row."""

from benchmarks.peers import protocol


def measure(processes, rounds, readings, shuffle, progress=lambda fraction: None):
    """Asks all rows of all peers for as many readings, in each round in another order.

    Args:
      processes: {name: protocol.Process}.
      rounds: how often each row is asked.
      readings: how many a row makes when it is asked.
      shuffle: of a list, in place.
      progress: is told the part that is done.

    Returns:
      {(name, row): nanoseconds} and {name: what is wrong with it}. A peer with which something goes
      wrong is asked no more, and has no results: fewer rounds have other minima.
    """
    rows = [(name, row) for name, process in processes.items() for row in process.rows]
    best, lost = {}, {}
    for done in range(rounds):
        order = rows[:]
        shuffle(order)
        for name, row in order:
            if name in lost:
                continue
            try:
                ns = processes[name].ask(row, readings)
            except protocol.Error as error:
                lost[name] = f"{error} (round {done + 1})"
                rows = [other for other in rows if other[0] != name]
                continue
            best[name, row] = min(ns, best.get((name, row), ns))
        progress((done + 1) / rounds)
    return {row: best[row] for row in rows}, lost

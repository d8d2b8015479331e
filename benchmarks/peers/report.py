"""From minima to ratios: a table, JSON, a chart."""

import json
from typing import NamedTuple

# Our peer's row that ratios refer to: the first that it has.
BASELINES = ("raw/vDSO", "raw/syscall")


class Row(NamedTuple):
    name: str
    ns: float
    ratio: float


class Report(NamedTuple):
    baseline: str
    rows: list  # of Row; the baseline first, the rest by owner
    left_out: dict  # {peer: reason}


def report(minima, left_out):
    """Returns the Report of {(peer, row): nanoseconds}, or None when there is no baseline."""
    by_name = {row: ns for (_, row), ns in minima.items()}
    baseline = next((name for name in BASELINES if name in by_name), None)
    if not baseline:
        return None
    names = sorted(by_name, key=lambda name: name != baseline)
    rows = [Row(name, by_name[name], by_name[name] / by_name[baseline]) for name in names]
    return Report(baseline, rows, dict(left_out))


def table(result):
    """Returns lines: a row each, then what was left out."""
    width = max(len(row.name) for row in result.rows)
    unit = f"x {result.baseline}"
    lines = [f"{'':{width}}  {'ns':>8}  {unit}"]
    lines += [f"{row.name:{width}}  {row.ns:8.2f}  {row.ratio:{len(unit)}.3f}" for row in result.rows]
    lines += [f"left out: {peer}: {reason}" for peer, reason in result.left_out.items()]
    return lines


def write_json(result, settings, path):
    """Writes the Report and the settings it was measured with."""
    document = {
        **settings,
        "baseline": result.baseline,
        "results": [row._asdict() for row in result.rows],
        "left_out": result.left_out,
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=2)
        file.write("\n")


def write_svg(result, path):
    """Writes a chart of the ratios. Raises ImportError without matplotlib."""
    import matplotlib  # pylint: disable=import-outside-toplevel

    matplotlib.use("svg")
    from matplotlib import pyplot  # pylint: disable=import-outside-toplevel

    rows = result.rows[::-1]
    ours = ("nanotime/", "raw/")
    colours = ["tab:blue" if row.name.startswith(ours) else "tab:gray" for row in rows]
    figure, axes = pyplot.subplots(figsize=(8, 0.35 * len(rows) + 1), layout="constrained")
    bars = axes.barh([row.name for row in rows], [row.ratio for row in rows], color=colours)
    axes.bar_label(bars, [f"{row.ratio:.2f}" for row in rows], padding=3)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"time of a reading, {result.baseline} = 1 ({result.rows[0].ns:.1f} ns)")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, format="svg")
    pyplot.close(figure)

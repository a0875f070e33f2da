# SPDX-License-Identifier: GPL-2.0-only
"""The parts that bench.py and bench_parallel.py share: logs, results and tables.

A program that imports this module has /usr/bin/python3 -B, so that Python leaves no
compiled module in the source tree.
"""

import json
import os
import sys


def die(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


def die_of_usage():
    die("the text at the top of the program describes the usage")


#
# Logs and results
#

class Result:
    """The JSON of a result: facts, and the figures of one boot.

    A subclass has missing(), which returns the names of the figures without a value.
    """

    def __init__(self, data):
        self.data = data
        self.figures = data["figures"]

    def left_out(self, name):
        return name in self.data["left_out"]

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def write(self):
        """Print the result. A figure without a value is an error."""
        missing = self.missing()
        if missing:
            die("the guest did not measure " + ", ".join(missing))
        json.dump(self.data, sys.stdout, indent=1)
        print()

    def print_left_out(self):
        for name, why in sorted(self.data["left_out"].items()):
            print(f"Without {name}: {why}")


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


class Log:
    """The lines of a guest, up to the end of its job.

    figures   (words, value) of each line with a number after NR_WORDS words
    stats     the lines after "# stats: "
    left_out  the reason why a figure is not measured, by its name
    """

    def __init__(self, lines, nr_words):
        self.figures, self.stats, self.left_out = [], [], {}
        for line in lines:
            if line.startswith("# guest: "):
                break
            words = line.split()
            head, _, rest = line.rstrip().partition(": ")
            if head == "# stats":
                self.stats.append(rest)
            elif head == "# left out":
                name, self.left_out[name] = rest.split(": ", 1)
            elif len(words) == nr_words + 1 and is_number(words[-1]):
                self.figures.append((words[:-1], float(words[-1])))


#
# Tables
#

def ratio(a, b):
    return a / b if a is not None and b else None


def relative(value, none, empty):
    """Return R of a value: 0 without tracing, 1 with the empty callback."""
    if None in (value, none, empty) or empty <= none:
        return None
    return (value - none) / (empty - none)


def shown(value, decimals=0):
    """Return a number as text. A number that is rounded to 0 has no sign."""
    return "-" if value is None else "%.*f" % (decimals, round(value, decimals) + 0.0)


def print_columns(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  " + "  ".join(cells).rstrip())

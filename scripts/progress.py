#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""progress.py RUN TIMES: show the progress of `make check`.

RUN is the directory of the run, see report.sh, and TIMES the directory with the seconds
that each test took in its last run, see check-vm.sh.  On a terminal, one line is redrawn
each second; elsewhere, a line is printed each half minute.  The program ends by a signal,
or with its parent: an orphan would keep the pipe of a dead check open.
"""

import os
import re
import shutil
import signal
import sys
import time

TERMINAL_SECONDS = 1
PIPE_SECONDS = 30

MARK = re.compile(rb'^\[ *([0-9.]+)\] objtracetest: (test\.d/\S+)', re.M)
PLAN = re.compile(rb'^1\.\.([0-9]+)$', re.M)


def contents(path):
    try:
        with open(path, 'rb') as f:
            return f.read()
    except OSError:
        return b''


class Times:
    """The seconds that each test of a group took in its last run."""

    def __init__(self, directory):
        self.directory = directory
        self.known = {}

    def last(self, group, test):
        if group not in self.known:
            lines = contents(os.path.join(self.directory, group)).decode().splitlines()
            self.known[group] = {name: float(seconds) for seconds, name in
                                 (line.split(' ', 1) for line in lines)}
        return self.known[group].get(test)


def guest(run, label, times):
    """Return the test that a guest runs, or None if the group has no guest or no test yet."""
    directory = label.replace(' ', '-')
    console = contents(os.path.join(run, directory, 'console.log'))
    marks = MARK.findall(console)
    plan = PLAN.search(contents(os.path.join(run, directory, 'verdict.log'))[:4096])
    if not marks or not plan:
        return None
    test = marks[-1][1].decode()
    last = times.last(directory, test)
    known = '' if last is None else f', last time {last:.0f} s'
    return f'{len(marks)}/{int(plan[1])} {test[len("test.d/"):]}{known}'


def running(run):
    """Return (start, label) of each group that runs, the oldest first."""
    groups = []
    directory = os.path.join(run, 'running')
    for name in os.listdir(directory) if os.path.isdir(directory) else []:
        start, _, label = contents(os.path.join(directory, name)).decode().strip().partition(' ')
        if label:
            groups.append((int(start), label))
    return sorted(groups)


def line(run, times, begin):
    now = time.time()
    elapsed = int(now - begin)
    parts = []
    for start, label in running(run):
        test = guest(run, label, times)
        parts.append(f'{label}: {test}' if test else f'{label}: {int(now - start)} s')
    return f'{elapsed // 60}:{elapsed % 60:02} ' + ' | '.join(parts)


def main():
    run, times = sys.argv[1], Times(sys.argv[2])
    begin = time.time()
    terminal = sys.stderr.isatty()
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    due = begin + PIPE_SECONDS
    while True:
        time.sleep(TERMINAL_SECONDS)
        if os.getppid() != parent:
            return
        if not terminal and time.time() < due:
            continue
        due = time.time() + PIPE_SECONDS
        text = line(run, times, begin)
        if terminal:
            text = text[:shutil.get_terminal_size().columns - 1]
            print(f'\r\033[K{text}', end='', file=sys.stderr, flush=True)
        else:
            print(f'  {text}', file=sys.stderr, flush=True)


if __name__ == '__main__':
    try:
        main()
    except KeyboardInterrupt:
        pass
    finally:
        if sys.stderr.isatty():
            print('\r\033[K', end='', file=sys.stderr, flush=True)

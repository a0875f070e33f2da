#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""terminal.py CLOCK OBJTRACE FILE: check what report shows on a terminal while it works.

CLOCK is the library of clock.c.  The terminal must get exactly the expected characters.  The script
prints complaints.
"""

import os
import pty
import signal
import sys
import tempfile

READ = b'\r1 records of %s are read; ^C ends this\x1b[K'
WRITTEN = b'\r0 MB of %s are written; ^C ends this\x1b[K'
CLEARED = b'\r\x1b[K'
SECONDS = 3


class Terminal:
    """A program on a terminal of its own"""

    def __init__(self, words, clock, step, output=None):
        self.text = b''
        self.pid, self.terminal = pty.fork()
        if self.pid:
            return
        if output:
            os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT, 0o666), 1)
        environment = dict(os.environ, LD_PRELOAD=clock, CLOCK_STEP=str(step))
        os.execve(words[0], words, environment)

    def read(self):
        """Read the next characters.  Return False at the end."""
        try:
            part = os.read(self.terminal, 4096)
        except OSError:    # the program has closed the terminal
            return False
        self.text += part
        return bool(part)

    def wait_for(self, text):
        while text not in self.text and self.read():
            pass

    def type(self, characters):
        os.write(self.terminal, characters)

    def end(self):
        """Return all characters and the status of the program, as subprocess does."""
        while self.read():
            pass
        return self.text, os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def check(case, found, wanted):
    if found != wanted:
        print('%s: %s, expected %s' % (case, found, wanted))


def check_progress(objtrace, clock, path):
    """A file gets both lines, and each line is removed."""
    lines = READ % path.encode() + CLEARED + WRITTEN
    words = [objtrace, 'report', path, '--json']
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, 'lines')
        found = Terminal(words + ['-o', output], clock, SECONDS).end()
        check('-o', found, (lines % output.encode() + CLEARED, 0))
        found = Terminal(words, clock, SECONDS, output).end()
        check('a redirected report', found, (lines % b'the report' + CLEARED, 0))
        found = Terminal(words, clock, 0, output).end()
        check('a short time', found, (b'', 0))


def check_interrupt(objtrace, clock, path):
    """^C ends a report that waits for the writer of a pipe, and leaves no file."""
    with tempfile.TemporaryDirectory() as directory:
        pipe, output = os.path.join(directory, 'pipe'), os.path.join(directory, 'output')
        os.mkfifo(pipe)
        terminal = Terminal([objtrace, 'report', path, '--btf', pipe, '-o', output], clock, SECONDS)
        terminal.wait_for(CLEARED)
        terminal.type(b'\x03')
        text = READ % path.encode() + CLEARED + b'^C' + CLEARED
        check('^C', terminal.end(), (text, -signal.SIGINT))
        check('^C', os.listdir(directory), ['pipe'])


def main():
    clock, objtrace, path = sys.argv[1:]
    check_progress(objtrace, clock, path)
    check_interrupt(objtrace, clock, path)


main()

#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
r"""Convert between the file of the fuzzer's seeds and a directory of files, one per seed.

Usage:
  seeds.py split SEEDS DIR    write each seed into a file of the new directory DIR
  seeds.py join DIR SEEDS     write all files of DIR into SEEDS

SEEDS is text, with one seed per line.  Lines that begin with "#", and empty lines, are not
seeds.  A byte of a seed is written as \xHH, with two hexadecimal digits, if

  - it is not printable ASCII,
  - it is a backslash, or
  - it is a "#" at the beginning or a space at the end of the line.

The name of each file in DIR is the SHA-1 of the seed, as libFuzzer names them.  The order of
the files, and with it the run of the fuzzer, does not depend on the order of the lines.
"""

import hashlib
import os
import re
import sys
import tempfile

HEAD = """\
# SPDX-License-Identifier: GPL-2.0-only
#
# The seeds of fuzz.sh, one per line.  \\xHH is a byte that is not printable.  seeds.py
# describes the format; `fuzz.sh --keep' adds seeds.
"""

PRINTABLE = re.compile(rb"\\x[0-9a-f]{2}|[ -\[\]-~]")


def die(text):
    sys.exit(f"seeds.py: {text}")


def escape(data):
    line = "".join(chr(byte) if 0x20 <= byte < 0x7f and byte != 0x5c else f"\\x{byte:02x}"
                   for byte in data)
    if line.startswith("#"):
        line = "\\x23" + line[1:]
    if line.endswith(" "):
        line = line[:-1] + "\\x20"
    return line


def unescape(line):
    """Return the bytes of a line, or None if escape() cannot return this line."""
    parts = PRINTABLE.findall(line)
    if b"".join(parts) != line:
        return None
    data = b"".join(bytes([int(part[2:], 16)]) if len(part) > 1 else part for part in parts)
    return data if escape(data).encode() == line else None


def read_seeds(path):
    seeds = {}
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except OSError as error:
        die(error)
    for number, line in enumerate(lines, 1):
        if not line or line.startswith(b"#"):
            continue
        data = unescape(line)
        if data is None:
            die(f"{path}:{number}: not a seed: wrong escape, or a byte without an escape")
        if data in seeds:
            die(f"{path}:{number}: the same seed as in line {seeds[data]}")
        seeds[data] = number
    if not seeds:
        die(f"{path}: no seeds")
    return list(seeds)


def split(path, directory):
    seeds = read_seeds(path)
    # The rename is atomic, because another run may make the same directory
    with tempfile.TemporaryDirectory(dir=os.path.dirname(directory) or ".") as work:
        new = os.path.join(work, "seeds")
        os.mkdir(new)
        for data in seeds:
            with open(os.path.join(new, hashlib.sha1(data).hexdigest()), "wb") as file:
                file.write(data)
        try:
            os.rename(new, directory)
        except OSError:
            if not os.path.isdir(directory):
                raise


def join(directory, path):
    seeds = set()
    for name in os.listdir(directory):
        with open(os.path.join(directory, name), "rb") as file:
            seeds.add(file.read())
    # The fuzzer itself tries the empty input
    lines = sorted(escape(data) for data in seeds if data)
    if not lines:
        die(f"{directory}: no seeds")
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(HEAD + "".join(line + "\n" for line in lines))
    os.rename(path + ".new", path)


def main(args):
    commands = {"split": split, "join": join}
    if len(args) != 3 or args[0] not in commands:
        die("usage: seeds.py split SEEDS DIR, or seeds.py join DIR SEEDS")
    commands[args[0]](*args[1:])


if __name__ == "__main__":
    main(sys.argv[1:])

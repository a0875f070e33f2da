#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""damage.py FILE DIRECTORY NUMBER SEED: write damaged copies of FILE into DIRECTORY.

A third of the copies is cut off, a third has changed bytes, and a third has a block of other
bytes.  The first copies have one changed byte in each place of the header.
"""

import os
import random
import sys

HEADER = 40


def cut(data, rng):
    return data[:rng.randrange(len(data))]


def flip(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 2, 8, 64))):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return data


def overwrite(data, rng):
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice((4, 64, 1024)))
    return data[:start] + rng.randbytes(end - start) + data[end:]


def header(data, place):
    data = bytearray(data)
    data[place] ^= 0xff
    return data


def copies(data, number, rng):
    for place in range(10, HEADER):
        yield 'header-%d' % place, header(data, place)
    ways = (cut, flip, overwrite)
    for i in range(number - (HEADER - 10)):
        way = ways[i % len(ways)]
        yield '%s-%d' % (way.__name__, i), way(data, rng)


def main():
    path, directory, number, seed = sys.argv[1:]
    with open(path, 'rb') as file:
        data = file.read()
    os.mkdir(directory)
    for name, copy in copies(data, int(number), random.Random(int(seed))):
        with open(os.path.join(directory, name), 'wb') as file:
            file.write(copy)


main()

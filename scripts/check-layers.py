#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""check-layers.py [--numbers] [TREE]: check the module's includes and function names.

The table of layers in Documentation/internals.rst names the files of each layer, from the
top down.  The script prints one line for each of these mistakes, and nothing else:

    a file includes a file of a higher layer
    files include each other in a circle
    a folder of a layer has no .c file, or a file is in no layer
    two .c files have a static function of the same name

A .c file and its header count as one file.  With --numbers, the script also prints how
many files and includes there are, and how many includes point upwards or are in a circle.
"""

import collections
import os
import re
import sys

TABLE = 'Documentation/internals.rst'
BEGIN = '.. layers: begin'
END = '.. layers: end'

SOURCE = re.compile(r'\.[chS]$')
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
STATIC = re.compile(r'^static\b[^;={}()]*?\b(\w+)\s*\([^;{}]*\)\s*\n\{', re.M)


def contents(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def read_layers():
    """Return a list of (layer, [files]), from the top down.

    A row of the table has the layer, then literals: a folder ends with a slash, a file has
    no suffix.
    """
    text = contents(TABLE)
    if BEGIN not in text or END not in text:
        sys.exit('%s has no table of layers' % TABLE)
    layers = []
    for line in text.split(BEGIN)[1].split(END)[0].split('\n'):
        files = re.findall(r'``([\w/]+)``', line)
        if files:
            layers.append((line.split('``')[0].strip(), files))
    return layers


def sources(layers):
    """Return the files at the top, and in all folders that can have files of the module."""
    folders = {'.'}
    for _, files in layers:
        folders |= {os.path.dirname(name) or '.' for name in files}
    for name in sorted(os.listdir('.')):
        if os.path.isdir(name) and any(SOURCE.search(f) for f in os.listdir(name)):
            folders.add(name)
    found = []
    for folder in sorted(folders):
        if not os.path.isdir(folder):
            continue
        for name in sorted(os.listdir(folder)):
            if SOURCE.search(name) and not name.endswith('.mod.c'):
                found.append(os.path.normpath(os.path.join(folder, name)))
    return found


def stem(path):
    return path.rsplit('.', 1)[0]


def layer_numbers(layers, paths):
    """Return {stem: number of the layer}, 0 for the lowest layer, and complaints."""
    number = {}
    complaints = []
    for n, (layer, files) in enumerate(reversed(layers)):
        for name in files:
            if name in number:
                complaints.append('%s: %s is in two layers' % (TABLE, name))
            number[name] = n
            if name.endswith('/'):
                known = [p for p in paths if p.startswith(name) and p.endswith(('.c', '.h'))]
                if not [p for p in known if p.endswith('.c') or name == 'include/']:
                    complaints.append('%s: no .c file, but the layer %s has the folder' %
                                      (name, layer))
            elif not [p for p in paths if stem(p) == name]:
                complaints.append('%s: no such file, but the layer %s has it' % (name, layer))
    result = {}
    for path in paths:
        name = stem(path)
        if name not in number and os.path.dirname(name) + '/' not in number:
            complaints.append('%s: in no layer of %s' % (path, TABLE))
            continue
        result[name] = number.get(name, number.get(os.path.dirname(name) + '/'))
    return result, complaints


def find_include(path, name):
    """Return the file that an include names, or None if it does not exist."""
    for folder in (os.path.dirname(path), '.', 'include'):
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(found):
            return found
    return None


def read_includes(paths):
    """Return {stem: {included stem: a file with this include}}, and complaints."""
    arrows = collections.defaultdict(dict)
    complaints = []
    for path in paths:
        for name in INCLUDE.findall(COMMENT.sub('', contents(path))):
            found = find_include(path, name)
            if not found:
                complaints.append('%s: no header %s' % (path, name))
            elif stem(found) != stem(path):
                arrows[stem(path)].setdefault(stem(found), path)
    return arrows, complaints


def upward(arrows, number):
    """Return the includes (from, to) that point to a higher layer."""
    return [(a, b) for a in sorted(arrows) for b in sorted(arrows[a])
            if a in number and b in number and number[b] > number[a]]


def circles(arrows):
    """Return the sets of files that include each other, each as a sorted list."""
    reach = {}
    for start in arrows:
        seen = set()
        todo = [start]
        while todo:
            for name in arrows.get(todo.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    todo.append(name)
        reach[start] = seen
    found = {tuple(sorted(b for b in reach[a] if a in reach.get(b, ())))
             for a in reach if a in reach[a]}
    return sorted(found)


def same_names(paths):
    """Return (name, [files]) of each static function that several .c files define."""
    where = collections.defaultdict(set)
    for path in paths:
        if path.endswith('.c'):
            for name in STATIC.findall(COMMENT.sub('', contents(path))):
                where[name].add(path)
    return sorted((name, sorted(files)) for name, files in where.items() if len(files) > 1)


def main():
    args = [arg for arg in sys.argv[1:] if arg != '--numbers']
    os.chdir(args[0] if args else os.path.join(os.path.dirname(sys.argv[0]), '..'))
    layers = read_layers()
    paths = sources(layers)
    number, complaints = layer_numbers(layers, paths)
    arrows, missing = read_includes(paths)
    up = upward(arrows, number)
    round_trips = circles(arrows)
    names = same_names(paths)
    for line in complaints + missing:
        print(line)
    for a, b in up:
        print('%s: includes %s of a higher layer' % (arrows[a][b], b))
    for files in round_trips:
        print('a circle of includes: %s' % ' '.join(files))
    for name, files in names:
        print('%s: a static function of %s' % (name, ' and of '.join(files)))
    if '--numbers' in sys.argv:
        print('%d layers, %d files, %d includes, %d upwards, %d circles' %
              (len(layers), len(number), sum(len(to) for to in arrows.values()), len(up),
               len(round_trips)))


main()

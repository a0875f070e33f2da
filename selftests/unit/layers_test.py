#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""layers_test.py: check-layers.py finds each mistake in a small tree.  Prints TAP."""

import os
import subprocess
import sys
import tempfile

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                     '../../scripts/check-layers.py')

# A tree of three layers
TREE = {
    'Documentation/internals.rst': '''
.. layers: begin

====  ===============  ====
top   ``main``         the start
mid   ``upper/``       a folder
mid2  ``lower/high``   a file that is not in the layer of its folder
low   ``lower/``       a folder
inc   ``include/``     headers alone
====  ===============  ====

.. layers: end
''',
    'main.c': '#include <linux/init.h>\n#include "upper/one.h"\n#include "lower/two.h"\n',
    'upper/one.c': '#include "lower/two.h"\n#include "upper/one.h"\n'
                   'static int twice(int n)\n{\n\treturn 2 * n;\n}\n',
    'upper/one.h': 'int one(void);\n',
    'upper/other.c': '#include "upper/one.h"\n',
    'lower/high.c': '#include "lower/two.h"\n',
    'lower/two.c': '/* #include "upper/one.h" */\n#include "lower/two.h"\n#include "shared.h"\n'
                   '/* static */ int half(int n)\n{\n\treturn n / 2;\n}\n',
    'lower/two.h': 'int two(void);\n',
    'include/shared.h': '#define SHARED 1\n',
    # A file outside of the module
    'scripts/tool.py': '#include "nowhere.h"\n',
}

# The mistake, {file: its text, or None to remove the file}, and the complaint
CASES = [
    ('a tree without a mistake', {}, ''),
    ('an include that points to a higher layer',
     {'lower/two.c': '#include "upper/alone.h"\n', 'upper/alone.h': ''},
     'lower/two.c: includes upper/alone of a higher layer'),
    ('an include of a header that is in a higher layer than its folder',
     {'lower/two.h': '#include "high.h"\n', 'lower/high.h': '', 'lower/high.c': ''},
     'lower/two.h: includes lower/high of a higher layer'),
    ('an include that points to a higher layer, in assembly',
     {'lower/entry.S': '#include "upper/one.h"\n'},
     'lower/entry.S: includes upper/one of a higher layer'),
    ('a circle in one layer',
     {'upper/one.c': '#include "other.h"\n', 'upper/other.h': ''},
     'a circle of includes: upper/one upper/other'),
    ('a circle of three headers',
     {'lower/a.h': '#include "lower/b.h"\n', 'lower/b.h': '#include "c.h"\n',
      'lower/c.h': '#  include "a.h"\n'},
     'a circle of includes: lower/a lower/b lower/c'),
    ('an empty folder',
     {'upper/one.c': None, 'upper/other.c': None, 'upper/one.h': None,
      'main.c': '#include "lower/two.h"\n'},
     'upper/: no .c file, but the layer mid has the folder'),
    ('a folder that has only headers',
     {'upper/one.c': None, 'upper/other.c': None},
     'upper/: no .c file, but the layer mid has the folder'),
    ('a missing file of the table',
     {'lower/high.c': None},
     'lower/high: no such file, but the layer mid2 has it'),
    ('a folder in no layer',
     {'extra/three.c': ''},
     'extra/three.c: in no layer of Documentation/internals.rst'),
    ('a file at the top in no layer',
     {'more.c': ''},
     'more.c: in no layer of Documentation/internals.rst'),
    ('a missing header',
     {'upper/one.c': '#include "upper/none.h"\n'},
     'upper/one.c: no header upper/none.h'),
    ('two static functions of one name',
     {'lower/two.c': 'static int\ntwice(int n)\n{\n\treturn n + n;\n}\n'},
     'twice: a static function of lower/two.c and of upper/one.c'),
    ('two static functions of one name, on one line each',
     {'lower/two.c': 'static __always_inline int twice(int n,\n\t\t\tint m)\n{\n}\n'},
     'twice: a static function of lower/two.c and of upper/one.c'),
]


def run(changes):
    """Return the output of the check for a changed tree, and its exit status."""
    with tempfile.TemporaryDirectory() as tree:
        files = dict(TREE, **changes)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(tree, path)), exist_ok=True)
            if text is not None:
                with open(os.path.join(tree, path), 'w', encoding='utf-8') as file:
                    file.write(text)
        done = subprocess.run([CHECK, tree], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
    return done.stdout.strip(), done.returncode


def main():
    number = 0
    failed = False
    for what, changes, complaint in CASES:
        number += 1
        said, status = run(changes)
        good = said == complaint and not status
        failed |= not good
        print('%s %d %s: %s' % ('ok' if good else 'not ok', number, what,
                                'a complaint' if complaint else 'no complaint'))
        if not good:
            print('\n'.join('# ' + line for line in said.split('\n')))
    said, status = run({'Documentation/internals.rst': ''})
    number += 1
    good = status and 'has no table of layers' in said
    failed |= not good
    print('%s %d no table: the check fails' % ('ok' if good else 'not ok', number))
    print('1..%d' % number)
    sys.exit(failed)


main()

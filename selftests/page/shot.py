#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""shot.py PAGE PNG [light|dark [FRAGMENT [WIDTH HEIGHT]]]

Write a picture of a page of objtrace report, as Chromium shows it.
"""

import os
import sys

from browser import Browser

DEFAULTS = ['light', '', '1280', '900']


def main():
    page, png, *rest = sys.argv[1:]
    scheme, fragment, width, height = rest + DEFAULTS[len(rest):]
    browser = Browser(int(width), int(height))
    try:
        browser.prefer(scheme)
        browser.open('file://' + os.path.realpath(page) + fragment)
        browser.screenshot(png)
        for complaint in browser.complaints:
            print(complaint, file=sys.stderr)
    finally:
        browser.close()


main()

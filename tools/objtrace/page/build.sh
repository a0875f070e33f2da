#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# build.sh VERSION FILE	write the page without its data: one file, with the style and the scripts
# build.sh --check	fail, with a message, if this machine lacks a tool or a library
#
# esbuild puts the scripts and the parts of d3 that they use into one file. Both are packages of
# Debian. On another system, `npm ci' in this directory installs them.

set -eu
cd_to=$(dirname "$0")

# Print the path of esbuild, or fail.
find_esbuild() { command -v "$PWD/node_modules/.bin/esbuild" || command -v esbuild; }

find_library() {	# find_library NAME
	for dir in "$PWD/node_modules" /usr/share/nodejs; do
		if [ -e "$dir/$1/package.json" ]; then return; fi
	done
	return 1
}

check() {
	missing=
	find_esbuild >/dev/null || missing=" esbuild"
	for library in d3-scale d3-zoom; do
		find_library $library || missing="$missing node-$library"
	done
	[ -n "$missing" ] || return 0
	echo "report --html will be missing: its page needs the packages$missing" >&2
	return 1
}

hash_of() {	# hash_of FILE: print its hash for a content security policy
	sha256sum "$1" | cut -c1-64 | tr a-f A-F | basenc --base16 -d | base64
}

# esbuild adds the licences of the libraries only if their sources have them
bundle() {	# bundle DIR
	NODE_PATH=/usr/share/nodejs "$(find_esbuild)" main.js --bundle --minify --format=iife \
		--target=es2020 --charset=ascii --log-level=warning --outfile="$1/script"
	"$(find_esbuild)" page.css --minify --charset=ascii --log-level=warning --outfile="$1/style"
	# The text of a tag ends without a line feed
	for part in script style; do printf %s "$(cat "$1/$part")" >"$1/$part.text"; done
}

# Replace each line that is @NAME@ by a file, and the other places by a word.
fill() {	# fill DIR VERSION
	awk -v dir="$1" -v version="$2" \
		-v script="sha256-$(hash_of "$1/script.text")" \
		-v style="sha256-$(hash_of "$1/style.text")" '
		function print_file(name,	line, rest) {
			while ((getline line < name) > 0) {
				printf "%s%s", rest, line
				rest = "\n"
			}
		}
		/^@STYLE@/ { printf "<style>"; print_file(dir "/style.text"); print "</style>"; next }
		/^@SCRIPT@/ { printf "<script>"; print_file(dir "/script.text"); print "</script>"; next }
		/^@LICENSE@/ { print_file("LICENSE.d3"); print ""; next }
		{
			sub(/@SCRIPT-HASH@/, script)
			sub(/@STYLE-HASH@/, style)
			sub(/@VERSION@/, version)
			print
		}' page.html
}

if [ "${1:-}" != --check ]; then output=$(realpath "$2"); fi
cd "$cd_to"
check
if [ "$1" = --check ]; then exit; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle "$work"
fill "$work" "$1" >"$work/page"
mv "$work/page" "$output"

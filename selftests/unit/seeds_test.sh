#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# seeds_test.sh: the seeds of the fuzzer survive as text, and a file without seeds is an
# error. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

UNIT=$TOP/selftests/unit
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=$WORK/tree

seeds() { "$UNIT/seeds.py" "$@" 2>&1; }

# Each byte in the middle, at the beginning and at the end of a seed.
all_bytes() {
	mkdir "$WORK/bytes"
	/usr/bin/python3 - "$WORK/bytes" <<-'END'
		import sys
		for byte in range(256):
		    for i, data in enumerate([b"a%cb", b"%cb", b"a%c", b"%c"]):
		        with open("%s/%d-%d" % (sys.argv[1], byte, i), "wb") as file:
		            file.write(data % byte)
	END
	seeds join "$WORK/bytes" "$WORK/bytes.seeds"
	seeds split "$WORK/bytes.seeds" "$WORK/split"
	diff <(cd "$WORK/bytes" && sha1sum -- * | cut -d ' ' -f 1 | sort -u) \
		<(cd "$WORK/split" && sha1sum -- * | sed -n 's/^\([^ ]*\)  \1$/\1/p' | sort)
	LC_ALL=C grep -n '[^ -~]' "$WORK/bytes.seeds" || true
}

# The output of --keep without new inputs.
same_file() {
	seeds split "$UNIT/parse_fuzz.seeds" "$WORK/all"
	seeds join "$WORK/all" "$WORK/again"
	diff "$UNIT/parse_fuzz.seeds" "$WORK/again"
}

refused() {	# refused TEXT-OF-SEEDS WHAT-IT-SAYS
	local said
	printf '%s\n' "$1" >"$WORK/bad"
	if said=$(seeds split "$WORK/bad" "$WORK/none"); then echo "split it"; fi
	[[ $said == *"$2"* ]] || echo "the output is: $said"
	[ ! -e "$WORK/none" ] || echo "a directory was left"
}

# fuzz.sh stops before it builds the fuzzer.
fuzz_fails() {	# fuzz_fails WHAT-IT-SAYS
	local said
	if said=$(OBJTRACE_CACHE=$WORK/cache FUZZ_RUNS=1 "$TREE/selftests/unit/fuzz.sh" 2>&1); then
		echo "fuzz.sh passed"
	fi
	[[ $said == *"$1"* ]] || echo "the output is: $said"
	[[ $said == *"cannot split"* ]] || echo "the output is: $said"
}

copy_tree() {
	mkdir "$TREE"
	(cd "$TOP" && find . -name .git -prune -o -type f ! -name '*.o' ! -name '*.cmd' -print0 |
		cpio --quiet -0 -pdm "$TREE")
}

tap "$(all_bytes)" "a seed with any byte survives, and the file is text"
tap "$(same_file)" "a file that is split and joined is the same file"
tap "$(refused '# one' 'no seeds')" "a file with comments only is refused"
tap "$(refused 'add:\xgg' ':1: not a seed')" "a wrong escape is refused"
tap "$(refused "add:$(printf '\t')" ':1: not a seed')" "a byte that needs an escape is refused"
tap "$(refused $'add\nadd' ':2: the same seed')" "a repeated seed is refused"
copy_tree
: >"$TREE/selftests/unit/parse_fuzz.seeds"
tap "$(fuzz_fails 'no seeds')" "fuzz.sh fails if the file of seeds is empty"
rm "$TREE/selftests/unit/parse_fuzz.seeds"
tap "$(fuzz_fails parse_fuzz.seeds)" "fuzz.sh fails if the file of seeds is missing"
echo "1..$CASES"

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that skip files without complaints: the cache keeps the names and checksums of the
# files that a check found good. A file is checked again if the file, the check or one of its
# tools changes. Sourced after lib.sh, never run.

# Days that the list of a check stays in the cache without a use
GOOD_DAYS=30

# Choose the list of a check. Standard input has all input of the check except the file.
good_init() {	# good_init CHECK
	GOOD=$CACHE/good/$1-$(sha256sum | cut -c1-16)
	mkdir -p "$GOOD"
	touch "$GOOD"
	find "$CACHE/good" -mindepth 1 -maxdepth 1 -mtime +$GOOD_DAYS -exec rm -rf {} +
}

good_mark() { echo "$GOOD/$1-${2//\//_}"; }	# good_mark CHECKSUM FILE

# Print the "CHECKSUM FILE" lines on stdin whose files are not in the list.
not_known_good() {
	local sum file
	while read -r sum file; do
		if [ ! -e "$(good_mark "$sum" "$file")" ]; then echo "$sum $file"; fi
	done
}

keep_good() {	# "CHECKSUM FILE" lines from stdin
	local sum file
	while read -r sum file; do touch "$(good_mark "$sum" "$file")"; done
}

# Run COMMAND on the files on stdin that are not in the list, and print its complaints. The
# checksums are taken before the check, because a file may change during the check.
check_unknown() {	# check_unknown COMMAND...
	local sums out
	sums=$(xargs -r -d '\n' sha256sum | not_known_good)
	if [ -z "$sums" ]; then return; fi
	if out=$(cut -d' ' -f2- <<<"$sums" | xargs -d '\n' "$@" 2>&1) && [ -z "$out" ]; then
		keep_good <<<"$sums"
	else
		echo "${out:-$1 failed}"
	fi
}

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# How `make check` collects and counts results: in the directory $RUN, and $JOBS
# at a time. Sourced after lib.sh. What has passed in the run $KEPT, if that is
# set, is taken from there.

# Whether all that a group told in the run $KEPT is good.
has_passed() {	# has_passed NAME
	[ -n "${KEPT:-}" ] && [ -s "$KEPT/results/$1" ] && ! grep -q -v '^ok ' "$KEPT/results/$1"
}

# Run a command that prints "ok|not ok|skip NAME" lines; keep them under LABEL.
# Whatever it is that keeps a command from saying anything is a failure.
group() {	# group LABEL COMMAND...
	local label=$1 name=${1//[ \/]/_} status=0
	local file=$RUN/raw/$name
	shift
	mkdir -p "$RUN/raw" "$RUN/results"
	if has_passed "$name"; then
		cp "$KEPT/results/$name" "$RUN/results/$name"
		flock "$RUN/output" cat "$RUN/results/$name"
		return
	fi
	"$@" >"$file.out" 2>"$file.err" || status=$?
	if [ "$status" -ne 0 ] && ! grep -q '^not ok' "$file.out"; then
		echo "not ok ended with status $status" >>"$file.out"
	fi
	if ! grep -q -E '^(ok|not ok|skip) ' "$file.out"; then
		echo "not ok ran nothing" >>"$file.out"
	fi
	sed -n -E "s%^(ok|not ok|skip) (.*)%\1 $label: \2%p" "$file.out" >"$RUN/results/$name"
	(
		flock 8
		cat "$RUN/results/$name"
		if grep -q '^not ok' "$file.out"; then tail -n 160 "$file.err" | sed 's/^/    /'; fi
	) 8>"$RUN/output"
}

# Plain TAP, numbered, to the lines that group() wants.
tap_lines() {
	"$@" | sed -E -e 's/^(ok|not ok) [0-9]+ *(- )?/\1 /' -e 's/^ok (.*# *SKIP.*)/skip \1/I'
}

# Begin a call, as soon as fewer than $JOBS of them are running.
STARTED=0
start() {	# start COMMAND...
	mkdir -p "$RUN/done" "$RUN/results"
	while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
	STARTED=$((STARTED + 1))
	(set -e; "$@" </dev/null; touch "$RUN/done/$STARTED") &
}

# Run the calls that are read from stdin, and wait for all that were begun. One that did
# not come to its end has not reported, and so is reported here.
in_parallel() {
	local line i
	# shellcheck disable=SC2086  # the words of a line
	while read -r line; do start $line; done
	wait
	for ((i = 1; i <= STARTED; i++)); do
		if [ ! -e "$RUN/done/$i" ]; then
			echo "not ok job $i: did not come to its end" | tee -a "$RUN/results/jobs"
		fi
	done
}

count() { cat "$RUN"/results/* 2>/dev/null | grep -c "^$1 .*: " || true; }

summary() {
	local passed failed skipped
	passed=$(count ok)
	failed=$(count "not ok")
	skipped=$(count skip)
	say "  logs: $RUN"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ] && [ "$passed" -gt 0 ]
}

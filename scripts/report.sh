# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions that run jobs for `make check`, $JOBS at a time, and that collect and count their
# results in the directory $RUN. Groups in $RUN/kept passed in an earlier run, and keep their
# results. Sourced after lib.sh, never run.
#
#	$RUN/raw/NAME.out, .err	the output of a group
#	$RUN/results/NAME	its results, a line each
#	$RUN/kept/NAME		the same of an earlier run, in which the group passed
#	$RUN/running/NAME	start and label of a group that runs, for progress.py
#	$RUN/jobs		wall and CPU seconds and the call of each job that ended
#	$RUN/key		checksum of the sources and settings, for a run that goes on with this one
#	$RUN/booted-again	a line for each guest that QEMU spoilt, see vm-run.sh

# Write the checksum of the sources and of the settings on stdin. The file appears when it is
# complete.
write_key() {
	{
		cat
		(cd "$TOP" && find . -path ./.git -prune -o -type f -print0 | sort -z | xargs -0 sha256sum)
	} | sha256sum >"$RUN/key.new"
	mv "$RUN/key.new" "$RUN/key"
}

# Print the directory of the last other run of this name with the same checksum. Names do not tell
# which of two runs in the same second was the last.
last_run() {	# last_run NAME
	grep -l -x -F -f "$RUN/key" "$CACHE/logs/$1"-2*/key | grep -v -x -F "$RUN/key" |
		xargs -r stat -c '%.Y %n' | sort -n | tail -n 1 | cut -d ' ' -f 2 | xargs -r dirname || true
}

# With RESUME, go on with the last run that had the same checksum: set KEPT, and keep the results
# of its groups that passed, in that run or in an earlier one. This run may be interrupted, too.
resume() {	# resume NAME
	local file
	if [ -z "${RESUME:-}" ]; then return; fi
	KEPT=$(last_run "$1")
	say "  resuming ${KEPT:-nothing: no run has the same sources, settings and kernels}"
	if [ -z "$KEPT" ]; then return; fi
	mkdir -p "$RUN/kept"
	for file in "$KEPT"/kept/* "$KEPT"/results/*; do
		if [ -s "$file" ] && ! grep -q -v '^ok ' "$file"; then cp "$file" "$RUN/kept/"; fi
	done
}

# Run a command that prints "ok|not ok|skip NAME" lines, and store them under LABEL. A command
# that prints no such line is a failure, and so is a command that fails without a "not ok".
group() {	# group LABEL COMMAND...
	local label=$1 name=${1//[ \/]/_} status=0
	local file=$RUN/raw/$name
	shift
	mkdir -p "$RUN/raw" "$RUN/results"
	if [ -e "$RUN/kept/$name" ]; then
		cp "$RUN/kept/$name" "$RUN/results/$name"
		flock "$RUN/output" cat "$RUN/results/$name"
		return
	fi
	mkdir -p "$RUN/running"
	echo "$EPOCHSECONDS $label" >"$RUN/running/$name"
	"$@" >"$file.out" 2>"$file.err" || status=$?
	rm "$RUN/running/$name"
	if [ "$status" -ne 0 ] && ! grep -q '^not ok' "$file.out"; then
		echo "not ok ended with status $status" >>"$file.out"
	fi
	if ! grep -q -E '^(ok|not ok|skip) ' "$file.out"; then
		echo "not ok ran nothing" >>"$file.out"
	fi
	sed -n -E "s%^(ok|not ok|skip) (.*)%\1 $label: \2%p" "$file.out" >"$RUN/results/$name"
	(
		flock 8
		# Overwrite the line of progress.py
		if [ -t 1 ]; then printf '\r\033[K'; fi
		cat "$RUN/results/$name"
		if grep -q '^not ok' "$file.out"; then tail -n 160 "$file.err" | sed 's/^/    /'; fi
	) 8>"$RUN/output"
}

# Run a command, and convert its numbered TAP to the lines that group() reads.
tap_lines() {
	"$@" | sed -E -e 's/^(ok|not ok) [0-9]+ *(- )?/\1 /' -e 's/^ok (.*# *SKIP.*)/skip \1/I'
}

# Wait until fewer than $JOBS jobs are running, and start a job.
STARTED=0
start() {	# start COMMAND...
	mkdir -p "$RUN/done" "$RUN/results"
	while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do wait -n || true; done
	STARTED=$((STARTED + 1))
	(set -e; begin=$EPOCHSECONDS; "$@" </dev/null; keep_time "$begin" "$*"; touch "$RUN/done/$STARTED") &
}

# Append the wall and the CPU seconds of this job to $RUN/jobs. The job runs in a subshell, so
# times counts only this job.
keep_time() {	# keep_time BEGIN CALL
	times >"$RUN/done/times.$BASHPID"
	awk -v wall=$((EPOCHSECONDS - $1)) -v call="$2" '
		NR == 2 {
			split($0, t, /[ms ]+/)
			printf "%d %.1f %s\n", wall, 60 * (t[1] + t[3]) + t[2] + t[4], call
		}' "$RUN/done/times.$BASHPID" >>"$RUN/jobs"
}

# Run the jobs on stdin, one call per line, and wait for all jobs. A job that died cannot
# report a failure, so report it here. stdin must be a file: bash also waits for the last process
# substitution, and waits forever if that ended before bash had noted it.
in_parallel() {
	local line i
	# shellcheck disable=SC2086  # the words of a line
	while read -r line; do start $line; done
	wait
	for ((i = 1; i <= STARTED; i++)); do
		if [ ! -e "$RUN/done/$i" ]; then
			echo "not ok job $i: died" | tee -a "$RUN/results/jobs"
		fi
	done
}

count() { cat "$RUN"/results/* 2>/dev/null | grep -c "^$1 .*: " || true; }

# Sort jobs by the times of their last runs, the longest first: a long job at the end would
# leave a CPU without work. Jobs without a last run come first, in their order.
longest_first() {	# longest_first TIMES <CALLS
	awk -v times=<(sed "s# TOP/# $TOP/#g" "$1" 2>/dev/null) '
		BEGIN {
			while ((getline line < times) > 0) {
				wall = line + 0
				sub(/^[^ ]+ [^ ]+ /, "", line)
				last[line] = wall
			}
		}
		{ printf "%d %s\n", $0 in last ? last[$0] : 100000 - NR, $0 }' | sort -s -rn -k1,1 | cut -d ' ' -f 2-
}

# Store the times of the jobs for longest_first() in the next run, which can be that of another
# checkout. Jobs that did not run keep their times.
keep_times() {	# keep_times TIMES
	[ -e "$RUN/jobs" ] || return 0
	touch "$1"
	awk '{ call = $0; sub(/^[^ ]+ [^ ]+ /, "", call); line[call] = $0 }
		END { for (call in line) print line[call] }' \
		"$1" <(sed "s# $TOP/# TOP/#g" "$RUN/jobs") >"$RUN/job-times.new"
	mv "$RUN/job-times.new" "$1"
}

booted_again() {
	local file=$RUN/booted-again
	echo "  guests that QEMU spoilt and that were booted again: $(if [ -e "$file" ]; then wc -l <"$file"; else echo 0; fi)"
	if [ -e "$file" ]; then sed 's/^/    /' "$file"; fi
}

summary() {
	local passed failed skipped
	passed=$(count ok)
	failed=$(count "not ok")
	skipped=$(count skip)
	booted_again
	say "  logs: $RUN"
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] && [ "$skipped" -eq 0 ] && [ "$passed" -gt 0 ]
}

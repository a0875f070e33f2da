# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Check that objtrace records each call while other tracers come and go on the same functions,
# for kprobes.tc and tracers.tc.

BESIDE=$TRACEFS/instances/beside	# of the other tracers
COUNTED=$TRACEFS/instances/counted	# of objtrace
COMMAND=objtrace:add:obj,0x8
CALLS=32	# of each function on each CPU, in one run
RUNS=1500	# at most, whose records fit into $BUFFER_KB
BUFFER_KB=8192

# Runs until the file stop exists.  The file ended shows that it ended, or failed.
come_and_go_in_turns()
{
	trap ': > "$TMPDIR/ended"' EXIT
	while [ ! -e "$TMPDIR/stop" ]; do
		come_and_go
		echo >> "$TMPDIR/rounds"
	done
}

# In the conditions of its callers, "set -e" does not end the test
rounds()
{
	[ ! -e "$TMPDIR/ended" ] && wc -l < "$TMPDIR/rounds"
}

# The first entry of ott_add() with an object adds it
expect_all_calls()	# TIMES
{
	read_stats
	[ "$(stat_of "$TMPDIR/stats" hits.recorded "trigger: counted ott:add $COMMAND")" = \
		$((2 * CALLS * (2 * $1 - 1))) ]
	cat "$COUNTED/trace" > "$TMPDIR/read"
	sed -e '/^#/d' -e 's/.*: objtrace_/objtrace_/' -e 's/ \[objtrace_target\]//g' "$TMPDIR/read" |
		awk '{ seen[$0]++ } END { for (line in seen) print seen[line], line }' > "$TMPDIR/seen"
	for n in 0 1 2 3 4 5 6 7; do
		object=$(address_of M$n)
		grep " object:$object " "$TMPDIR/seen" > "$TMPDIR/of_one"
		expect_list "$TMPDIR/of_one" <<-EOF
			1 objtrace_add: object:$object value:0x$n event:ott:add
			$(($1 - 1)) objtrace_value: ott_add <-ott_both object:$object value:0x$n
			$1 objtrace_value: ott_take <-ott_both object:$object value:0x$n
		EOF
	done
	[ "$(count_lines '^1 objtrace_add: ' "$TMPDIR/seen")" = $((2 * CALLS)) ]
	[ "$(count_lines "^$(($1 - 1)) objtrace_value: ott_add " "$TMPDIR/seen")" = $((2 * CALLS)) ]
	[ "$(count_lines "^$1 objtrace_value: ott_take " "$TMPDIR/seen")" = $((2 * CALLS)) ]
	[ "$(wc -l < "$TMPDIR/seen")" = $((6 * CALLS)) ]
}

prepare_neighbours()
{
	load_objtrace
	load_target
	echo 'ott_*' > $FILTER
	mkdir "$BESIDE" "$COUNTED"
	echo $BUFFER_KB > "$COUNTED/buffer_size_kb"
	probe_add
}

# Call come_and_go() of the test in a loop, and record the calls of two CPUs until two of its
# calls began and ended.  A second run has entries of ott_add() that do not add an object.
record_with_neighbours()
{
	: > "$TMPDIR/rounds"
	(come_and_go_in_turns) &
	neighbours=$!

	# objtrace comes and goes, too
	run loop
	for _ in 1 2; do
		echo "$COMMAND" > "$COUNTED/$ADD"
		echo "!$COMMAND" > "$COUNTED/$ADD"
	done
	run stop
	: > "$COUNTED/trace"

	# objtrace stays, and the calls are counted
	echo "$COMMAND" > "$COUNTED/$ADD"
	first=$(rounds)
	times=0
	while now=$(rounds) && { [ "$now" -lt $((first + 2)) ] || [ $times -lt 2 ]; }; do
		if [ $times -ge $RUNS ]; then
			sleep 0.1
			continue
		fi
		run race_both $CALLS
		times=$((times + 1))
	done
	[ "$now" -ge $((first + 2)) ]
	: > "$TMPDIR/stop"
	wait $neighbours
	echo 0 > "$COUNTED/tracing_on"
	expect_all_calls $times
}

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Load by other tasks, beside a test that requires the program hackbench.

start_load()	# start tasks that wake each other and end, until there is the file "stop"
{
	rm -f "$TMPDIR/stop"
	while [ ! -e "$TMPDIR/stop" ]; do
		hackbench -g 1 -f 2 -l 500
	done > /dev/null &
	load=$!
}

stop_load()
{
	: > "$TMPDIR/stop"
	wait $load
}

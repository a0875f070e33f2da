# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Free tracked objects, and look for hints of after-free.

AFTER_FREE=objtrace:add:obj:u8:after-free

# The objects LEFT0, LEFT1, ... and PART0, PART1, ... of the scenarios leave and leave_part
renew_left()
{
	run take_left
	read_names
}

expect_hints()	# OBJECT...: fail unless the trace has one hint of each object, and empty it
{
	for object in "$@"; do
		echo "objtrace_after_free: ott_take <-ott_visits object:$object freed_by:ott_free_cached (hint)"
	done > "$TMPDIR/wanted"
	expect_trace < "$TMPDIR/wanted"
}

expect_no_tombstones()	# fail if a freed object still leaves hints
{
	read_stats
	[ "$(stat_of "$TMPDIR/stats" tombstones.created)" = "$(stat_of "$TMPDIR/stats" tombstones_ended)" ]
	run visit
	expect_hints
}

has_count()	# NAME NUMBER: of the trigger $AFTER_FREE on ott:add
{
	read_stats
	[ "$(stat_of "$TMPDIR/stats" "$1" "trigger: $(instance_name) ott:add $AFTER_FREE")" = "$2" ]
}

# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Run objtrace(1), and compare its whole output.

# Print what sessions of objtrace(1) make and remove.  The triggers are those of the events that
# the tests use.
tracefs_state()
{
	ls instances events
	cat dynamic_events synthetic_events set_event set_event_pid
	grep -H '^[^#]' $STATIC events/task/task_rename/trigger || true
}

# The name of a session is not known before it exists
has_selection()	# PATTERN
{
	cat instances/$1/trigger 2> /dev/null | grep -q hist:
}

# Times, addresses of objects and numbers of sessions differ between runs.
plain_session()
{
	sed -E -e 's/^  \+[0-9]+\.[0-9]{6}  /  +T  /' \
		-e 's/^(object .*), [0-9.]+ (ns|us|ms|s), /\1, T, /' \
		-e 's/0xf[0-9a-f]{15}/ADDRESS/g' -e 's/objtrace_[0-9]+_[0-9]+/SESSION/g'
}

# Wait until a session with a probe selects objects
wait_for_probe()
{
	wait_until has_selection 'objtrace_*:objtrace_*/events/objtrace_*/objtrace_*'
}

# Print the output for the member value of the object in the scenario chain
chain_session()
{
	cat <<-EOF
		object 1: struct ott_object ADDRESS
		  +T  0x10                         added at ott_add(a1)
		  +T  0x10 -> 0x20                 after ott_step1 <- ott_chain, seen at ott_step2 <- ott_step1
		  +T  0x20 -> 0x30                 after ott_step2 <- ott_step1, seen at ott_take <- ott_chain
		  +T  0x30 -> 0x40                 after ott_take <- ott_chain, seen at ott_take <- ott_chain
		  +T  not freed yet, 5 hits
		1 object, 3 functions, 5 hits, nothing lost
	EOF
}

# Run objtrace(1).  Fail unless it exits with STATUS, prints exactly the lines of stdin, messages
# included, and leaves tracefs as it was.
expect_objtrace()	# STATUS ARGUMENT...
{
	sed 's/^[	]*//' > "$TMPDIR/expected_output"
	expected_status=$1
	shift
	tracefs_state > "$TMPDIR/state_before"
	status=0
	objtrace "$@" > "$TMPDIR/output" 2>&1 < /dev/null || status=$?
	cat "$TMPDIR/output"
	[ "$status" = "$expected_status" ]
	plain_session < "$TMPDIR/output" > "$TMPDIR/plain_output"
	diff -u "$TMPDIR/expected_output" "$TMPDIR/plain_output"
	tracefs_state | diff -u "$TMPDIR/state_before" -
}

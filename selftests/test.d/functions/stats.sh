# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=dash
# Read objtrace/stats and compare its counts.

# In each block, the count X is the sum of all counts X.NAME.
stats_add_up()	# STATS
{
	awk '
		function check(name) {
			for (name in sum)
				if (name != "skipped" && value[name] "" != sum[name] "") {
					print head " " name ": " value[name] ", not " sum[name]
					wrong = 1
				}
			split("", value)
			split("", sum)
		}
		/^[^ ]/ { check(); head = $0; next }
		{
			name = $1
			sub(/:$/, "", name)
			value[name] = $2
			dot = index(name, ".")
			if (dot)
				sum[substr(name, 1, dot - 1)] += $2
			seen++
		}
		END { check(); exit wrong || !seen }' "$1"
}

stat_of()	# STATS NAME [HEAD]: print a count of the block with this first line, or of total:
{
	awk -v name="$2:" -v head="${3:-total:}" '
		/^[^ ]/ { on = $0 == head }
		on && $1 == name { print $2; exit }' "$1"
}

expect_stats()	# STATS HEAD: fail unless the block has all of stdin, lines "NAME NUMBER"
{
	# On arm64, functions without BTF may add hits, see FORGET_UNKNOWN
	more=
	[ "$MACHINE" != aarch64 ] || more='^(hits|hints)'
	sed 's/^[	]*//' > "$TMPDIR/stats.expected"
	awk -v head="$2" -v more="$more" '
		FILENAME == ARGV[1] { name[++nr] = $1; least[nr] = $2; next }
		/^[^ ]/ { on = $0 == head; next }
		on { sub(/:$/, "", $1); value[$1] = $2 }
		END {
			for (i = 1; i <= nr; i++) {
				seen = value[name[i]]
				if (more != "" && name[i] ~ more && seen + 0 > least[i] + 0)
					seen = least[i]
				print name[i], seen
			}
		}' "$TMPDIR/stats.expected" "$1" > "$TMPDIR/stats.seen"
	diff -u "$TMPDIR/stats.expected" "$TMPDIR/stats.seen"
}

instance_name()	# print the instance of the working directory as stats and objects show it
{
	case $PWD in
	*/instances/*) echo "${PWD##*/}" ;;
	*) echo . ;;
	esac
}

read_stats()	# copy stats to $TMPDIR/stats, and check the sums
{
	cat "$TRACEFS/objtrace/stats" > "$TMPDIR/stats"
	stats_add_up "$TMPDIR/stats"
}

expect_counts()	# EVENT COMMAND: fail unless stats has all of stdin for this trigger
{
	read_stats
	expect_stats "$TMPDIR/stats" "trigger: $(instance_name) $1 $2"
}

# The count hits.recorded is the number of objtrace_value and objtrace_change records in the
# trace.  The total keeps the counts of the removed trigger.
remove_counted()	# TRIGGER-FILE EVENT COMMAND
{
	block="trigger: $(instance_name) $2 $3"
	echo 0 > tracing_on
	read_stats
	[ "$(count_lines ' objtrace_\(value\|change\): ' trace)" = "$(stat_of "$TMPDIR/stats" hits.recorded "$block")" ]
	for name in fired fired.added hits.recorded; do
		echo "$name $(stat_of "$TMPDIR/stats" $name)"
	done > "$TMPDIR/kept"
	echo "!$3" > "$1"
	read_stats
	expect_stats "$TMPDIR/stats" total: < "$TMPDIR/kept"
	[ -z "$(stat_of "$TMPDIR/stats" fired "$block")" ]
	: > trace
	echo 1 > tracing_on
}

# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v list=FILE -v objects=FILE -v known=FILE -f truth.awk
#
# Compare the lines of stdin, a trace without context, with the lines of the list, and print up
# to 20 differences. objects: lines "NAME ADDRESS"; known: functions that the BTF has.
#
# pahole 1.25 and newer leaves some functions with an __int128, or with a result in memory, out
# of the BTF. objtrace compares all registers of such a function, and the contents of the
# registers are not predictable. So the records of these functions are dropped from both sides,
# and subtracted from the hits. So are records of interrupts, see FORGET_UNKNOWN in
# functions/trace.sh.

function next_wanted() {
	if ((getline wanted < list) <= 0)
		wanted = "no more records"
}

function object_of(line) {
	return substr(line, index(line, "object:") + 7, 1)
}

# The second word of a record is the function.
function is_unknown(line, word) {
	split(line, word, " ")
	if (word[1] != "objtrace_value:")
		return 0
	if (word[2] ~ /^ott_t[0-9]/)
		return !(word[2] in is_known)
	return word[2] !~ /^ott_/ && line ~ / arg[0-9][?] /
}

# Subtract the hits of dropped records from an objtrace_del record.
function without(line, number, at) {
	at = index(line, " hits:")
	return substr(line, 1, at + 5) substr(line, at + 6) - number
}

function is_same(line, object, same) {
	if (line !~ /^objtrace_del: / || wanted !~ /^objtrace_del: /)
		return line == wanted
	object = object_of(line)
	same = seen_left[object] >= wanted_left[object] &&
	       without(line, seen_left[object]) == without(wanted, wanted_left[object])
	seen_left[object] = wanted_left[object] = 0
	return same
}

function check(line) {
	while (is_unknown(wanted)) {
		wanted_left[object_of(wanted)]++
		next_wanted()
	}
	if (is_unknown(line)) {
		seen_left[object_of(line)]++
		nr_left++
		return
	}
	if (!is_same(line)) {
		print "line " NR ": " line
		print "should be: " wanted
		nr_wrong++
	}
	next_wanted()
}

BEGIN {
	while ((getline line < objects) > 0) {
		split(line, word, " ")
		name[word[2]] = word[1]
	}
	while ((getline line < known) > 0)
		is_known[line] = 1
	next_wanted()
}

# Nearly all lines are objtrace_value records, which are last in the alphabet.  They end in the
# first branch, which calls no function: calls take long.
{
	at = index($0, "object:0x")
	line = substr($0, 1, at + 6) name[substr($0, at + 7, 18)] substr($0, at + 25)
	if (line == wanted && line > "objtrace_value") {
		if ((getline wanted < list) <= 0)
			wanted = "no more records"
		next
	}
	if (/^#/)
		next
	check(at && name[substr($0, at + 7, 18)] != "" ? line : $0)
	if (nr_wrong == 20)
		exit
}

END {
	if (wanted != "no more records" && !nr_wrong) {
		print "missing: " wanted
		nr_wrong++
	}
	print nr_left + 0 " records of functions that are not known were left out"
	exit nr_wrong > 0
}

# SPDX-License-Identifier: GPL-2.0-only
#
# awk -v list=FILE -v objects=FILE -v known=FILE -f truth.awk
#
# Whether the lines of stdin, a trace without context, are those of the list, one by one;
# says which of them are not, up to 20. objects: lines "NAME ADDRESS"; known: functions
# that the BTF has.
#
# What pahole has left out of the BTF (1.25 and newer: some functions with a __int128, or
# with a result in memory) objtrace does not know. All that is in the registers of these
# functions counts, and what that is nobody knows, so their records are left out on both
# sides, and so are those of interrupts, as in forget_unknown(). Hits are compared without
# them.

function next_wanted() {
	if ((getline wanted < list) <= 0)
		wanted = "no more records"
}

function object_of(line) {
	return substr(line, index(line, "object:") + 7, 1)
}

# Of a record, which has the function as its second word
function is_unknown(line, word) {
	split(line, word, " ")
	if (word[1] != "objtrace_value:")
		return 0
	if (word[2] ~ /^ott_t[0-9]/)
		return !(word[2] in is_known)
	return word[2] !~ /^ott_/ && line ~ / arg[0-9][?] /
}

# An objtrace_del without the hits that were left out
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

# Nearly all lines end in the first branch: those of values, which are last in the alphabet.
# Whatever is called there takes long.
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

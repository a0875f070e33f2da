# SPDX-License-Identifier: GPL-2.0-only
#
# Print the records of `trace-cmd report -R`, as trace_cmd.tc prints those of the file trace.
# The program in $FUNCTION_AT, with function_at(), precedes this one, and reads its first file.

function named(text) {
	if (sub(/^0x/, "", text))
		return function_at(text)
	sub(/[^A-Za-z0-9_.].*/, "", text)
	return text
}
function call(ip, parent_ip) {
	return named(is[ip]) " <-" named(is[parent_ip])
}
function shown(hexadecimal, decimal, name) {
	if (is[name] != "")
		return is[name]
	return is["format"] ~ /1$/ ? is[decimal] : is[hexadecimal]
}
function change() {
	return " object:" is["object"] " value:" shown("old", "sold", "old_name") \
		"->" shown("value", "svalue", "name")
}
BEGIN { split("trigger del clear free", reasons) }
{
	split("", is)
	for (i = 1; i <= NF; i++) {
		split($i, part, "=")
		is[part[1]] = part[2]
	}
	object = "object:" is["object"]
	unsure = is["unsure"] ~ /1$/ ? " (or a call in it)" : ""
}
/ objtrace_add: / {
	print object, "value:" shown("value", "svalue", "name"), "event:" is["event"]
}
/ objtrace_value: / {
	print call("ip", "parent_ip"), object, "value:" shown("value", "svalue", "name")
}
/ objtrace_change: / {
	first = is["how"] ~ /1$/ ? "objtrace_add" : call("ip", "parent_ip")
	last = is["how"] ~ /5$/ ? " within" unsure :
		" seen at: " call("seen_ip", "seen_parent_ip")
	print first change() last
}
/ objtrace_return: / {
	print call("ip", "parent_ip") change(), "ret:" is["ret"] unsure
}
/ objtrace_write: / { print named(is["ip"]) change() }
/ objtrace_watch: / { print object, "cpus:" is["cpus"] + 0 }
/ objtrace_after_free: / { print call("ip", "parent_ip"), object }
/ objtrace_del: / {
	print object, "reason:" reasons[is["reason"] + 1], "hits:" is["hits"]
}

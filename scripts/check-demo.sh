#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-demo.sh ARCH
#
# Run the demo. Check that it runs the commands of README.rst's worked example, and that its
# records have the same values in the same order.

. "$(dirname "$0")/lib.sh"

readme_session() {
	sed -n '/^A worked example/,/^Two commands/s/^    //p' "$TOP/README.rst"
}

commands() { grep '^# '; }

# Functions, addresses and times differ between kernels. The lines of objtrace(1) begin with a time.
values() {
	sed -n -E -e 's/^(objtrace_[a-z]+): (.* )?object:0x[0-9a-f]+ value:([0-9]+) .*/\1 \3/p' \
		-e 's/^  \+[0-9.]+  (0x[0-9a-f]+( -> 0x[0-9a-f]+)?) .*/\1/p' \
		-e 's/^  \+[0-9.]+  (kfree_skb): .* (reason: [A-Z_]+)$/\1 \2/p'
}

# Print complaints about the files that the last lines name.
wrong_files() {
	local page picture
	page=$(sed -n 's/^page: *//p' <<<"$output")
	picture=$(sed -n 's/^picture: *//p' <<<"$output")
	[ "$(tail -n 2 <<<"$output" | cut -d: -f1 | xargs)" = "page picture" ] || echo "other last lines"
	[ "$(sed -n 1p "$page")" = '<!DOCTYPE html>' ] || echo "no page in '$page'"
	[ "$(tail -n 1 "$page")" = '</html>' ] || echo "the page has no end"
	grep -q '^{"number":1,.*"type":"sk_buff","member":"len"' "$page" || echo "no packet in the page"
	xml_error "$picture"
	grep -q '<title>struct sk_buff 0x.* -&#62; len</title>' "$picture" || echo "no packet in the picture"
}

[ $# -eq 1 ] || die "usage: check-demo.sh ARCH"
output=$(ARCH=$1 "$TOP/scripts/demo.sh")
result "$(diff <(readme_session | commands) <(commands <<<"$output"))" \
	"the commands of the README's example"
result "$(diff <(readme_session | values) <(values <<<"$output"))" \
	"the packets have the lengths and the reason of the README's example"
result "$(grep -q '^objtrace_del: .* reason:free ' <<<"$output" || echo "$output")" \
	"the packet ends when it is freed"
result "$(grep -q '^1 object, .* nothing lost$' <<<"$output" || echo "$output")" \
	"objtrace follow loses nothing"
result "$(wrong_files)" "the demo writes the page and the picture of a packet"

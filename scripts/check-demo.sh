#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-demo.sh ARCH
#
# Run the demo, and see that it does what the README's worked example shows: the
# same commands, with the same results but for addresses, tasks and times.

. "$(dirname "$0")/lib.sh"

# The commands of a session; where the member lies differs between kernels.
commands() {
	sed -n -E 's/^(    )?# ((insmod|cd|echo|cat|rmmod) .*)/\2/p' |
		sed -E 's/,0x[0-9a-f]+:/,OFFSET:/'
}

readme_session() {
	sed -n '/^A worked example/,/^Two commands/p' "$TOP/README.rst"
}

[ $# -eq 1 ] || die "usage: check-demo.sh ARCH"
output=$(ARCH=$1 "$TOP/scripts/demo.sh")
result "$(diff <(readme_session | commands) <(commands <<<"$output"))" \
	"the commands of the README's example"
result "$(grep -q ' objtrace_add: object:0x' <<<"$output" || echo "$output")" \
	"a bio is added"
values=$(sed -n -E 's/.* objtrace_value: .* value:(0x[0-9a-f]+)$/\1/p' <<<"$output" | sort -u | wc -l)
result "$([ "$values" -ge 2 ] || echo "$output")" "its bi_size changes"

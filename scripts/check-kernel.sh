#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-kernel.sh ROW ARCH
#
# Check the module for one kernel without running it:
#	- the module builds without a warning
#	- the path of a function that receives no object writes no memory, and the path to a record
#	  writes only the memory in hit-stores.tbl, see miss-path.py; not with KASAN or KCSAN, for
#	  which the compiler adds calls to each access, and not with PROVE_RCU, which stores that it
#	  warned; with clang, only the first of the two
#	- the kernel has the layout that its row covers, and all options of selftests/config
#	- the kernel accepts the kprobes of the tests
#	- on arm64, the module makes no indirect call; check-ibt.sh checks that on x86-64

. "$(dirname "$0")/lib.sh"

warnings() { grep -m3 -i -E 'warning|skipping btf' "$BUILD/build.log" || true; }

stores() {	# stores [TABLE]
	CROSS_COMPILE=$(cross_prefix "$ARCH") "$TOP/scripts/miss-path.py" "$BUILD/objtrace.ko" \
		"$@" 2>&1 || echo "miss-path.py failed"
}

# Print the indirect calls. Only the functions that call the probes of tracepoints may have
# such calls. If this scan misses these calls, it is broken.
pointer_calls() {
	"$(cross_prefix arm64)objdump" -d --no-show-raw-insn "$BUILD/objtrace.ko" | awk -F '\t' '
		/^[0-9a-f]+ <.*>:$/ { name = substr($1, 18) }
		$2 !~ /^blr/ { next }
		name ~ /^<__traceiter_/ { seen++; next }
		{ print name " " $2 " " $3 }
		END { if (!seen) print "the scan found no indirect call at all" }'
}

# Print the page offset of each WARN() in the init text of the guest's modules.
warned_places() {	# warned_places ROW ARCH
	local path objdump
	objdump=$(cross_prefix "$2")objdump
	"$TOP/scripts/guest-modules.sh" "$1" "$2" | while read -r path; do
		xz -dcf "$path" >"$WORK/module.ko" || exit
		"$objdump" -h "$WORK/module.ko" >"$WORK/sections" || exit
		# Some modules have no init text
		if ! grep -q -F ' .init.text ' "$WORK/sections"; then continue; fi
		"$objdump" -d -j .init.text "$WORK/module.ko" >"$WORK/text" || exit
		awk '/\t(brk|ud2)/ { sub(/:/, "", $1); print substr("000" $1, length($1) + 1) }' "$WORK/text"
	done | sort -u
}

# Print "OFFSET NAME" lines for each function that a test probes: the page offset of its start,
# and the offset 4 bytes further. If the function starts with a landing pad, the kprobe is set
# after these 4 bytes.
probed_places() {	# probed_places ARCH
	local names address name
	names=$(
		grep -rhoE 'objtrace_target:ott_[a-z0-9_]+' "$TOP/selftests/test.d"
		grep -hoE '^OTT_PROBED [^(]*' "$TOP/selftests/test_modules/target/functions.c"
	)
	names=$(grep -oE 'ott_[a-z0-9_]+' <<<"$names" | sort -u)
	"$(cross_prefix "$1")nm" "$BUILD/selftests/test_modules/objtrace_target.ko" |
		awk '$2 ~ /[tT]/ { print $1, $3 }' | grep -w -F "$names" |
		while read -r address name; do
			address=0x${address: -3}
			printf '%03x %s\n' $((address)) "$name" $((address + 4 & 0xfff)) "$name"
		done | sort
}

# Print the functions of objtrace_target that a kernel may refuse to probe. If objtrace_target
# is loaded where the kernel freed the init text of a module, the kernel may take a function
# for a WARN() of that text. See OTT_PROBED in selftests/test_modules/target/functions.c.
refused_probes() {	# refused_probes ROW ARCH
	probed_places "$2" >"$WORK/probed"
	[ -s "$WORK/probed" ] || echo "no probed function in objtrace_target.ko"
	warned_places "$1" "$2" >"$WORK/warned" || echo "cannot read the modules that a guest loads"
	join "$WORK/warned" "$WORK/probed" | sed 's/$/: the kernel may take it for a WARN()/'
}

# A kernel of own-kernels.tbl may lack options that single tests need: check.sh leaves out these
# tests.
options() {
	local lacking except=
	lacking=$("$TOP/scripts/needed-config.sh" "$ARCH" "$(meta "$ROW" "$ARCH" kdir)/include/config/auto.conf" 2>&1)
	if [ "$ROW_CHECK" = own ]; then
		except=$(awk -F '\t' '$2 == "tests" { print $1 }' <<<"$lacking" | xargs)
		lacking=$(awk -F '\t' '$2 != "tests"' <<<"$lacking")
	fi
	result "$lacking" "the kernel has each option of selftests/config${except:+, except $except, whose tests are left out}"
}

is_instrumented() {
	local option
	for option in KASAN KCSAN PROVE_RCU; do
		if [ "$(kconfig "$ROW" "$ARCH" $option)" = y ]; then return; fi
	done
	false
}

# binutils finds wrong functions in clang's debug information, so only gcc's stores of a hit are
# compared with the table.
check_stores() {
	if is_instrumented; then return; fi
	case $ROW_CC in
	clang-*)	result "$(stores)" "a miss writes no memory" ;;
	*)
		result "$(stores "$TOP/scripts/hit-stores.tbl")" \
			"a miss writes no memory, and a hit only memory that no other object's hit writes"
		;;
	esac
}

[ $# -eq 2 ] || die "usage: check-kernel.sh ROW ARCH"
ROW=$1
ARCH=$2
row_load "$1" "$2"
cache_init
layout=$(meta "$1" "$2" layout)
if [ "$layout" = "$ROW_LAYOUT" ]; then
	echo "ok struct event_command is $layout"
else
	echo "not ok struct event_command is $layout, the row covers $ROW_LAYOUT"
fi
options
WORK=$(mktemp -d "$CACHE/check-kernel.XXXXXX")
trap 'rm -rf "$WORK"' EXIT
BUILD=$("$TOP/scripts/build-module.sh" "$1" "$2")
[ -e "$BUILD/objtrace.ko" ] || die "no objtrace.ko was built"
result "$(warnings)" "builds without a warning (W=1)"
check_stores
if [ "$2" = arm64 ]; then result "$(pointer_calls)" "makes no indirect call"; fi
result "$(refused_probes "$1" "$2")" "the kernel cannot take a probed function for a WARN()"

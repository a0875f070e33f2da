#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# build-kernel-test.sh: build-kernel.sh builds a kernel once, and only with all options of its
# fragments. check.sh runs the selftests that the kernel can pass. make, the compiler, the source
# and the guests are stubs. Prints TAP.

. "$(dirname "$0")/../../scripts/lib.sh"

# The caller may have set ARCH and KERNEL for make check
unset ARCH KERNEL OBJTRACE_REFRESH

WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
TREE=$WORK/tree
OWN=$WORK/cache/own
CONFIG=$WORK/config
export WORK CONFIG

stub() {	# stub NAME: a program that stands in for the system's, from stdin
	mkdir -p "$WORK/bin"
	{ echo '#!/bin/bash'; cat; } >"$WORK/bin/$1"
	chmod +x "$WORK/bin/$1"
}

# A tree with one row, and a cache with the source of version 1.
make_tree() {
	mkdir -p "$TREE/selftests/kernels" "$OWN/row-x86_64" "$OWN/source-1"
	cp -r "$TOP/scripts" "$TREE/"
	echo 'row x86_64 bookworm 6.12 gcc-12 merged 8 tests first second' >"$TREE/scripts/own-kernels.tbl"
	printf '%s\n' '# Needed by objtrace:' CONFIG_A=y '# B=n' '# Needed by no test:' CONFIG_MAYBE=y \
		'# Needed by the guest:' CONFIG_C=y >"$TREE/selftests/config"
	echo CONFIG_D=m >"$TREE/selftests/config.x86_64"
	printf '%s\n' CONFIG_E=4 '# CONFIG_F is not set' >"$TREE/selftests/kernels/first.config"
	echo '# CONFIG_C is not set' >"$TREE/selftests/kernels/second.config"
	echo 1 >"$OWN/row-x86_64/version"
	good_config
	stub gcc-12 <<<'echo gcc-12 12.2.0'
	stub dpkg-query <<<'echo -n installed'
	# shellcheck disable=SC2016  # expanded in the stub
	stub ../tree/scripts/own-kernel.sh <<<'echo "own-kernel.sh $*" >>"$WORK/calls"'
	stub make <<-'EOF'
	for word; do
		case $word in
		O=*) build=${word#O=} ;;
		KBUILD_RUN_COMMAND=*) mkdir -p "${word##* }/arch/x86/boot" "${word##* }/include/config" ;;
		esac
	done
	echo "make $([[ $* != *VARIABLE=value* ]] || echo "VARIABLE=value ")${!#%%=*}$([ ! -e "$build/x.o" ] || echo " again")" >>"$WORK/calls"
	case ${!#} in
	allnoconfig)	cp "$CONFIG" "$build/.config" ;;
	all)
		if [ -e "$WORK/break" ]; then echo "x.c:1: error: broken"; touch "$build/x.o"; exit 2; fi
		mkdir -p "$build/arch/x86/boot" "$build/include/config" "$build/drivers"
		touch "$build/vmlinux" "$build/arch/x86/boot/bzImage" "$build/drivers/d.ko" \
			"$build/include/config/auto.conf"
		echo drivers/d.o >"$build/modules.order"
		;;
	esac
	EOF
	# shellcheck disable=SC2016  # expanded in the stub
	stub objcopy <<<'cp "$2" "$3"'
}

good_config() {
	printf '%s\n' CONFIG_A=y '# CONFIG_C is not set' CONFIG_D=m CONFIG_E=4 >"$CONFIG"
}

# Sets SAID and CALLS
build_kernel() {	# build_kernel [OPTION]
	: >"$WORK/calls"
	SAID=$(PATH="$WORK/bin:$PATH" OBJTRACE_CACHE="$WORK/cache" "$TREE/scripts/build-kernel.sh" \
		"$@" row x86_64 2>&1 >"$WORK/out") || SAID="failed: $SAID"
	CALLS=$(sort -u "$WORK/calls" | xargs)
}

ADOPTED="own-kernel.sh --row row $OWN/row-x86_64"

calls() {	# calls NAME EXPECTED
	tap "$([ "$CALLS" = "$2" ] || echo "called: $CALLS, said: $SAID")" "$1"
}

refuses() {	# refuses NAME TEXT
	tap "$([[ $SAID == "failed: "*"$2"* ]] || echo "said: $SAID")" "$1"
}

build_tests() {
	local all="make KBUILD_RUN_COMMAND make all make allnoconfig $ADOPTED"
	build_kernel
	calls "a kernel is built and handed on" "$all"
	tap "$(cd "$OWN/row-x86_64" && ls vmlinux arch/x86/boot/bzImage drivers/d.ko .config 2>&1 >/dev/null)" \
		"the result has the image, the modules and the configuration"
	tap "$(ls -d "$OWN"/*.build "$OWN"/*.new 2>/dev/null)" "a build leaves no directory behind"
	build_kernel
	calls "a kernel that was built is not built again" "$ADOPTED"
	echo "# a comment" >>"$TREE/selftests/kernels/second.config"
	build_kernel
	calls "a kernel whose fragments have another comment is not built again" "$ADOPTED"
	echo "# CONFIG_OTHER is not set" >>"$TREE/selftests/kernels/second.config"
	build_kernel
	calls "a kernel whose fragments changed is built again" "$all"
	stub gcc-12 <<<'echo gcc-12 12.2.1'
	build_kernel
	calls "a kernel whose compiler changed is built again" "$all"
	touch "$WORK/break"
	stub gcc-12 <<<'echo gcc-12 12.2.2'
	build_kernel
	refuses "a build that fails" "x.c:1: error: broken"
	rm "$WORK/break"
	build_kernel
	calls "a build that failed is continued" \
		"make KBUILD_RUN_COMMAND again make all again make allnoconfig again $ADOPTED"
}

config_tests() {
	build_kernel --config
	tap "$(grep -q -x "$OWN/row-x86_64.build/.config" "$WORK/out" || echo "said: $SAID, $(cat "$WORK/out")")" \
		"--config prints the file of the configuration"
	sed -i '/CONFIG_E/d' "$CONFIG"
	build_kernel --config
	refuses "a configuration that lost an option" ".config: CONFIG_E=4"
	good_config
	sed -i 's/CONFIG_D=m/CONFIG_D=y/' "$CONFIG"
	build_kernel --config
	refuses "an option with another value" ".config: CONFIG_D=m"
	good_config
	echo CONFIG_F=y >>"$CONFIG"
	build_kernel --config
	refuses "an option that must be off" ".config: CONFIG_F=n"
	good_config
}

# "needed" leaves out the options that only single tests need, and "# make:" sets a variable of make.
fragment_tests() {
	sed -i 's/ tests first second$/ needed first/' "$TREE/scripts/own-kernels.tbl"
	printf '%s\n' '# Needed by test.d/some.tc:' CONFIG_G=y '# Needed by test.d:' CONFIG_H=y \
		>>"$TREE/selftests/config"
	echo '# make: VARIABLE=value' >>"$TREE/selftests/kernels/first.config"
	printf '%s\n' CONFIG_A=y CONFIG_C=y CONFIG_D=m CONFIG_E=4 >"$CONFIG"
	build_kernel --config
	refuses "an option that all tests need" ".config: CONFIG_H=y"
	echo CONFIG_H=y >>"$CONFIG"
	build_kernel
	calls "a fragment sets a variable of make" \
		"make KBUILD_RUN_COMMAND make VARIABLE=value all make allnoconfig $ADOPTED"
}

# Each row of the real table has its fragments, and a name that kernels.tbl does not have.
table_tests() {
	local wrong
	wrong=$(own_rows | while read -r row arch _ _ _ layout slow names; do
		[ -n "$names" ] && [[ $slow =~ ^[1-9][0-9]*$ ]] && [[ $layout =~ ^(split|merged)$ ]] || echo "$row $arch: a column"
		if row_names | grep -x -F "$row"; then echo "in kernels.tbl, too"; fi
		for name in $names; do
			[[ $name =~ ^(tests|needed)$ ]] || [ -e "$TOP/selftests/kernels/$name.config" ] || echo "$row: no $name.config"
		done
	done)
	tap "$wrong" "own-kernels.tbl has fragments for each row"
	tap "$(cd "$TOP/selftests/kernels" && for file in *.config; do
		own_rows | grep -w "${file%.config}" >/dev/null || echo "no row has $file"; done)" "each fragment has a row"
	tap "$(diff <(select_rows debug 2>&1) <(own_rows | sed -n 's/^\(debug\) *\([^ ]*\) .*/\1 \2/p'))" \
		"KERNEL=debug selects the debug kernels"
	tap "$(select_rows all | grep -w debug)" "KERNEL=all selects none of the project's own kernels"
	SAID=$(OBJTRACE_CACHE="$WORK/cache" "$TREE/scripts/build-kernel.sh" 6.12-new x86_64 2>&1) || SAID="failed: $SAID"
	refuses "a kernel of Debian is not built" "6.12-new x86_64 is no row of scripts/own-kernels.tbl"
}

# A tree whose check.sh boots no guest: $WORK/calls gets the tests of each guest.
make_check_tree() {
	local script kernel=$WORK/cache/kernels/row-x86_64 name
	for script in deps fetch-kernel fetch-guest fetch-programs fetch-qemu check-kernel check-layout \
			check-ibt matrix; do
		stub ../tree/scripts/$script.sh <<<'echo "ok it"'
	done
	stub ../tree/scripts/progress.py <<<'exec sleep 1000'
	# shellcheck disable=SC2016  # expanded in the stub
	stub ../tree/scripts/check-vm.sh <<<'echo $4: $TESTS >>"$WORK/calls"; echo "ok it"'
	echo false >"$TREE/scripts/unit-tests.lst"
	mkdir -p "$kernel/include/config" "$TREE/selftests/test.d/third"
	printf '%s\n' "kdir=$kernel" layout=merged >"$kernel/meta"
	printf 'CONFIG_%s\n' A=y C=y D=m E=4 H=y >"$kernel/include/config/auto.conf"
	cp "$TOP/selftests/objtracetest" "$TREE/selftests/"
	for name in some other third/x; do
		echo "# description: $name" >"$TREE/selftests/test.d/$name.tc"
	done
	echo '# flags: two-cpus' >>"$TREE/selftests/test.d/third/x.tc"
	echo '# flags: long' >"$TREE/selftests/test.d/third/long.tc"
}

checks() {	# checks NAME EXPECTED [VARIABLE=VALUE]
	: >"$WORK/calls"
	SAID=$(env "PATH=$WORK/bin:$PATH" "OBJTRACE_CACHE=$WORK/cache" KERNEL=row "${@:3}" \
		"$TREE/scripts/check.sh" 2>&1) || SAID="failed: $SAID"
	CALLS=$(sort "$WORK/calls" | paste -sd';')
	calls "$1" "$2"
}

check_tests() {
	make_check_tree
	# The option G is needed by test.d/some.tc
	checks "a test whose option the kernel lacks is left out" \
		"1: test.d/other.tc;2: test.d/third/x.tc"
	tap "$(grep -x '7 passed, 0 failed, 0 skipped' <<<"$SAID" >/dev/null || echo "$SAID")" \
		"an own kernel runs no test that needs no kernel"
	checks "TESTS selects tests on an own kernel" "1: test.d/some.tc" TESTS=test.d/some.tc
	echo '# tests: test.d/third/*.tc test.d/some.tc' >>"$TREE/selftests/kernels/first.config"
	checks "a fragment names the tests, also those with the flag long" \
		"1: test.d/third/long.tc;2: test.d/third/x.tc"
	printf 'CONFIG_G=y\n' >>"$WORK/cache/kernels/row-x86_64/include/config/auto.conf"
	sed -i '/^# tests:/d' "$TREE/selftests/kernels/first.config"
	# A slow kernel has several guests
	checks "a kernel that lacks nothing runs all tests" \
		"1: test.d/other.tc;1: test.d/some.tc;2: test.d/third/x.tc"
	echo '# also: test.d/third/long.tc' >>"$TREE/selftests/kernels/first.config"
	checks "a fragment names a test with the flag long beside all tests" \
		"1: test.d/other.tc;1: test.d/some.tc;1: test.d/third/long.tc;2: test.d/third/x.tc"
	echo '# without: test.d/some.tc test.d/third/x.tc' >>"$TREE/selftests/kernels/first.config"
	checks "a fragment leaves tests out" "1: test.d/other.tc;1: test.d/third/long.tc"
}

make_tree
build_tests
config_tests
fragment_tests
table_tests
check_tests
echo "1..$CASES"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-make.sh ROW
#
# Test the commands of users: make, make install, make uninstall and make clean. They run in
# a copy of the tree, with a KDIR for a kernel that does not run here.

. "$(dirname "$0")/lib.sh"

run_make() {	# run_make TARGET...
	make -s -C "$TREE" KDIR="$KDIR" "${FLAGS[@]}" INSTALL_MOD_PATH="$TREE.root" "$@" \
		>>"$TREE.log" 2>&1 || echo "make $* failed: $(tail -n 3 "$TREE.log")"
}

# Complete the last word of "objtrace WORD..." with the installed file, and complain unless there
# are completions, and all of them begin with the word.
completions() {	# completions WORD...
	# shellcheck disable=SC2016  # variables of the other shell
	PATH=$LOCAL/bin:$PATH bash -c '
		. "$1"
		COMP_WORDS=(objtrace "${@:2}") COMP_CWORD=$(($# - 1)) last=${!#}
		_objtrace objtrace "$last" "${COMP_WORDS[COMP_CWORD - 1]}"
		if [ ${#COMPREPLY[@]} -eq 0 ]; then echo "no completion of $last"; fi
		for word in "${COMPREPLY[@]}"; do
			if [[ $word != "$last"* ]]; then echo "$last is completed to $word"; fi
		done' completions "$LOCAL/share/bash-completion/completions/objtrace" "$@"
}

# Copy the kernel's headers, and remove the options from their configuration.
headers_without() {	# headers_without OPTION...
	local dir=$TREE.headers link option
	rm -rf "$dir"
	cp -a "$KDIR" "$dir"
	rm -f "$dir/vmlinux"
	for link in scripts tools; do
		if [ -e "$KDIR/$link" ]; then ln -sfn "$(readlink -f "$KDIR/$link")" "$dir/$link"; fi
	done
	for option in "$@"; do
		sed -i "/^CONFIG_$option=/d" "$dir/include/config/auto.conf"
		sed -i "/^#define CONFIG_$option /d" "$dir/include/generated/autoconf.h"
	done
}

# The compiler goes on after an #error, so one build shows the error of each option.
build_without() {	# build_without OPTION...
	headers_without "$@"
	make -C "$TREE" KDIR="$TREE.headers" "${FLAGS[@]}" >"$TREE.log" 2>&1 && echo "the module builds"
}

told_of_option() {	# told_of_option OPTION
	grep -q "error: #error \"objtrace needs .*CONFIG_$1[,\"]" "$TREE.log" || tail -n 3 "$TREE.log"
}

[ $# -eq 1 ] || die "usage: check-make.sh ROW"
ARCH=$(host_arch)
row_load "$1" "$ARCH"
cache_init
"$TOP/scripts/fetch-kernel.sh" "$1" "$ARCH"
KDIR=$(meta "$1" "$ARCH" kdir)
release=$(meta "$1" "$ARCH" release)
FLAGS=("CC=$ROW_CC")
# fetch-kernel.sh adds a vmlinux to the headers. kbuild then runs resolve_btfids, which
# Debian's package may lack.
if [ ! -e "$KDIR/tools/bpf/resolve_btfids/resolve_btfids" ]; then FLAGS+=(RESOLVE_BTFIDS=true); fi
TREE=$(mktemp -d)
trap 'rm -rf "$TREE" "$TREE.root" "$TREE.log" "$TREE.headers"' EXIT
mkdir -p "$TREE.root/lib/modules/$release"
copy_tree "$TREE"

result "$(run_make; [ -e "$TREE/objtrace.ko" ] || echo "no objtrace.ko")" "make builds the module"
result "$(run_make install
	grep -q '/objtrace.ko' "$TREE.root/lib/modules/$release/modules.dep" ||
		echo "modules.dep does not list the module")" "make install installs the module where modprobe finds it"
LOCAL=$TREE.root/usr/local
MANUAL=$LOCAL/share/man/man4/objtrace.4
result "$(LC_ALL=C.UTF-8 man --warnings -l "$MANUAL" 2>&1 | grep -F 'OBJTRACE(4)' >/dev/null ||
	echo "no $MANUAL")" "make install installs the manual page"
result "$(LC_ALL=C.UTF-8 man --warnings -l "$LOCAL/share/man/man1/objtrace.1" 2>&1 |
	grep -F 'OBJTRACE(1)' >/dev/null || echo "no manual page of the program"
	"$LOCAL/bin/objtrace" help | grep '^  follow ' >/dev/null || echo "the program does not run")" \
	"make install installs the program and its manual page"
result "$(completions clea; completions follow --a; completions follow 'vfs_open(file)' -- ech)" \
	"make install installs the completion of the program"
# Compressing the debug information takes seconds
FLAGS+=(INSTALL_MOD_STRIP=1)
before_uninstall=$(find "$TREE.root" -name 'objtrace.ko*')
result "$(run_make uninstall
	[ -n "$before_uninstall" ] || echo "make install had not installed the module"
	find "$TREE.root" -name 'objtrace*' -o -name updates
	if grep objtrace "$TREE.root/lib/modules/$release/modules.dep"; then echo "modules.dep still lists the module"; fi)" \
	"make uninstall removes the module, the program and the manual pages"
result "$(run_make RST2MAN=none PKG_CONFIG=false install
	[ -n "$(find "$TREE.root" -name 'objtrace.ko*')" ] || echo "no module is installed"
	if [ -e "$MANUAL" ]; then echo "$MANUAL exists"; fi
	if [ -e "$LOCAL/bin/objtrace" ]; then echo "the program is installed"; fi
	grep '^no none: the manual pages are not installed' "$TREE.log" >/dev/null || tail -n 3 "$TREE.log"
	grep '^the program objtrace is not installed; it needs' "$TREE.log" >/dev/null || tail -n 3 "$TREE.log")" \
	"without rst2man and libraries, make install prints warnings and installs the module"
result "$(run_make mandir=/man install
	[ -e "$TREE.root/man/man4/objtrace.4" ] || echo "no manual page in /man"
	run_make mandir=/man uninstall
	find "$TREE.root" -name 'objtrace*')" "mandir= sets the directory of the manual page"
result "$(run_make uninstall | grep 'no objtrace.ko in .*/updates: make install has not' >/dev/null ||
	tail -n 3 "$TREE.log")" "make uninstall prints an error if nothing is installed"
result "$(run_make clean; find "$TREE" -name '*.o' -o -name '*.ko' -o -name '*.mod*' -o -path '*/objtrace/objtrace')" \
	"make clean removes all built files"
options='DYNAMIC_FTRACE EVENT_TRACING KPROBE_EVENTS KALLSYMS BPF_SYSCALL DEBUG_INFO_BTF'
if [ "$ARCH" = x86_64 ]; then options+=' KALLSYMS_ALL UNWINDER_ORC'; fi
# shellcheck disable=SC2086  # words
result "$(build_without $options)" "without the options that objtrace needs, the build fails"
for option in $options; do
	result "$(told_of_option "$option")" "without CONFIG_$option, the build prints an error that names the option"
done
headers_without HAVE_HW_BREAKPOINT
result "$(run_make KDIR="$TREE.headers" clean all
	[ -e "$TREE/objtrace.ko" ] || echo "no objtrace.ko")" "without CONFIG_HAVE_HW_BREAKPOINT, the module builds"
KDIR=/nonexistent
result "$(run_make | grep 'KDIR: no directory /nonexistent; install linux-headers-' >/dev/null ||
	tail -n 3 "$TREE.log")" "without headers, make names the missing package"
result "$([[ $(make -s -C "$TREE" help) == *'make check'* ]] || echo "no help")" "make help lists the targets"

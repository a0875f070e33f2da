# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The small kernel of the tests in this folder.

# Make the root directory of a small kernel, with the BTF of SOURCE and of module.c
make_root() {	# make_root DIRECTORY SOURCE
	local arch here=$TOP/selftests/program btf=$1/sys/kernel/btf
	arch=$(host_arch)
	cp -r "$here/root" "$1"
	mkdir -p "$btf"
	gcc -g -c -o "$btf/vmlinux" "$here/$2"
	add_btf "$arch" "$btf/vmlinux"
	gcc -g -c -o "$btf/extra" "$here/module.c"
	add_btf "$arch" "$btf/extra" --btf_base "$btf/vmlinux"
}

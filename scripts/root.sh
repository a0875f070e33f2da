# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Functions for a Debian in a chroot, where dkms builds the module. Writes go to memory, and the
# chroots and kernels in the cache stay unchanged. The caller is in a mount namespace of its own.
# Sourced after lib.sh, never run. The functions use
#	ARCH	architecture of the kernel
#	RELEASE	release of the kernel that uname reports
#	ROOT	directory of the chroot
#	WORK	a directory in memory

LAYERS=0	# number of mounted layers

# Run the script again in a mount namespace of its own. WHAT begins the messages.
enter_own_mounts() {	# enter_own_mounts WHAT ARGUMENT...
	local namespace
	[ "$(id -u)" -eq 0 ] || die "$1 uses a chroot, which needs root: use sudo"
	if [ -n "${OBJTRACE_PRIVATE_MOUNTS:-}" ]; then return; fi
	namespace=$(own_mounts)
	[ -n "$namespace" ] ||
		die "$1 mounts directories, and this machine does not allow mount(2): CAP_SYS_ADMIN is missing"
	# shellcheck disable=SC2086  # words
	exec env OBJTRACE_PRIVATE_MOUNTS=1 $namespace "$0" "${@:2}"
}

overlay() {	# overlay TARGET LOWER...: mount LOWER at TARGET, with writes to memory
	local target=$1 layer=$WORK/layer$((++LAYERS))
	shift
	mkdir -p "$layer/upper" "$layer/work"
	mount -t overlay overlay \
		-o "lowerdir=$(IFS=:; echo "$*"),upperdir=$layer/upper,workdir=$layer/work" "$target"
}

# Add some modules of the kernel. depmod reads each module in the directory, once for each
# change, and all modules of a kernel take it ten seconds.
add_modules() {	# add_modules ROW
	local release modules
	release=$(meta "$1" "$ARCH" release)
	modules=$(kernel_dir "$1" "$ARCH")/modules/lib/modules/$release
	mkdir -p "$ROOT/lib/modules/$release/kernel/fs"
	cp "$modules"/modules.* "$ROOT/lib/modules/$release/"
	cp -r "$modules/kernel/fs/fat" "$ROOT/lib/modules/$release/kernel/fs/"
}

# Add the kernel of ROW, as if its packages were installed. Revert the changes of
# unpack_headers() and give_base_btf() in fetch-kernel.sh.
add_kernel() {	# add_kernel ROW
	local release headers
	release=$(meta "$1" "$ARCH" release)
	headers=/usr/src/linux-headers-$release
	add_modules "$1"
	ln -s "$headers" "$ROOT/lib/modules/$release/build"
	sed -i "s#[^ =]*/headers/usr/src/#/usr/src/#" "$ROOT$headers/Makefile"
	rm -f "$ROOT$headers/vmlinux"
}

stub() {	# stub NAME: replace the system's program by the script on stdin
	{ echo '#!/bin/sh'; cat; } >"$ROOT/usr/local/bin/$1"
	chmod +x "$ROOT/usr/local/bin/$1"
}

# shellcheck disable=SC2153  # the caller sets RELEASE
stub_uname() {	# uname in the chroot reports the release of the kernel
	stub uname <<-END
		if [ "\$*" = -r ]; then echo $RELEASE; else exec /usr/bin/uname "\$@"; fi
	END
}

# Print the files of objtrace that dkms left. dkms may keep its signing keys, which are not
# named after objtrace.
leftovers() {
	find "$ROOT/usr" "$ROOT/lib/modules" "$ROOT/var" "$ROOT/etc" -xdev -name '*objtrace*'
	find "$ROOT/lib/modules" -name '*objtrace*'
	grep -l objtrace "$ROOT"/lib/modules/*/modules.dep || true
}

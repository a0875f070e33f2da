# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# `objtrace doctor'

RELEASE=6.12.57-test
VERSION=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$TOP/dkms.conf")
MODULES=$ROOT/lib/modules/$RELEASE
HEALTHY="kernel $RELEASE: ok
options: ok
BTF: ok
module: ok
signature: ok
lockdown: ok
tracefs: ok
perf_event_paranoid: ok
kptr_restrict: ok
current_tracer: ok
ftrace_enabled: ok
kprobes: ok
stack_tracer_enabled: ok
function_profile_enabled: ok"

write() {	# write FILE TEXT
	mkdir -p "$(dirname "$ROOT/$1")"
	echo "$2" >"$ROOT/$1"
}

# A module in the file of another type: modinfo reads the fields
make_module() {	# make_module VERSION [SIGNER]
	printf 'char version[] __attribute__((section(".modinfo"))) = "version=%s";' "$1" |
		gcc -c -x c -o "$MODULES/updates/objtrace.ko" -
	[ $# -eq 1 ] || sign "$2" >>"$MODULES/updates/objtrace.ko"
}

# The oldest format of a signature: a name, a key, four bytes, and their sizes
sign() {	# sign SIGNER
	local size
	size=$(printf '\\%03o' "${#1}")
	printf "%skeyssign\\0\\0\\0${size}\\4\\0\\0\\0\\0\\0\\0\\4~Module signature appended~\\n" "$1"
}

make_healthy() {
	mkdir -p "$MODULES/updates"
	write proc/sys/kernel/osrelease "$RELEASE"
	write proc/sys/kernel/ftrace_enabled 1
	write proc/sys/kernel/stack_tracer_enabled 0
	write proc/sys/kernel/perf_event_paranoid 3
	write proc/sys/kernel/kptr_restrict 1
	write sys/kernel/debug/kprobes/enabled 1
	write sys/kernel/security/lockdown '[none] integrity confidentiality'
	write sys/kernel/tracing/current_tracer nop
	write sys/kernel/tracing/instances/other/current_tracer nop
	write sys/kernel/tracing/function_profile_enabled 0
	write sys/module/module/parameters/sig_enforce N
	write sys/module/objtrace/initstate live
	write sys/module/objtrace/version "$VERSION"
	write "lib/modules/$RELEASE/modules.dep" 'kernel/a/other.ko: kernel/b/objtrace.ko
updates/objtrace.ko: kernel/a/other.ko'
	printf '%s=y\n' CONFIG_{EVENT_TRACING,FUNCTION_TRACER,DYNAMIC_FTRACE,KPROBE_EVENTS,KALLSYMS} \
		CONFIG_{KALLSYMS_ALL,BPF_SYSCALL,DEBUG_INFO_BTF,HIST_TRIGGERS,SYNTH_EVENTS} >"$WORK/config"
	{ echo CONFIG_MODULES=y; cat "$WORK/config"; } >"$ROOT/boot/config-$RELEASE"
	make_module "$VERSION"
}

# The answer must be that of a healthy machine, apart from the line of a check.
finds() {	# finds CHECK REMEDY
	answers 1 doctor <<<"${HEALTHY/"$1: ok"/"$1: $2"}"
}

# Run a test with another text in a file.
with() {	# with FILE TEXT COMMAND...
	cp "$ROOT/$1" "$WORK/saved"
	echo "$2" >"$ROOT/$1"
	"${@:3}"
	cp "$WORK/saved" "$ROOT/$1"
}

# Run a test without a file.
without() {	# without FILE COMMAND...
	mv "$ROOT/$1" "$WORK/hidden"
	"${@:2}"
	mv "$WORK/hidden" "$ROOT/$1"
}

mkdir "$ROOT/boot"
make_healthy
answers 0 doctor <<<"$HEALTHY"
answers 2 doctor --fix <<'END'
objtrace: doctor has no arguments
  --fix
  ^
END

# The kernel
with proc/sys/kernel/osrelease 5.10.0-9-amd64 answers 1 doctor <<END
kernel 5.10.0-9-amd64: it is too old; boot Linux 6.1 or newer
$(sed 1d <<<"$HEALTHY")
END
without proc/sys/kernel/osrelease answers 1 doctor <<'END'
objtrace: the release of the kernel cannot be read; mount procfs first
END
without sys/kernel/btf \
	finds BTF '/sys/kernel/btf/vmlinux cannot be read; boot a kernel with CONFIG_DEBUG_INFO_BTF'

# Its options, which can be compressed
gzip -c "$WORK/config" >"$ROOT/proc/config.gz"
answers 1 doctor <<<"${HEALTHY/options: ok/CONFIG_MODULES: the kernel was built without it; the module needs a kernel with it}"
rm "$ROOT/proc/config.gz"
{ echo CONFIG_MODULES=m; grep -v -e HIST -e SYNTH "$WORK/config"; } >"$WORK/less"
with "boot/config-$RELEASE" "$(cat "$WORK/less")" \
	answers 1 doctor <<<"${HEALTHY/options: ok/"CONFIG_HIST_TRIGGERS: the kernel was built without it; \`objtrace follow' needs a kernel with it
CONFIG_SYNTH_EVENTS: the kernel was built without it; \`objtrace follow' needs a kernel with it"}"
without "boot/config-$RELEASE" answers 0 doctor <<<"$HEALTHY"

# The module
with sys/module/objtrace/version 0.0 \
	finds module "its version is 0.0 and that of the program is $VERSION; install both from the same source"
without sys/module/objtrace/version \
	finds module "its version is unknown and that of the program is $VERSION; install both from the same source"
with sys/module/objtrace/initstate coming finds module "it is not loaded; run \`modprobe objtrace'"
rm -r "$ROOT/sys/module/objtrace"
finds module "it is not loaded; run \`modprobe objtrace'"
without "boot/config-$RELEASE" answers 1 doctor <<END
$(sed -e "s#^options: ok#options: they are unknown, because there is neither /proc/config.gz nor /boot/config-$RELEASE; load the module, which checks the kernel#" \
	-e "s#^module: ok#module: it is not loaded; run \`modprobe objtrace'#" <<<"$HEALTHY")
END
with "lib/modules/$RELEASE/modules.dep" 'kernel/b/other.ko: updates/objtrace.ko' \
	finds module "it is not installed for this kernel; run \`make install' in the source of objtrace"
make_module 0.0
finds module "its version is 0.0 and that of the program is $VERSION; install both from the same source"

# Signatures
make_module "$VERSION"
UNSIGNED=$(sed -e "s#^module: ok#module: it is not loaded; run \`modprobe objtrace'#" \
	-e "s#^signature: ok#signature: the kernel accepts signed modules only, and objtrace has no signature; install it with dkms, and enrol the key of dkms with \`mokutil --import /var/lib/dkms/mok.pub'#" <<<"$HEALTHY")
with sys/module/module/parameters/sig_enforce Y answers 1 doctor <<<"$UNSIGNED"
with sys/kernel/security/lockdown 'none [integrity] confidentiality' answers 1 doctor <<<"$UNSIGNED"
make_module "$VERSION" 'a signer'
with sys/module/module/parameters/sig_enforce Y finds module "it is not loaded; run \`modprobe objtrace'"
make_healthy
with sys/module/module/parameters/sig_enforce Y answers 0 doctor <<<"$HEALTHY"
with sys/kernel/security/lockdown 'none integrity [confidentiality]' \
	finds lockdown 'the level confidentiality closes tracefs; boot without lockdown=confidentiality'

# A user without rights
chmod 000 "$ROOT/sys/kernel/tracing/available_filter_functions"
RUN=("${AS_USER[@]}")
answers 1 doctor <<END
$(sed -e 's#^tracefs: ok#tracefs: only root can read it; run objtrace with sudo#' \
	-e "s#^\(perf_event_paranoid\): ok#\1: only root can use the events with perf; run \`sysctl kernel.perf_event_paranoid=-1' to allow it for all users#" \
	-e '/^current_tracer/d' <<<"$HEALTHY")
END
chmod 644 "$ROOT/sys/kernel/tracing/available_filter_functions"
with proc/sys/kernel/perf_event_paranoid -1 answers 0 doctor <<<"$HEALTHY"
RUN=("${AS_ROOT[@]}")

# tracefs and the tracers
without sys/kernel/tracing answers 1 doctor <<END
$(sed -e "s#^tracefs: ok#tracefs: it is not mounted; run \`mount -t tracefs nodev /sys/kernel/tracing'#" \
	-e '/^current_tracer/d' <<<"$HEALTHY")
END
without sys/kernel/tracing/available_filter_functions answers 1 doctor <<END
$(sed -e 's#^tracefs: ok#tracefs: available_filter_functions cannot be read (No such file or directory); boot a kernel with CONFIG_DYNAMIC_FTRACE#' \
	-e '/^current_tracer/d' <<<"$HEALTHY")
END
with sys/kernel/tracing/current_tracer function \
	finds current_tracer 'the tracer function makes objtrace slow; write nop to current_tracer'
with sys/kernel/tracing/instances/other/current_tracer wakeup \
	finds current_tracer 'the tracer wakeup makes objtrace slow; write nop to instances/other/current_tracer'
with proc/sys/kernel/ftrace_enabled 0 \
	finds ftrace_enabled "ftrace is switched off, so no function is traced; run \`sysctl kernel.ftrace_enabled=1'"
with sys/kernel/debug/kprobes/enabled 0 \
	finds kprobes 'they are switched off, so no probe fires; write 1 to /sys/kernel/debug/kprobes/enabled'
with proc/sys/kernel/stack_tracer_enabled 1 \
	finds stack_tracer_enabled "the stack tracer traces all functions and makes objtrace slow; run \`sysctl kernel.stack_tracer_enabled=0'"
with sys/kernel/tracing/function_profile_enabled 1 \
	finds function_profile_enabled 'the profiler traces all functions and makes objtrace slow; write 0 to function_profile_enabled'

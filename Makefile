# SPDX-License-Identifier: GPL-2.0-only
#
# The make targets for users; `make help` lists them. Kbuild lists the objects of the module;
# kbuild reads Kbuild instead of this file.

KDIR ?= /lib/modules/$(shell uname -r)/build

# Under lib/modules/RELEASE; the default of kbuild differs between kernels
INSTALL_MOD_DIR ?= updates

# The user's settings for kbuild, which ignores CC in the environment
given = ARCH='$(ARCH)' CROSS_COMPILE='$(CROSS_COMPILE)' LLVM='$(LLVM)' \
	CC='$(if $(filter command,$(origin CC)),$(CC))'
build_flags = $(given) scripts/build-flags.sh '$(KDIR)'

# Not include/config/kernel.release: Debian's 6.1 has a different release there
release = $(shell $(build_flags) release)
moddir = $(INSTALL_MOD_PATH)/lib/modules/$(release)/$(INSTALL_MOD_DIR)
# kbuild may compress the module
installed = $(wildcard $(moddir)/objtrace.ko $(moddir)/objtrace.ko.*)
update_depmod = depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(release)

# `man -l` shows the page without an installation
MANPAGE := Documentation/objtrace.4
RST2MAN ?= rst2man
mandir ?= /usr/local/share/man
manual = $(INSTALL_MOD_PATH)$(mandir)/man4/objtrace.4

# build-flags.sh prints one sentence if kbuild would fail
kbuild = +@flags=$$($(build_flags) '$(CURDIR)') && \
	$(MAKE) -C $(KDIR) M=$(CURDIR) $$flags

all: modules

modules:
	$(kbuild) $@

install: modules install_man
	$(kbuild) INSTALL_MOD_DIR=$(INSTALL_MOD_DIR) modules_install
	$(update_depmod)

install_man:
	@if command -v $(RST2MAN) >/dev/null; then \
		$(MAKE) --no-print-directory man && install -D -m 644 $(MANPAGE) $(manual); \
	else \
		echo 'no $(RST2MAN): the manual page is not installed; it needs python3-docutils' >&2; \
	fi

known_release:
	@$(build_flags) release >/dev/null

uninstall: known_release
	$(if $(installed),,$(error no objtrace.ko in $(moddir): make install has not installed it there))
	rm -f $(installed) $(manual)
	rmdir --ignore-fail-on-non-empty $(moddir)
	$(update_depmod)

man: $(MANPAGE)

$(MANPAGE): Documentation/objtrace.rst
	$(if $(shell command -v $(RST2MAN)),,$(error no $(RST2MAN): install python3-docutils))
	$(RST2MAN) --strict $< $@

clean:
	rm -f $(MANPAGE)
	@if [ -e $(KDIR)/Makefile ]; then $(MAKE) -C $(KDIR) M=$(CURDIR) clean; fi

# The default of KDIR is for building the module. By default these rules run Debian's kernels.
check demo bench: own_kdir = $(if $(filter file,$(origin KDIR)),,$(KDIR))

deps demo check check-long matrix bench bench-check bench-baseline bench-parallel:
	@KDIR='$(own_kdir)' ARCH='$(ARCH)' KERNEL='$(KERNEL)' TESTS='$(TESTS)' RESUME='$(RESUME)' KASLR='$(KASLR)' \
		scripts/$@.sh

fuzz:
	@FUZZ_SECONDS='$(or $(FUZZ_SECONDS),$(if $(FUZZ_RUNS),,60))' FUZZ_RUNS='$(FUZZ_RUNS)' selftests/unit/fuzz.sh

help:
	@echo '  make [modules]  build objtrace.ko for the running kernel, or for KDIR'
	@echo '  make install    install it with the modules of that kernel, and the manual page'
	@echo '  make uninstall  remove both'
	@echo '  make man        make Documentation/objtrace.4, to be read with man -l'
	@echo '  make clean      remove what was built in this directory'
	@echo '  make demo       boot a Debian kernel in QEMU and follow a packet through it'
	@echo '  make check      run all tests: on the host, and in QEMU on several kernels'
	@echo '  make check-long run the tests that find more the longer they run'
	@echo '  make bench      measure what objtrace costs in instructions, in QEMU'
	@echo '  make bench-check'
	@echo '                  of make check, what compares that with a baseline and budgets'
	@echo '  make bench-baseline'
	@echo '                  write this baseline, selftests/bench/baseline.tbl'
	@echo '  make bench-parallel'
	@echo '                  measure what several processors do at once, in QEMU'
	@echo '  make fuzz       feed the parser of commands with random ones'
	@echo '  make matrix     list these kernels, what they provide, and how their last check went'
	@echo '  make deps       install the Debian packages that demo and check need'
	@echo '  make help       this list'
	@echo
	@echo '  KDIR=DIR        kernel headers, default /lib/modules/$$(uname -r)/build;'
	@echo '                  check, demo, bench: run the kernel that was built in DIR'
	@echo '  ARCH=ARCH       x86_64 or arm64: demo default this machine, others both'
	@echo '  KERNEL=KERNEL   a row of make matrix: demo default 6.12-new, check default several;'
	@echo '                  KERNEL=all: check every one; bench default 6.12-new'
	@echo '  RESUME=1        check: go on with the last run of the same, which did not pass'
	@echo '  KASLR=1         bench: with address randomization, as machines have it'
	@echo '  FUZZ_SECONDS=N  fuzz, check-long: seconds, default 60 and 1800; check: seconds'
	@echo '                  instead of a fixed number of inputs'
	@echo '  TESTS=PATTERN   check: only these selftests, such as test.d/trigger/*.tc'

.PHONY: all modules install install_man known_release uninstall man clean deps demo check check-long fuzz matrix \
	bench bench-check bench-baseline bench-parallel help

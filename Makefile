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
PROGRAM_MANPAGE := Documentation/objtrace.1
RST2MAN ?= rst2man
prefix ?= /usr/local
mandir ?= $(prefix)/share/man
manual = $(INSTALL_MOD_PATH)$(mandir)/man4/objtrace.4
program_manual = $(INSTALL_MOD_PATH)$(mandir)/man1/objtrace.1
program = +$(MAKE) -C tools/objtrace prefix=$(prefix) DESTDIR=$(INSTALL_MOD_PATH)
# Another architecture has other libraries than this machine
machine = $(shell uname -m | sed -e 's/aarch64/arm64/' -e 's/x86_64/x86/')
is_foreign = $(filter-out $(machine),$(ARCH:x86_64=x86))

# build-flags.sh prints one sentence if kbuild would fail
kbuild = +@flags=$$($(build_flags) '$(CURDIR)') && \
	$(MAKE) -C $(KDIR) M=$(CURDIR) $$flags

all: modules

modules:
	$(kbuild) $@

install: modules install_man install_program
	$(kbuild) INSTALL_MOD_DIR=$(INSTALL_MOD_DIR) modules_install
	$(update_depmod)

install_man:
	@if command -v $(RST2MAN) >/dev/null; then \
		$(MAKE) --no-print-directory man && install -D -m 644 $(MANPAGE) $(manual) && \
		install -D -m 644 $(PROGRAM_MANPAGE) $(program_manual); \
	else \
		echo 'no $(RST2MAN): the manual pages are not installed; they need python3-docutils' >&2; \
	fi

install_program:
ifneq ($(is_foreign),)
	@echo 'ARCH=$(ARCH): the program is not installed; run make tools on that machine' >&2
else
	$(program) install_if_possible
endif

known_release:
	@$(build_flags) release >/dev/null

uninstall: known_release
	$(if $(installed),,$(error no objtrace.ko in $(moddir): make install has not installed it there))
	rm -f $(installed) $(manual) $(program_manual)
	$(program) uninstall
	rmdir --ignore-fail-on-non-empty $(moddir)
	$(update_depmod)

man: $(MANPAGE) $(PROGRAM_MANPAGE)

$(MANPAGE): Documentation/objtrace.rst
$(PROGRAM_MANPAGE): Documentation/objtrace.1.rst
$(MANPAGE) $(PROGRAM_MANPAGE):
	$(if $(shell command -v $(RST2MAN)),,$(error no $(RST2MAN): install python3-docutils))
	$(RST2MAN) --strict $< $@

# objtrace(1), with the libraries of the machine
tools:
	+$(MAKE) -C tools/objtrace

clean:
	rm -f $(MANPAGE) $(PROGRAM_MANPAGE)
	$(MAKE) -C tools/objtrace clean
	@if [ -e $(KDIR)/Makefile ]; then $(MAKE) -C $(KDIR) M=$(CURDIR) clean; fi

# The default of KDIR is for building the module. By default these rules run Debian's kernels.
check demo bench: own_kdir = $(if $(filter file,$(origin KDIR)),,$(KDIR))

deb:
	@scripts/deb.sh

deps demo check check-long matrix bench bench-check bench-baseline bench-parallel bench-report bench-html bench-native:
	@KDIR='$(own_kdir)' ARCH='$(ARCH)' KERNEL='$(KERNEL)' TESTS='$(TESTS)' RESUME='$(RESUME)' KASLR='$(KASLR)' \
		scripts/$@.sh

fuzz:
	@FUZZ_SECONDS='$(or $(FUZZ_SECONDS),$(if $(FUZZ_RUNS),,60))' FUZZ_RUNS='$(FUZZ_RUNS)' selftests/unit/fuzz.sh

fuzz-kernel:
	@MINUTES='$(MINUTES)' SEED='$(SEED)' STEPS='$(STEPS)' KERNEL='$(KERNEL)' ARCH='$(ARCH)' scripts/$@.sh

help:
	@echo '  make [modules]  build objtrace.ko for the running kernel, or for KDIR'
	@echo '  make install    install the module for that kernel, the program and the manual pages'
	@echo '  make uninstall  remove what make install installed'
	@echo '  make man        make the manual pages in Documentation/, for man -l'
	@echo '  make tools      build the program tools/objtrace/objtrace'
	@echo '  make deb        build the Debian packages objtrace-dkms and objtrace'
	@echo '  make clean      remove the files that make built in this directory'
	@echo '  make demo       boot a Debian kernel in QEMU and follow a packet through it'
	@echo '  make check      run all tests: on the host, and in QEMU on several kernels'
	@echo '  make check-long run the tests that find more the longer they run'
	@echo '  make bench      measure the costs of objtrace in instructions, in QEMU'
	@echo '  make bench-check'
	@echo '                  measure costs, and compare them with a baseline and budgets, as'
	@echo '                  make check does'
	@echo '  make bench-baseline'
	@echo '                  measure and write this baseline, selftests/bench/baseline.tbl'
	@echo '  make bench-parallel'
	@echo '                  measure the costs while several processors work at once, in QEMU'
	@echo '  make bench-native'
	@echo '                  measure the cost of a call that matches nothing, in nanoseconds'
	@echo '  make bench-report'
	@echo '                  measure objtrace report with files of a million records'
	@echo '  make bench-html measure pages of objtrace report with many records, in Chromium'
	@echo '  make fuzz       feed random commands to the parser of commands'
	@echo '  make fuzz-kernel'
	@echo '                  change the tracing state of kernels at random, in QEMU'
	@echo '  make matrix     list the kernels of make check, their features and last results'
	@echo '  make deps       install the Debian packages that demo and check need'
	@echo '  make help       print this list'
	@echo
	@echo '  KDIR=DIR        kernel headers, default /lib/modules/$$(uname -r)/build;'
	@echo '                  check, demo, bench: run the kernel that was built in DIR'
	@echo '  ARCH=ARCH       x86_64 or arm64; default for demo: this machine, for others: both'
	@echo '  KERNEL=KERNEL   a row of make matrix; default for demo and bench: 6.12-new, for'
	@echo '                  check: several rows; KERNEL=all: check all rows; KERNEL=debug:'
	@echo '                  check debug kernels, which are built first'
	@echo '  RESUME=1        check, check-long: go on with the last run of the same sources and'
	@echo '                  settings'
	@echo '  KASLR=1         bench: with address randomization, as on a real machine'
	@echo '  FUZZ_SECONDS=N  seconds for fuzz and check-long, default 60 and 1800; for check:'
	@echo '                  seconds instead of a fixed number of inputs'
	@echo '  MINUTES=N       time of the guests of fuzz-kernel, default 10'
	@echo '  SEED=N          fuzz-kernel: the steps of this seed first; default: random'
	@echo '  TESTS=PATTERN   check: only these selftests, such as test.d/trigger/*.tc'

.PHONY: all modules install install_man install_program known_release uninstall man tools deb clean deps demo check check-long fuzz fuzz-kernel matrix \
	bench bench-check bench-baseline bench-parallel bench-report bench-html bench-native help

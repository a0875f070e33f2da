#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel-image.pl btf|kernel|symbols|sealed IMAGE
#
# Print what a kernel image holds:
#	btf	the raw BTF, what /sys/kernel/btf/vmlinux has
#	kernel	the decompressed kernel: an ELF on x86, the Image on arm64
#	symbols	all symbols of kallsyms as "ADDRESS TYPE NAME", in the image's
#		order. The addresses are those without KASLR; on arm64 they may all
#		be off by the same amount.
#	sealed	the names of those that may not be called indirectly (x86, IBT)

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use KernelImage;

my %print = (
	btf => sub {
		my ($image) = @_;
		my ($at, $size) = KernelImage::find_btf($image);
		print substr($image->{data}, $at, $size);
	},
	kernel => sub { print $_[0]{data}; },
	sealed => sub { print "$_->{name}\n" for KernelImage::sealed($_[0]); },
	symbols => sub {
		printf("%016x %s %s\n", @{$_}{qw(address type name)}) for @{KernelImage::symbols($_[0])};
	},
);

die "usage: kernel-image.pl btf|kernel|symbols|sealed IMAGE\n" if @ARGV != 2 || !$print{$ARGV[0]};
my ($what, $path) = @ARGV;
binmode(STDOUT);
$print{$what}->(KernelImage::open_image($path));
close(STDOUT) or die "kernel-image.pl: cannot write: $!\n";

#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# masks.pl ABI BTF...: what Btf.pm knows of each function, as selftests/truth/masks prints
# what objtrace_args.c knows: NAME OBJECTS VARIABLE; "unknown" if nothing.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Btf;

sub print_masks {
	my ($btf, $abi, $name, $function) = @_;
	my $call = Btf::registers_of($btf, $function, $abi);
	return print "$name unknown\n" if !$call;
	my ($objects, $variable) = (0, 0);
	for my $i (0 .. $call->{nr} - 1) {
		$objects |= 1 << $i if ($call->{holds}[$i] // '') ne '';
		$variable |= 1 << $i if $i >= ($call->{variable} // $call->{nr});
	}
	printf("%s %u %u\n", $name, $objects | $variable, $variable);
}

my ($abi, @paths) = @ARGV;
die "usage: masks.pl ABI BTF...\n" if !@paths;
for my $btf (map { Btf::load($_) } @paths) {
	for my $name (sort keys %{$btf->{functions}}) {
		print_masks($btf, $abi, $name, $_) for Btf::functions($btf, $name);
	}
}

# SPDX-License-Identifier: GPL-2.0-only
#
# The functions of a kernel, by a copy of its /proc/kallsyms.
package Symbols;

use strict;
use warnings;
no warnings 'portable';	# numbers of 64 bits

# Where ftrace is called, behind the function's first byte
my $LOCATION_SPAN = 16;

# addresses, in order; at: names at an address, each with the module that has it, '' for
# the kernel; count: addresses with a name, by module and name
sub load {
	my ($path) = @_;
	open(my $in, '<', $path) or die "$path: $!\n";
	my $symbols = { at => {}, count => {} };
	while (<$in>) {
		next unless /^([0-9a-f]{16}) [tTwW] (\S+)(?:\t\[(\S+)\])?$/;
		my ($address, $name, $module) = (hex($1), $2, $3 // '');
		# The padding in front of functions
		next if $name =~ /^__pfx_/;
		push @{$symbols->{at}{$address}}, [$name, $module];
		$symbols->{count}{$module}{$name}{$address} = 1;
	}
	$symbols->{addresses} = [sort { $a <=> $b } keys %{$symbols->{at}}];
	die "$path: no functions; were the addresses hidden?\n"
		if !@{$symbols->{addresses}} || !$symbols->{addresses}[-1];
	return $symbols;
}

# The last address that is not behind this one
sub start_of {
	my ($symbols, $ip) = @_;
	my $list = $symbols->{addresses};
	my ($low, $high) = (0, scalar @$list);
	while ($low < $high) {
		my $middle = int(($low + $high) / 2);
		if ($list->[$middle] <= $ip) {
			$low = $middle + 1;
		} else {
			$high = $middle;
		}
	}
	return $low ? $list->[$low - 1] : undef;
}

# The names of the function that begins there, as [name, module]
sub functions_at {
	my ($symbols, $ip) = @_;
	my $start = start_of($symbols, $ip);
	return () if !defined $start || $ip - $start > $LOCATION_SPAN;
	return @{$symbols->{at}{$start}};
}

# How many functions of the same module have that name
sub count {
	my ($symbols, $name, $module) = @_;
	return scalar keys %{$symbols->{count}{$module}{$name}};
}

1;

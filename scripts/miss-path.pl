#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# miss-path.pl MODULE
#
# What a call of a traced function goes through that receives no object must not write
# to memory, or processors would take its cache lines from each other. Follow all ways
# through each trampoline, and through each callback of ftrace, in MODULE as it was built,
# up to where something has passed the filter; complain of
#	a store, but for those to the stack
#	a call, or a jump, of what is not in the module
#	a trampoline or callback that is not there, or never looks at what it finds
# No line is no complaint.
#
# From the environment:
#	CROSS_COMPILE	what is before the name of objdump for this architecture

use strict;
use warnings;

# Where what has passed is looked at: for a trampoline both levels of the filter, for a
# callback the first one. Behind it nothing is promised.
my $HIT = qr/^(objtrace_tramp_look|objtrace_fops_look|look_closer|objtrace_free_entry)([.]|$)/;

# What ftrace has called
my @ENTRIES = ((map { my $size = $_; map { "objtrace_tramp_$size$_" } 1, 2, 3, '' } 'small', 'large'),
	(map { "objtrace_fops_entry$_" } '', 1, 2, 3, '_any'));

my $arm64;
my %code;	# place => text, next (a place), symbol (of its relocation)
my %place;	# name of a function => place of its first instruction
my %name;	# the other way round

# A place is a section and an address in it, as objdump prints it.
sub read_code {
	my ($module) = @_;
	my ($section, $last);
	open(my $in, '-|', ($ENV{CROSS_COMPILE} // '') . 'objdump', '-dr', '--no-show-raw-insn', $module)
		or die "objdump: $!\n";
	while (<$in>) {
		if (/file format elf64-(\S+)/) {
			$arm64 = $1 =~ /aarch64/;
		} elsif (/^Disassembly of section (.*):$/) {
			($section, $last) = ($1, undef);
		} elsif (/^([0-9a-f]+) <(.*)>:$/) {
			my $at = "$section " . hex($1);
			# Of static functions with one name, any: it only matters where they are
			($place{$2}, $name{$at}) = ($at, $2);
		} elsif (/^\s*([0-9a-f]+):\t([^\t].*?)\s*$/) {
			my ($at, $text) = ("$section " . hex($1), $2);
			$code{$last}{next} = $at if defined($last);
			$text = $text =~ s/\t/ /gr =~ s/ +/ /gr;
			$code{$at} = { text => $text =~ s{ *(//|# ).*}{}r };
			$last = $at;
		} elsif (/^\s*[0-9a-f]+: R_\S+\t([^\s+-]+)/) {
			$code{$last}{symbol} = $1;
		}
	}
	close($in) or die "objdump failed\n";
}

# Where an instruction goes: "return", "jump", "branch" (a jump or on), "call", "lost" (who
# knows) or "" (on to the next).
sub flow {
	my ($text, $symbol) = @_;
	if ($arm64) {
		# "ret x10" as well: where the function goes on after its trampoline
		return 'return' if $text =~ /^ret( |$)/;
		return 'lost' if $text =~ /^(blr|br|eret|brk|udf)/;
		return 'call' if $text =~ /^bl /;
		return 'jump' if $text =~ /^b /;
		return $text =~ /^(b[.]|cbn?z|tbn?z)/ ? 'branch' : '';
	}
	return 'return' if $text =~ /^(bnd )?ret/ || $text =~ /^jmp/ && $symbol eq '__x86_return_thunk';
	return 'lost' if $text =~ /^(bnd |notrack )*(call|jmp)[a-z]* +[*]|^(ud2|hlt|iret|int3)/;
	return 'call' if $text =~ /^(bnd )?call/;
	return 'jump' if $text =~ /^(bnd )?jmp/;
	return $text =~ /^(j[a-z]+|loop[a-z]*)(,p[nt])? / ? 'branch' : '';
}

# The name of the function that is jumped to or called, if that is its start; and the place.
sub target {
	my ($at) = @_;
	my ($text, $symbol) = ($code{$at}{text}, $code{$at}{symbol});
	my ($section) = $at =~ /(.*) /;
	# That of a section, for a static function, has no place: it is complained of
	return ($symbol, $place{$symbol}) if $symbol;
	my ($address) = $text =~ /\b([0-9a-f]+) <[^>]*>$/;
	die "no target in '$text'\n" if !defined($address);
	my $to = "$section " . hex($address);
	return ($name{$to} // '', $to);
}

# x86: the operand that is written is the last one. What only reads it is listed.
my $READS = qr/^((data16|cs)\ )*(cmp[bwlq]?|test[bwlq]?|nop[wlq]?|bt[wlq]?|i?mul[bwlq]?|i?div[bwlq]?|push[wlq]?|
	prefetch\w*|lfence)\b/x;

sub stores_on_x86 {
	my ($text) = @_;
	return 1 if $text =~ /^(rep\S* |lock )/ || $text =~ /\b(stos|movs|ins)[bwlq]? /;
	# Without the commas of an address
	my $plain = $text =~ s/\(([^)]*)\)/'(' . $1 =~ s{,}{;}gr . ')'/ger;
	my ($op, $operands) = $plain =~ /^(\S+) +(.*)$/ or return 0;
	my @operands = split(/,/, $operands);
	my @memory = grep { /\(|^%[a-z]s:|^0x[0-9a-f]+$/ } $op =~ /^(xchg|xadd)/ ? @operands : $operands[-1];
	return @memory && $text !~ $READS && grep { !/^-?(0x[0-9a-f]+)?\(%rsp\)$/ } @memory;
}

sub stores_on_arm64 {
	my ($text) = @_;
	return 1 if $text =~ /^(dc|swp|cas|ld(add|clr|set|eor|[su]max|[su]min))/;
	return 1 if $text =~ /^st(x|lx)/;
	# The shadow call stack is a task's own, as the stack is
	return 0 if $text eq 'str x30, [x18], #8';
	return $text =~ /^st/ && $text !~ /\[sp[],]/;
}

# What an instruction does that it should not. Where it goes to is added to what is left
# to be followed, and if that is a hit, it is counted.
sub complaints_at {
	my ($at, $todo, $hits) = @_;
	my $text = $code{$at}{text} // return 'on behind the end';
	my $symbol = $code{$at}{symbol} // '';
	my $flow = flow($text, $symbol);
	return () if $flow eq 'return';
	return $text if $flow eq 'lost';
	push(@$todo, $code{$at}{next} // 'nowhere') if $flow ne 'jump';
	return ($arm64 ? stores_on_arm64($text) : stores_on_x86($text)) ? $text : () if !$flow;
	my ($name, $to) = target($at);
	if ($name =~ $HIT) {
		$$hits++;
	} elsif (defined($to)) {
		push(@$todo, $to);
	} else {
		return "$text ($name)";
	}
	return ();
}

# All ways from ENTRY to where it returns, or has found something
sub complaints_of {
	my ($entry) = @_;
	my @todo = $place{$entry} // return "$entry: is not there";
	my (%seen, @complaints);
	my $hits = 0;
	while (defined(my $at = pop(@todo))) {
		push(@complaints, complaints_at($at, \@todo, \$hits)) if !$seen{$at}++;
	}
	push(@complaints, 'looks at nothing') if !$hits && !@complaints;
	return map { "$entry: $_" } @complaints;
}

die "usage: miss-path.pl MODULE\n" if @ARGV != 1;
read_code($ARGV[0]);
die "$ARGV[0]: objdump found no code\n" if !%code;
print "$_\n" for map { complaints_of($_) } @ENTRIES;

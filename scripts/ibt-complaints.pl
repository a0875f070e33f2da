#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# ibt-complaints.pl CHECK MODULE [ARGUMENT...]
#
# On x86 processors with IBT an indirect call must land on an ENDBR, and the kernel
# takes away ("seals") the ENDBR of each function that it itself only calls directly.
# QEMU does not emulate that, so look for what would go wrong, and complain of it:
#	indirect	calls or jumps through a pointer, but for those of the
#			tracepoints to their probes, and those through pv_ops, which
#			the kernel makes direct ones when it loads the module.  With
#			the argument "tables", a switch may jump through a table: a
#			compiler does that for a kernel with neither IBT nor retpolines
#	calls NAME...	what of these kernel functions is not called by a static
#			call, which the kernel makes a direct one
#	pointers FILE	data or code that holds the address of a kernel function
#			that FILE lists as sealed
#	entries		functions of the module itself that are called through a
#			pointer, and have no ENDBR or one that is sealed; not its
#			trampolines, which ftrace has called directly
# No line is no complaint; that there was nothing to look at is one.

use strict;
use warnings;

# What the kernel's own tools have written down of the code: nothing calls by it.
my $ANNOTATIONS = qr/^\.(call_sites|return_sites|retpoline_sites|ibt_endbr_seal|static_call_sites|
	orc_.*|smp_locks|altinstr.*|parainstructions|debug_.*|discard.*)$|
	^(__patchable_function_entries|__mcount_loc|__ex_table|__bug_table|__jump_table)$/x;

my $module;
my %code;	# section, offset => instruction
my %function;	# section, offset => name of the function there
my %branch;	# section, offset of a relocation => direct calls and jumps alone
my %defined;	# name, value => section, of the module's own symbols
my @relocations;	# hashes: section, at, to (a symbol, or a section), plus

sub lines_of {
	my (@command) = @_;
	open(my $in, '-|', @command) or die "$command[0]: $!\n";
	my @lines = <$in>;
	close($in) or die "@command failed\n";
	return @lines;
}

# Offsets count from the start of the section. Some kernels' linker script gives the
# sections of modules addresses, which objdump adds.
sub read_code {
	my ($section, $function, $at, $text);
	my %address;
	for (lines_of('readelf', '-SW', $module)) {
		$address{$1} = hex($2) if /^\s*\[\s*\d+\] (\S+) +\S+ +([0-9a-f]{16}) /;
	}
	for (lines_of('objdump', '-dr', '--no-show-raw-insn', $module)) {
		if (/^Disassembly of section (.*):$/) {
			$section = $1;
		} elsif (/^([0-9a-f]+) <(.*)>:$/) {
			$function{$section}{hex($1) - $address{$section}} = $2;
			$function = $2;
		} elsif (/^\s*([0-9a-f]+):\t([^\t].*?)\s*$/) {
			($at, $text) = (hex($1) - $address{$section}, $2);
			$code{$section}{$at} = { text => $text, function => $function };
		} elsif (/^\s*([0-9a-f]+): R_X86_64_/) {
			my $relocation = hex($1) - $address{$section};
			$branch{$section}{$relocation} = $text if $text =~ /^(bnd )?(call|j[a-z]+)(,p[nt])? +[0-9a-f]+ /;
		}
	}
	die "$module: objdump found no code\n" if !%code;
}

sub read_symbols {
	my %name;
	for (lines_of('readelf', '-SW', $module)) {
		$name{$1} = $2 if /^\s*\[\s*(\d+)\] (\S+)/;
	}
	for (lines_of('readelf', '-sW', $module)) {
		my (undef, $value, undef, undef, undef, undef, $index, $symbol) = split(' ');
		next if !defined($symbol) || $index !~ /^\d+$/;
		$defined{$symbol}{hex($value)} = $name{$index};
	}
}

sub read_relocations {
	my $section;
	for (lines_of('readelf', '-rW', $module)) {
		if (/^Relocation section '\.rela(.*)'/) {
			$section = $1;
		} elsif (/^([0-9a-f]+) +[0-9a-f]+ (R_\S+) +([0-9a-f]+) (\S+) ([-+]) ([0-9a-f]+)$/) {
			push(@relocations, { section => $section, at => hex($1), type => $2, symbol => $4,
				value => hex($3), plus => hex($6) * ($5 eq '-' ? -1 : 1) });
		}
	}
	die "$module: readelf found no relocation\n" if !@relocations;
}

# Where in the module a relocation points to: section and offset, or nothing.
# In code it counts from the end of its four bytes.
sub target {
	my ($r) = @_;
	my $section = $defined{$r->{symbol}}{$r->{value}} // return ();
	my $relative = $r->{type} =~ /_(PC|PLT)32$/ && $code{$r->{section}};
	return ($section, $r->{value} + $r->{plus} + ($relative ? 4 : 0));
}

# Relocations by which an address is taken: they are in what is loaded, and not the
# direct calls and jumps.
sub pointers {
	return grep { $_->{section} !~ $ANNOTATIONS && !$branch{$_->{section}}{$_->{at}} } @relocations;
}

sub place { return sprintf('%s+0x%x', $_[0]{section}, $_[0]{at}); }

# Where instructions have an operand in pv_ops, by section and offset
sub pv_operands {
	return map { ("$_->{section} $_->{at}" => 1) } grep { $_->{symbol} eq 'pv_ops' } @relocations;
}

sub check_indirect {
	my ($tables) = @_;
	my %pv = pv_operands();
	my @complaints;
	for my $section (sort keys %code) {
		for my $at (sort { $a <=> $b } keys %{$code{$section}}) {
			my ($text, $function) = @{$code{$section}{$at}}{qw(text function)};
			next if $function =~ /^__traceiter_/;
			# Behind the two bytes of the instruction, or three
			next if $tables && $text =~ /^jmp +\*0x[0-9a-f]+\(,%r[a-z0-9]+,8\)$/;
			next if $pv{"$section " . ($at + 2)} || $pv{"$section " . ($at + 3)};
			push(@complaints, "$function: $text") if $text =~ /^(bnd |notrack )*(call|jmp)[a-z]* +(\*|.*%)/;
		}
	}
	# The thunks that stand for indirect calls and jumps
	for my $r (grep { $_->{symbol} =~ /^__x86_indirect_/ } @relocations) {
		my $function = function_of($r);
		push(@complaints, "$function: $r->{symbol}") if $function !~ /^__traceiter_/;
	}
	return @complaints;
}

sub function_of {
	my ($r) = @_;
	for (my $at = $r->{at}; $at >= 0; $at--) {
		return $function{$r->{section}}{$at} if $function{$r->{section}}{$at};
	}
	return $r->{section};
}

# The key of each static call, by the section and offset of its instruction.
sub static_call_sites {
	my (%key, %site);
	for my $r (grep { $_->{section} eq '.static_call_sites' } @relocations) {
		if ($r->{at} % 8 == 4) {
			$key{$r->{at} - 4} = $r->{symbol};
		} elsif (my ($section, $at) = target($r)) {
			$site{$r->{at}} = "$section $at";
		}
	}
	return map { $site{$_} => $key{$_} // '' } keys %site;
}

# Whether NAME's trampoline, which a site calls until the kernel has patched it,
# is no more than a direct jump or a return.
sub trampoline_complaint {
	my ($name) = @_;
	my ($value) = keys %{$defined{"__SCT__objtrace_$name"} // {}};
	return "$name: no trampoline" if !defined($value);
	my $text = $code{$defined{"__SCT__objtrace_$name"}{$value}}{$value}{text} // 'nothing';
	return $text =~ /^(ret|jmp +[0-9a-f]+)/ ? () : "$name: the trampoline is '$text'";
}

sub check_calls {
	my (@names) = @_;
	my %key_of = static_call_sites();
	my @complaints;
	for my $name (@names) {
		my @calls = grep { $_->{symbol} eq "__SCT__objtrace_$name" && $branch{$_->{section}}{$_->{at}} }
			@relocations;
		push(@complaints, "$name: is never called") if !@calls;
		for my $call (@calls) {
			my $key = $key_of{"$call->{section} " . ($call->{at} - 1)} // 'no static call';
			next if $key eq "__SCK__objtrace_$name";
			push(@complaints, place($call) . ": calls $name, but .static_call_sites has $key there");
		}
		push(@complaints, trampoline_complaint($name));
	}
	return @names ? @complaints : 'no function was named';
}

sub check_pointers {
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	my %sealed = map { chomp; $_ => 1 } <$in>;
	return "$file lists nothing" if !%sealed;
	my @kernel = grep { !$defined{$_->{symbol}} } pointers();
	return 'no address of the kernel is in the module' if !@kernel;
	return map { place($_) . ": the address of $_->{symbol}, which is sealed" }
		grep { $sealed{$_->{symbol}} } @kernel;
}

sub check_entries {
	my %sealed = map { join(' ', target($_)) => 1 } grep { $_->{section} eq '.ibt_endbr_seal' } @relocations;
	my ($seen, @complaints);
	for my $r (pointers()) {
		my ($section, $at) = target($r) or next;
		my $name = $function{$section}{$at} // next;
		# Called for probes on tracepoints alone, and ours never fire; 6.18 seals
		# those of every module.
		next if $name =~ /^__probestub_/;
		next if $section eq '.static_call.text';	# jumped to, never through a pointer
		next if $name =~ /^objtrace_tramp_/;	# ftrace makes direct calls of them
		$seen++;
		push(@complaints, place($r) . ": $name has no ENDBR") if $code{$section}{$at}{text} ne 'endbr64';
		push(@complaints, place($r) . ": $name is sealed") if $sealed{"$section $at"};
	}
	return $seen ? @complaints : 'no address of a function is taken';
}

my %checks = (
	indirect => \&check_indirect, calls => \&check_calls,
	pointers => \&check_pointers, entries => \&check_entries,
);
die "usage: ibt-complaints.pl indirect|calls|pointers|entries MODULE [ARGUMENT...]\n"
	if @ARGV < 2 || !$checks{$ARGV[0]};
my $check = shift(@ARGV);
$module = shift(@ARGV);
read_code();
read_symbols();
read_relocations();
print "$_\n" for $checks{$check}->(@ARGV);

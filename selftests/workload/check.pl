#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# check.pl ABI BTF DIR WORKLOAD...
#
# Prove each record that objtrace has written in a workload right: the function takes an
# argument that can be the object where the record says, by the kernel's BTF; and the
# object was alive under the record's id, by the kernel's own events. Of what is marked
# with a question mark only the latter has to be proved; it is counted, and none is left
# out of the counts.
#
# ABI is x86_64 or arm64, BTF the kernel's. DIR is what test.d/workload.sh has saved: the
# BTF of modules in btf/, kallsyms, and for each WORKLOAD a directory with its trace. The
# figures are left in DIR/report. Prints "ok" or "not ok" for each, and what is wrong with
# records on stderr.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Btf;
use Lives;
use RingBuffer;
use Symbols;

# A trace with less in it proves nothing.
my $LEAST_OBJECTS = 10;
my $LEAST_RECORDS = 200;
my $LEAST_MEMORY = 100;		# events that tell of memory
my $LEAST_ENDS = 0.5;		# of the objects have to be seen to end

my $MOST_COMPLAINTS = 20;	# on stderr
my $MOST_NAMES = 4;		# in a result

# Slab events, and those that the network has of its own: see collect() for probes
my %MEMORY_FREED = (kfree => 'ptr', kmem_cache_free => 'ptr');
my %MEMORY_GIVEN = (kmalloc => 'ptr', kmem_cache_alloc => 'ptr');
my %OBJECT_GONE = (kfree_skb => 'skbaddr', consume_skb => 'skbaddr');

my ($abi, $kernel_btf, $dir, @workloads) = @ARGV;
die "usage: check.pl x86_64|arm64 BTF DIR WORKLOAD...\n"
	if !@workloads || $abi !~ /^(x86_64|arm64)$/;
my (%btf, $symbols, $report);

#
# Functions
#

sub load_all {
	$btf{''} = Btf::load($kernel_btf);
	$symbols = Symbols::load("$dir/kallsyms");
}

# That of a module is read when it is needed: undef if there is none
sub btf_of {
	my ($module) = @_;
	my $path = "$dir/btf/$module";
	$btf{$module} = Btf::load($path, $btf{''}) if !$btf{$module} && -e $path;
	return $btf{$module};
}

# Whether a function takes an object in a register, counted from 1: (what it says that is,
# undef), or (undef, why that is not proved)
sub prove_prototype {
	my ($btf, $function, $name, $register) = @_;
	my $call = Btf::registers_of($btf, $function, $abi) //
		return (undef, "how $name takes its arguments cannot be told");
	my $holds = $call->{holds}[$register - 1] // '';
	return ($holds, undef) if $holds ne '';
	return (undef, "what register $register of $name holds is part of its \"...\"")
		if defined $call->{variable} && $register > $call->{variable};
	return (undef, "$name takes no object in register $register");
}

# The same for a name. Several functions in the BTF can have it of which all but one were
# inlined: which one that is does not matter if all of them take an object there.
sub prove_function {
	my ($name, $module, $register) = @_;
	my $where = $module eq '' ? 'the kernel' : $module;
	my $btf = btf_of($module) // return (undef, "$module has no BTF");
	my @functions = Btf::functions($btf, $name);
	return (undef, "the BTF of $where has no $name") if !@functions;
	return (undef, "$where has several functions called $name")
		if Symbols::count($symbols, $name, $module) > 1;
	my @proved;
	for my $function (@functions) {
		@proved = prove_prototype($btf, $function, $name, $register);
		last if !defined $proved[0];
	}
	return @proved;
}

# The same for what begins at an address, which may have several names
my %proved;

sub prove_address {
	my ($ip, $register) = @_;
	my $known = $proved{"$ip $register"};
	return @$known if $known;
	my @why = (undef, sprintf('no function begins at 0x%x', $ip));
	for my $function (Symbols::functions_at($symbols, $ip)) {
		@why = prove_function(@$function, $register);
		last if defined $why[0];
	}
	$proved{"$ip $register"} = \@why;
	return @why;
}

sub names_at { return map { $_->[0] } Symbols::functions_at($symbols, $_[0]); }

#
# One trace
#
# What is found out: false (reasons of unmarked records, and how many have them), late
# (the same of marked ones, and of other events), marked (by function), holds (what
# functions call the argument), records, unmarked.
#

sub complain {
	my ($found, $kind, $why, $text) = @_;
	$found->{$kind}{$why}++;
	print STDERR "$found->{name}: $text: $why\n"
		if $found->{complaints}++ < $MOST_COMPLAINTS;
}

sub check_value {
	my ($found, $lives, $event) = @_;
	my ($ip, $object, $id, $arg, $unknown) =
		map { RingBuffer::get($event, $_) } qw(ip object id arg unknown);
	my @names = names_at($ip);
	my $name = $names[0] // sprintf('0x%x', $ip);
	my $why = Lives::recorded($lives, $event, $id, $object, \@names,
				  $found->{probes}, $unknown);
	$found->{records}++;
	if ($unknown) {
		$found->{marked}{$name}++;
		complain($found, 'late', $why, "a marked record of $name, id:$id") if $why;
		return;
	}
	$found->{unmarked}++;
	(my $holds, my $unproved) = prove_address($ip, $arg);
	$found->{holds}{$holds}++ if defined $holds;
	$why //= $unproved;
	my $text = sprintf('%s object:0x%x id:%d arg%d', $name, $object, $id, $arg);
	complain($found, 'false', $why, $text) if defined $why;
}

sub check_add {
	my ($found, $lives, $event) = @_;
	my ($id, $object, $by) = map { RingBuffer::get($event, $_) } qw(id object event);
	my $why = Lives::added($lives, $event, $id, $object, $by);
	complain($found, 'late', $why, "objtrace_add id:$id") if $why;
}

sub check_del {
	my ($found, $lives, $event) = @_;
	my ($id, $object, $hits) = map { RingBuffer::get($event, $_) } qw(id object hits);
	my $why = Lives::deleted($lives, $id, $object, $hits);
	complain($found, 'late', $why, "objtrace_del id:$id") if $why;
}

# See test.d/workload.sh for their names. What frees many at a time has their number in nr
# and as many of them as there is place for in ptr.
sub check_probe {
	my ($found, $lives, $event) = @_;
	my $name = $event->{name};
	my @objects = RingBuffer::get($event, 'ptr');
	my $nr = RingBuffer::has($event, 'nr') ? RingBuffer::get($event, 'nr') : 1;
	$found->{unseen} += $nr - @objects if $nr > @objects;
	for my $object (@objects[0 .. ($nr < @objects ? $nr : @objects) - 1]) {
		Lives::memory_freed($lives, $event, $object) if $name =~ /^free_/;
		Lives::object_gone($lives, $event, $object) if $name =~ /^gone_/;
		Lives::object_made($lives, $event, $object) if $name =~ /^made_/;
		$found->{unseen}++ if $name =~ /^around_/ &&
			!Lives::memory_around_freed($lives, $event, $object);
		# Who looks at it under RCU is right to do so until then
		$found->{late_frees} += Lives::at($lives, $object) if $name =~ /^late_/;
	}
}

sub check_event {
	my ($found, $lives, $event) = @_;
	my $name = $event->{name};
	if ($name eq 'objtrace_value') {
		check_value($found, $lives, $event);
	} elsif (my $freed = $MEMORY_FREED{$name}) {
		Lives::memory_freed($lives, $event, RingBuffer::get($event, $freed));
	} elsif (my $given = $MEMORY_GIVEN{$name}) {
		Lives::memory_given($lives, $event, RingBuffer::get($event, $given),
				    RingBuffer::get($event, 'bytes_alloc'));
	} elsif (my $gone = $OBJECT_GONE{$name}) {
		Lives::object_gone($lives, $event, RingBuffer::get($event, $gone));
	} elsif ($name eq 'objtrace_add') {
		check_add($found, $lives, $event);
	} elsif ($name eq 'objtrace_del') {
		check_del($found, $lives, $event);
	} elsif ($name =~ /^(free|around|gone|made|late)_/) {
		check_probe($found, $lives, $event);
	}
}

# What the guest says of a trace, see test.d/workload.sh
sub read_manifest {
	my ($path) = @_;
	my $manifest = { cpus => {}, probes => {}, absent => {}, missed => {},
			 members => [] };
	open(my $in, '<', $path) or die "$path: $!\n";
	while (<$in>) {
		$manifest->{struct} = $1 if /^struct (\w+)$/;
		$manifest->{recorded} = $1 if /^recorded (\d+)$/;
		$manifest->{cpus}{$1} = $2 if /^cpu (\d+) (\d+)$/;
		$manifest->{probes}{$1} = $2 if /^probe (\w+) (\w+)$/;
		$manifest->{absent}{$1} = $2 if /^absent (\w+) (\w+)$/;
		$manifest->{missed}{$1} = $2 if /^missed (\w+) (\d+)$/;
		push @{$manifest->{members}}, [$1, $2, $3, $4]
			if /^member (\w+) (\w+) (\w+) (\d+)$/;
	}
	die "$path: incomplete\n" if !$manifest->{struct} || !%{$manifest->{cpus}} ||
		!defined $manifest->{recorded};
	return $manifest;
}

# Whether the probes show what they are there for: on each function that the kernel has,
# and with its structs as they are.
sub check_probes {
	my ($manifest) = @_;
	for my $probe (sort keys %{$manifest->{absent}}) {
		my $function = $manifest->{absent}{$probe};
		die "$function() has no probe, but the kernel has it\n"
			if $probe !~ /^late_/ && Symbols::count($symbols, $function, '');
	}
	for my $member (@{$manifest->{members}}) {
		my ($probe, $struct, $name, $offset) = @$member;
		next if !$manifest->{probes}{$probe};
		my $is_at = Btf::offset_of($btf{''}, $struct, $name) // 'nowhere';
		die "$name is at $is_at in struct $struct, not at $offset as $probe has it\n"
			if $is_at ne $offset;
	}
}

sub check_trace {
	my ($workload) = @_;
	my $manifest = read_manifest("$dir/$workload/manifest");
	load_all() if !$symbols;
	check_probes($manifest);
	my $found = {
		name => $workload, struct => $manifest->{struct}, records => 0, unmarked => 0,
		probes => $manifest->{probes}, false => {}, late => {}, marked => {},
		holds => {}, unseen => 0, late_frees => 0, recorded => $manifest->{recorded},
		missed => $manifest->{missed},
	};
	my $lives = Lives::new();
	check_event($found, $lives, $_)
		for RingBuffer::read_trace("$dir/$workload", $manifest->{cpus});
	for my $id (Lives::miscounted($lives)) {
		my ($hits, $records) = @{$lives->{all}{$id}}{qw(hits records)};
		complain($found, 'late', 'not all hits are in the trace',
			 "id:$id had $hits hits, and has $records records");
	}
	$found->{memory} = $lives->{events};
	$found->{lives} = [values %{$lives->{all}}];
	return $found;
}

#
# What is said of it
#

sub sum {
	my $sum = 0;
	$sum += $_ for @_;
	return $sum;
}

sub percent { return $_[1] ? sprintf('%.1f %%', 100 * $_[0] / $_[1]) : '0 %'; }

# The most frequent ones first
sub by_count {
	my ($counts) = @_;
	return map { "$_ $counts->{$_}" }
		sort { $counts->{$b} <=> $counts->{$a} || $a cmp $b } keys %$counts;
}

sub too_little {
	my ($found) = @_;
	my $objects = @{$found->{lives}};
	my $ends = grep { $_->{seen} } @{$found->{lives}};
	return "$found->{recorded} records were written, $found->{records} are in the trace"
		if $found->{records} < $found->{recorded};
	return "only $objects objects were added" if $objects < $LEAST_OBJECTS;
	return "only $found->{unmarked} records" if $found->{unmarked} < $LEAST_RECORDS;
	return "no function takes a struct $found->{struct} *"
		if !$found->{holds}{"struct $found->{struct} *"};
	return "only $found->{memory} events tell of memory"
		if $found->{memory} < $LEAST_MEMORY;
	return "only $ends of $objects objects were seen to end"
		if $ends < $LEAST_ENDS * $objects;
	return 'no probe is on the frees that have no tracepoint'
		if !grep { /^free_/ } keys %{$found->{probes}};
	return undef;
}

sub write_report {
	my ($found) = @_;
	my @lives = @{$found->{lives}};
	my $marked = sum(values %{$found->{marked}});
	my @lines = (
		'objects: ' . @lives,
		'  whose memory was seen to be given out: ' . grep({ defined $_->{base} } @lives),
		'  seen to end: ' . grep({ $_->{seen} } @lives),
		'  of these not ended by objtrace: ' .
			grep({ $_->{seen} && !$_->{deleted} } @lives),
		"records: $found->{records}",
		"  unmarked: $found->{unmarked}",
		'  false among them: ' . sum(values %{$found->{false}}),
		"  marked: $marked (" . percent($marked, $found->{records}) . ')',
		'marked, by function: ' . join(', ', by_count($found->{marked})),
		'unmarked, by type of the argument: ' . join(', ', by_count($found->{holds})),
		"events that tell of memory: $found->{memory}",
		"frees of which the probes do not show the memory: $found->{unseen}",
		'hits that probes have missed: ' . join(', ', by_count($found->{missed})),
		"objects that are freed after a grace period: $found->{late_frees}",
		'probes: ' . join(' ', sort keys %{$found->{probes}}),
		map({ "wrong: $_" } by_count($found->{false}), by_count($found->{late})));
	print $report "$found->{name}\n", map { "  $_\n" } @lines;
}

# Why it is not good, or undef
sub verdict {
	my ($found) = @_;
	my $false = sum(values %{$found->{false}});
	my $late = sum(values %{$found->{late}});
	my $missed = sum(values %{$found->{missed}});
	return "$false of $found->{unmarked} unmarked records are not proved" .
		($missed ? ", but probes have missed $missed hits" : '') if $false;
	return "$late marked records or other events are wrong" if $late;
	return too_little($found);
}

sub summary {
	my ($found) = @_;
	my $marked = sum(values %{$found->{marked}});
	my @names = by_count($found->{marked});
	@names = (@names[0 .. $MOST_NAMES - 1], "...") if @names > $MOST_NAMES;
	return scalar(@{$found->{lives}}) . ' objects, ' .
		"$found->{unmarked} unmarked records proved right, $marked marked (" .
		percent($marked, $found->{records}) . ')' .
		(@names ? ': ' . join(', ', @names) : '');
}

sub check_workload {
	my ($workload) = @_;
	my $name = "workload $workload";
	my $found = eval { check_trace($workload) };
	my $why = $@;
	chomp($why);
	if ($found) {
		write_report($found);
		$why = verdict($found) // '';
	}
	print $why eq '' ? "ok $name: " . summary($found) . "\n" : "not ok $name: $why\n";
	return $why eq '' ? $found : undef;
}

open($report, '>', "$dir/report") or die "$dir/report: $!\n";
my @good = grep { defined } map { check_workload($_) } @workloads;
my $records = sum(map { $_->{records} } @good);
my $marked = sum(map { values %{$_->{marked}} } @good);
print $report "all: $records records, $marked marked (", percent($marked, $records),
	")\n";
close($report) or die "$dir/report: $!\n";
exit(@good != @workloads);

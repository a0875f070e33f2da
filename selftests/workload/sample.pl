#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# sample.pl ABI DIR [MISTAKE]
#
# Make up what test.d/workload.sh would save in DIR of a workload "sample", in the kernel
# of sample.c: a trace in which all is right, or one with a mistake.
use strict;
use warnings;
no warnings 'portable';	# numbers of 64 bits

my ($abi, $dir, $mistake) = @ARGV;
$mistake //= '';
my $OBJECTS = 24;
my $MEMORY = 256;		# of an object
my $PAGE = 4096;

#
# What there is in that kernel
#

my %ADDRESS;
my @FUNCTIONS = qw(ws_put ws_second ws_void ws_address ws_pair ws_large ws_print ws_nothing
	ws_twin ws_cloned ws_cloned.isra.0 ws_unknown ws_both ws_same);
@ADDRESS{@FUNCTIONS} = map { 0xffff800081000000 + 0x100 * $_ } 0 .. $#FUNCTIONS;
$ADDRESS{ws_module} = 0xffff80007a000000;
$ADDRESS{ws_put_inside} = $ADDRESS{ws_put} + 0x40;

sub write_file {
	my ($name, @text) = @_;
	open(my $out, '>:raw', "$dir/$name") or die "$dir/$name: $!\n";
	print $out @text;
	close($out) or die "$dir/$name: $!\n";
}

sub write_symbols {
	my @lines = map { sprintf("%016x %s %s\n", $ADDRESS{$_}, /put/ ? 'T' : 't', $_) }
		@FUNCTIONS;
	push @lines, sprintf("%016x t ws_twin\n", 0xffff800082000000);
	push @lines, sprintf("%016x d ws_second\n", 0xffff800083000000);
	push @lines, sprintf("%016x t __pfx_ws_put\n", $ADDRESS{ws_put} - 16);
	push @lines, sprintf("%016x t ws_module\t[ws_mod]\n", $ADDRESS{ws_module});
	write_file('kallsyms', @lines);
}

# Fields behind the common ones, as they are declared, and how they are packed
my %EVENTS = (
	kmem_cache_alloc => [['const void * ptr', 'Q'], ['size_t bytes_req', 'Q'],
			     ['size_t bytes_alloc', 'Q'], ['bool accounted', 'C']],
	kmem_cache_free => [['unsigned long call_site', 'Q'], ['const void * ptr', 'Q'],
			    ['__data_loc char[] name', 'V']],
	free_bulk => [['unsigned long __probe_ip', 'Q'], ['u64 nr', 'Q'],
		      ['u64 ptr[64]', 'Q64']],
	free_nolock => [['unsigned long __probe_ip', 'Q'], ['u64 ptr', 'Q']],
	free_sheaf => [['unsigned long __probe_ip', 'Q'], ['u32 nr', 'V'],
		       ['u64 ptr[]', 'Q64']],
	around_rcu => [['unsigned long __probe_ip', 'Q'], ['u64 ptr', 'Q']],
	gone_put => [['unsigned long __probe_ip', 'Q'], ['u64 ptr', 'Q']],
	made_alloc => [['unsigned long __probe_func', 'Q'],
		       ['unsigned long __probe_ret_ip', 'Q'], ['u64 ptr', 'Q']],
	objtrace_add => [['unsigned long object', 'Q'], ['unsigned long value', 'Q'],
			 ['u64 id', 'Q'], ['u32 btf', 'V'], ['u32 enum_id', 'V'],
			 ['u8 format', 'C'], ['u8 fault', 'C'],
			 ['__data_loc char[] event', 'V']],
	objtrace_value => [['unsigned long ip', 'Q'], ['unsigned long parent_ip', 'Q'],
			   ['unsigned long object', 'Q'], ['unsigned long value', 'Q'],
			   ['u64 id', 'Q'], ['u32 offset', 'V'], ['u8 arg', 'C'],
			   ['u8 unknown', 'C'], ['__data_loc u64[] last', 'V']],
	objtrace_del => [['unsigned long ip', 'Q'], ['unsigned long object', 'Q'],
			  ['unsigned long hits', 'Q'], ['u64 id', 'Q'], ['u64 age', 'Q'],
			  ['u8 reason', 'C']],
);
my @NAMES = sort keys %EVENTS;
my %ID = map { $NAMES[$_] => 300 + $_ } 0 .. $#NAMES;
my %SIZE = (Q => 8, V => 4, C => 1, Q64 => 512);

# Where each field of an event begins, and its size, and where all end
sub layout {
	my ($name) = @_;
	my ($at, @places) = (8);
	for my $field (@{$EVENTS{$name}}) {
		my $size = $SIZE{$field->[1]};
		my $align = $size > 8 ? 8 : $size;
		$at = int(($at + $align - 1) / $align) * $align;
		push @places, [$at, $size];
		$at += $size;
	}
	return ($at, @places);
}

sub write_formats {
	my @text;
	for my $name (@NAMES) {
		my (undef, @places) = layout($name);
		push @text, "name: $name\nID: $ID{$name}\nformat:\n",
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;",
			"\tsigned:0;\n",
			"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
		for my $i (0 .. $#places) {
			push @text, "\tfield:$EVENTS{$name}[$i][0];\toffset:$places[$i][0];",
				"\tsize:$places[$i][1];\tsigned:0;\n";
		}
		push @text, "\nprint fmt: \"\"\n\n";
	}
	write_file('sample/formats', @text);
	write_file('sample/header_page',
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n",
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n",
		"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
}

#
# The trace, as the kernel's ring buffer has it
#

my $time = (1 << 30) - 50;	# the bits of an event's delta are fewer
my @page = map { { data => '', start => undef, last => 0, file => '' } } 0, 1;
my @count = (0, 0);

sub end_page {
	my ($page) = @_;
	return if !defined $page->{start};
	my $size = length($page->{data});
	$size |= 1 << 31 if $mistake eq 'lost' && !$page->{file};
	$page->{file} .= pack('Q<Q<a4080', $page->{start}, $size, $page->{data});
	@{$page}{qw(data start)} = ('', undef);
}

# What an event looks like there: long ones say how long they are
sub in_buffer {
	my ($data, $delta) = @_;
	my $words = int((length($data) + 3) / 4);
	$data .= "\0" x (4 * $words - length($data));
	return pack('V', $delta << 5 | $words) . $data if $words <= 28;
	return pack('VV', $delta << 5, 4 + 4 * $words) . $data;
}

# Now and then time is told in another way, and something was taken back
sub before_event {
	my ($cpu, $page) = @_;
	my $delta = $time - $page->{last};
	my $kind = ($count[0] + $count[1]) % 7;
	if ($kind == 3) {
		$page->{data} .= pack('VV', ($delta & 0x7ffffff) << 5 | 30, $delta >> 27);
		return 0;
	}
	if ($kind == 5) {
		$page->{data} .= pack('VV', ($time & 0x7ffffff) << 5 | 31, $time >> 27);
		return 0;
	}
	$page->{data} .= pack('VVx8', 1 << 5 | 29, 12) if $kind == 6;
	return $delta;
}

sub event {
	my ($cpu, $name, @values) = @_;
	my $page = $page[$cpu];
	my ($size, @places) = layout($name);
	my $data = "\0" x $size;
	substr($data, 0, 8) = pack('vCCl<', $ID{$name}, 0, 0, 100 + $cpu);
	for my $i (0 .. $#places) {
		my $value = $values[$i] // 0;
		if (ref($value) eq 'SCALAR') {
			my $size = length($$value) + 1;
			$data .= "$$value\0";
			$value = $size << 16 | length($data) - $size;
		}
		my $packed = ref($value) ? pack('Q<*', @$value) :
			pack({ 8 => 'Q<', 4 => 'V', 1 => 'C' }->{$places[$i][1]}, $value);
		substr($data, $places[$i][0], length($packed)) = $packed;
	}
	# Few are in a page, so that there are many pages; the rest of one says so
	if (length($page->{data}) > 1500) {
		$page->{data} .= pack('V', 29) . "\xff" x 8 if $count[0] % 2;
		end_page($page);
	}
	$time++;
	@{$page}{qw(start last)} = ($time - 1, $time - 1) if !defined $page->{start};
	my $delta = before_event($cpu, $page);
	$page->{data} .= in_buffer($data, $delta);
	$page->{last} = $time;
	$count[$cpu]++;
}

# Probes on frees, and on which function each of them is
my @FREES = ('free_bulk kmem_cache_free_bulk', 'free_nolock ws_void', 'free_sheaf ws_sheaf',
	     'around_rcu ws_callback');

my $recorded = 0;
my %hits;

sub write_trace {
	end_page($_) for @page;
	substr($page[0]{file}, -$PAGE) = '' if $mistake eq 'cut';
	write_file("sample/cpu$_", $page[$_]{file}) for 0, 1;
	my $struct = $mistake eq 'other' ? 'ws_other' : 'ws_object';
	my $offset = $mistake eq 'layout' ? 16 : 8;
	my $absent = $mistake eq 'absent' ? 'ws_void' : 'ws_inlined';
	write_file('sample/manifest', "struct $struct\n",
		"cpu 0 $count[0]\n", "cpu 1 $count[1]\n",
		"member free_sheaf ws_object next $offset\n", "member free_no ws_no next 4\n",
		"probe gone_put ws_put\n", "probe made_alloc ws_alloc\n",
		$mistake eq 'missed' ? "missed gone_put 2\n" : (),
		"absent gone_other $absent\n", "absent late_other ws_put\n",
		'recorded ' . ($recorded + ($mistake eq 'unwritten')) . "\n",
		$mistake eq 'unprobed' ? () : map { "probe $_\n" } @FREES);
}

#
# What it tells
#

sub value {
	my ($cpu, $function, $arg, $object, $id, $unknown) = @_;
	$recorded++;
	$hits{$id}++;
	# Where ftrace is called is a little behind the beginning
	event($cpu, 'objtrace_value', $ADDRESS{$function} + 4, 1, $object, 0, $id, 0, $arg,
	      $unknown ? $arg : 0);
}

sub add {
	my ($cpu, $object, $id, $by) = @_;
	$by //= 'workload:made_alloc';
	event($cpu, 'objtrace_add', $object, 0, $id, 0, 0, 0, 0, \$by);
}

sub del {
	my ($cpu, $object, $id) = @_;
	my $hits = ($hits{$id} // 0) + ($mistake eq 'hits');
	event($cpu, 'objtrace_del', 1, $object, $hits, $id, 1000, 3);
}

sub alloc { event($_[0], 'kmem_cache_alloc', $_[1], $MEMORY, $MEMORY, 1); }
sub release { event($_[0], 'kmem_cache_free', 1, $_[1], \'cache'); }
sub release_sheaf { event($_[0], 'free_sheaf', 1, 2, [8192, $_[1], (4096) x 62]); }
sub release_many { event($_[0], 'free_bulk', 1, 3, [4096, 8192, $_[1], (0) x 61]); }

my $LARGE = $abi eq 'x86_64' ? 1 : 2;

# Each function that can receive it, where it can
sub pass_around {
	my ($cpu, $object, $id) = @_;
	my @calls = (['ws_put', 1], ['ws_second', 2], ['ws_void', 1], ['ws_address', 1],
		     ['ws_pair', 2], ['ws_pair', 3], ['ws_large', $LARGE], ['ws_print', 1],
		     ['ws_module', 2], ['ws_module', 1], ['ws_cloned', 1], ['ws_both', 1]);
	value($_ % 2 ? $cpu : 1 - $cpu, @{$calls[$_]}, $object, $id) for 0 .. $#calls;
	value($cpu, 'ws_cloned.isra.0', 2, $object, $id, 1);
	value($cpu, 'ws_twin', 1, $object, $id, 1) if $id % 2;
}

# Mistakes of a record, by what is wrong with it
my %WRONG = (
	register => sub { value(0, 'ws_put', 2, @_) },
	number => sub { value(0, 'ws_second', 1, @_) },
	narrow => sub { value(0, 'ws_address', 2, @_) },
	abi => sub { value(0, 'ws_large', 3 - $LARGE, @_) },
	half => sub { value(0, 'ws_pair', 1, @_) },
	rest => sub { value(0, 'ws_print', 2, @_) },
	nothing => sub { value(0, 'ws_nothing', 1, @_) },
	namesake => sub { value(0, 'ws_same', 1, @_) },
	twin => sub { value(0, 'ws_twin', 1, @_) },
	clone => sub { value(0, 'ws_cloned.isra.0', 1, @_) },
	unknown => sub { value(0, 'ws_unknown', 1, @_) },
	inside => sub { value(0, 'ws_put_inside', 1, @_) },
	stranger => sub { value(0, 'ws_put', 1, $_[0], 999999) },
	meaning => sub { value(0, 'ws_put', 1, $_[0] + 64, $_[1]) },
	twice => sub { add(0, @_) },
	again => sub { add(0, $_[0], $_[1] + 3000) },
);

# How an object ends, and whether its memory is freed, too
my @ENDS = (
	sub {
		my ($base, $object, $id) = @_;
		if ($mistake eq 'ended') {
			del(1, $object, $id);
			value(0, 'ws_put', 1, $object, $id);
		}
		release(1, $base);
		value(0, 'ws_put', 1, $object, $id) if $mistake eq 'freed';
		value(0, 'ws_twin', 1, $object, $id, 1);
		del(1, $object, $id) if $mistake ne 'ended';
		value(0, 'ws_twin', 1, $object, $id, 1) if $mistake eq 'late';
		value(0, 'ws_put', 1, $object, $id) if $mistake eq 'deleted';
		del(1, $object, $id) if $mistake eq 'deleted-twice';
	},
	sub {
		my ($base, $object, $id) = @_;
		release_many(0, $base) if $mistake ne 'unseen';
		del(1, $object, $id) if $mistake ne 'bulk' && $mistake ne 'unseen';
		alloc(1, $base) if $mistake eq 'unseen';
		value(1, 'ws_put', 1, $object, $id) if $mistake =~ /^(bulk|unseen)$/;
	},
	sub {
		my ($base, $object, $id) = @_;
		event(0, 'gone_put', 1, $object);
		value(0, 'ws_put', 1, $object, $id);
		value(0, 'ws_put', 1, $object, $id) if $mistake =~ /^(gone|missed)$/;
		del(0, $object, $id);
		event(1, 'made_alloc', 1, 1, $object);
		add(1, $object, $id + 1000);
		value(1, 'ws_put', 1, $object, $id + 1000);
		event(1, 'made_alloc', 1, 1, $object) if $mistake eq 'made';
		value(1, 'ws_put', 1, $object, $id + 1000);
		release(0, $base);
		add(0, $object, $id + 2000, 'workload:open') if $mistake eq 'dead';
		value(0, 'ws_put', 1, $object, $id + 2000) if $mistake eq 'dead';
	},
	sub {
		my ($base, $object, $id) = @_;
		release_sheaf(0, $base);
		value(0, 'ws_put', 1, $object, $id) if $mistake eq 'sheaf';
		del(0, $object, $id);
	},
	sub {
		my ($base, $object, $id) = @_;
		event(1, 'around_rcu', 1, $base + $MEMORY - 16);
		value(0, 'ws_put', 1, $object, $id) if $mistake eq 'around';
		del(1, $object, $id);
	},
	sub {
		my ($base, $object, $id) = @_;
		event(0, 'free_nolock', 1, $base);
		value(0, 'ws_void', 1, $object, $id)
			if $object == $base && $mistake ne 'unprobed';
		value(0, 'ws_void', 1, $object, $id) if $mistake eq 'nolock';
		del(0, $object, $id);
	},
);

sub live {
	my ($nr) = @_;
	my $base = 0xffff000001000000 + 0x1000 * $nr;
	my $id = 100 + $nr;
	# Some begin somewhere in their memory, as a member of what lies there
	my $object = $base + ($nr % 12 < 6 ? 0 : 64);
	alloc(0, $base);
	# It does not matter which comes first
	event(1, 'made_alloc', 1, 1, $object) if $nr % 2;
	add(1, $object, $id);
	event(1, 'made_alloc', 1, 1, $object) if !($nr % 2);
	pass_around(0, $object, $id) if $mistake ne 'few' || $nr < 3;
	pass_around(1, $object, $id) if $mistake ne 'few' || $nr < 3;
	$WRONG{$mistake}->($object, $id) if $nr == 5 && $WRONG{$mistake};
	$ENDS[$nr % 6]->($base, $object, $id) if $mistake ne 'endless' || $nr < 9;
}

mkdir("$dir/sample") if !-d "$dir/sample";
write_symbols();
write_formats();
my $nr = $mistake eq 'objects' ? 7 : $OBJECTS;
live($_) for 0 .. $nr - 1;
# Of others, which are nothing to us
for my $i (1 .. ($mistake eq 'memory' ? 0 : 60)) {
	alloc($i % 2, 0xffff000009000000 + $MEMORY * $i);
	release(1, 0xffff000009000000 + $MEMORY * $i);
}
write_trace();

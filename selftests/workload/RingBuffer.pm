# SPDX-License-Identifier: GPL-2.0-only
#
# What a trace buffer holds, from the pages that per_cpu/cpuN/trace_pipe_raw gives and the
# files "format" of its events.
package RingBuffer;

use strict;
use warnings;

my $PAGE = 4096;
my $MISSED = 1 << 31;		# in a page's size: something was lost before it
my $SIZE = 0xfffff;

# What a number of an event's first word says, if it is not the event's length in words
my ($LONG, $LONGEST, $PADDING, $TIME_EXTEND, $TIME_STAMP) = (0, 28, 29, 30, 31);

my %UNPACK = ('1:0' => 'C', '1:1' => 'c', '2:0' => 'v', '2:1' => 's<', '4:0' => 'V',
	      '4:1' => 'l<', '8:0' => 'Q<', '8:1' => 'q<');

#
# Formats
#

# The bytes of an array's element. Of a probe's array newer kernels do not say how many there
# are ("u64 ptr[]").
sub size_of_element {
	my ($declaration, $size) = @_;
	return $1 / 8 if $declaration =~ /^[us](8|16|32|64) /;
	return $declaration =~ /\[([1-9]\d*)\]$/ ? $size / $1 : 0;
}

# A field as [offset, how to unpack it]; undef if it is none that is needed here
sub field {
	my ($declaration, $offset, $size, $signed) = @_;
	return [$offset, 'string'] if $declaration =~ /__data_loc char\[\]/;
	if ($declaration !~ /__data_loc/ && $declaration =~ /\]$/) {
		my $each = size_of_element($declaration, $size) || return undef;
		my $how = $UNPACK{"$each:$signed"} // return undef;
		return [$offset, "($how)" . $size / $each];
	}
	my $how = $UNPACK{"$size:$signed"} // return undef;
	return [$offset, $how];
}

# All formats of a file, one behind the other, by their IDs: name, fields by their names
sub read_formats {
	my ($path) = @_;
	open(my $in, '<', $path) or die "$path: $!\n";
	my (%formats, $name, $format);
	while (<$in>) {
		$name = $1 if /^name: (\S+)/;
		$format = $formats{$1} = { name => $name, fields => {} } if /^ID: (\d+)/;
		next unless /^\tfield:(.*);\s*offset:(\d+);\s*size:(\d+);\s*signed:(\d);/;
		my ($declaration, @place) = ($1, $2, $3, $4);
		my $field = field($declaration, @place);
		$declaration =~ s/\[\d*\]$//;
		my ($field_name) = $declaration =~ /(\w+)$/;
		$format->{fields}{$field_name} = $field if $field;
	}
	die "$path: no formats\n" if !%formats;
	return \%formats;
}

sub has {
	my ($event, $name) = @_;
	return exists $event->{format}{fields}{$name};
}

# A field of an event; of an array, a list
sub get {
	my ($event, $name) = @_;
	my $field = $event->{format}{fields}{$name} //
		die "the event $event->{name} has no field $name\n";
	my ($offset, $how) = @$field;
	if ($how eq 'string') {
		my ($at, $size) = unpack('vv', substr($event->{data}, $offset, 4));
		return unpack('Z*', substr($event->{data}, $at, $size));
	}
	return unpack("x$offset$how", $event->{data});
}

#
# Pages
#

# The event at AT, as (bytes until the next one, time since the last one, its data); no
# data if it is none, no bytes if the page ends. {base} is the time where it says one.
sub read_event {
	my ($page, $at, $state) = @_;
	my ($word, $more) = unpack('VV', substr($page, $at, 8) . "\0" x 8);
	my ($type, $delta) = ($word & 31, $word >> 5);
	if ($type == $LONG) {
		return (4 + ($more + 3 & ~3), $delta, substr($page, $at + 8, $more - 4));
	}
	return (4 + 4 * $type, $delta, substr($page, $at + 4, 4 * $type))
		if $type <= $LONGEST;
	return (8, ($more << 27) + $delta) if $type == $TIME_EXTEND;
	if ($type == $TIME_STAMP) {
		$state->{base} = ($more << 27) + $delta | $state->{start} & 0xf8 << 56;
		return (8, 0);
	}
	# Nothing comes behind it, or a record that was taken back
	return $delta ? (4 + $more, 0) : ();
}

sub read_page {
	my ($cpu, $page, $head, $formats) = @_;
	my ($start, $size) = unpack('Q<Q<', $page);
	my $state = { start => $start };
	my ($time, $at, $end) = ($start, $head, $head + ($size & $SIZE));
	die "cpu$cpu: the kernel has lost events\n" if $size & $MISSED;
	die "cpu$cpu: a page has $size bytes\n" if $end > $PAGE;
	my @events;
	while ($at < $end) {
		my ($length, $delta, $data) = read_event($page, $at, $state) or last;
		$time += $delta;
		$time = delete $state->{base} if exists $state->{base};
		$at += $length;
		die "cpu$cpu: an event of $length bytes is not all there\n" if $at > $end;
		next if !defined $data;
		my $format = $formats->{unpack('v', $data)};
		push @events, {
			cpu => $cpu, time => $time, format => $format, data => $data,
			name => $format ? $format->{name} : '',
		};
	}
	return @events;
}

# Where the events of a page begin, by events/header_page
sub header_size {
	my ($path) = @_;
	open(my $in, '<', $path) or die "$path: $!\n";
	while (<$in>) {
		return $1 if /field: char data;\s*offset:(\d+);/;
	}
	die "$path: does not say where a page's events begin\n";
}

# The events of one CPU
sub read_cpu {
	my ($cpu, $path, $head, $formats) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	my ($page, @events);
	while (my $got = read($in, $page, $PAGE)) {
		die "$path: ends within a page\n" if $got != $PAGE;
		push @events, read_page($cpu, $page, $head, $formats);
	}
	return @events;
}

# All events of a directory in the order of their time: cpuN, formats, header_page. Those
# of a CPU with the same time stay in their order. counts: how many there have to be.
sub read_trace {
	my ($dir, $counts) = @_;
	my $formats = read_formats("$dir/formats");
	my $head = header_size("$dir/header_page");
	my @events;
	for my $cpu (sort { $a <=> $b } keys %$counts) {
		my @more = read_cpu($cpu, "$dir/cpu$cpu", $head, $formats);
		my ($nr, $counted) = (scalar @more, $counts->{$cpu});
		die "cpu$cpu: $nr events, the kernel has counted $counted\n" if $nr != $counted;
		push @events, @more;
	}
	return sort { $a->{time} <=> $b->{time} } @events;
}

1;

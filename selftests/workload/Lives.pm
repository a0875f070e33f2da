# SPDX-License-Identifier: GPL-2.0-only
#
# From when to when objects live, by what the kernel itself says: the slab events, and
# probes on what lets objects go, or gives them out, without one. The names of the probes
# say what they are, see test.d/workload.sh.
#
# A life is a hash: object, event (which has added it), base (of the memory that it lies
# in, if that was seen to be given out), over (undef, or why it cannot be alive any more),
# records (how many came), hits (how many objtrace_del has told of), seen (the kernel itself
# has shown that it is over), reused (its place was given out again since), gone_by (the probe
# that has shown it), deleted (there was an objtrace_del), cpu.
package Lives;

use strict;
use warnings;

my $PAGE_SHIFT = 12;

sub new {
	# all: by id; at, page: those that are not seen to be over, by address and id;
	# given, taken: memory by its address: its size, and whether it was freed since;
	# events: how many have told of memory
	return { all => {}, at => {}, page => {}, given => {}, taken => {}, events => 0 };
}

sub begin {
	my ($lives, $id, $life) = @_;
	$lives->{all}{$id} = $life;
	$lives->{at}{$_}{$id} = $life for $life->{object}, $life->{base} // ();
	$lives->{page}{$life->{object} >> $PAGE_SHIFT}{$id} = $life;
}

# The entry of the function that frees it, or lets it go, is the last that may be recorded:
# EVENT, if that is a probe on it. Which of the two comes first is not said.
sub finish {
	my ($lives, $id, $why, $event) = @_;
	my $life = $lives->{all}{$id};
	delete $lives->{at}{$_}{$id} for $life->{object}, $life->{base} // ();
	delete $lives->{page}{$life->{object} >> $PAGE_SHIFT}{$id};
	$life->{over} //= $why;
	$life->{seen} = 1;
	$life->{gone_by} = $event;
}

# The ids of those at an address, or in memory that begins there
sub at {
	my ($lives, $address) = @_;
	return keys %{$lives->{at}{$address} // {}};
}

#
# Memory
#

sub memory_freed {
	my ($lives, $event, $address) = @_;
	$lives->{events}++;
	return if !$address;
	delete $lives->{given}{$address};
	$lives->{taken}{$address} = 1;
	my $why = "its memory was freed ($event->{name})";
	finish($lives, $_, $why, $event) for at($lives, $address);
}

sub memory_given {
	my ($lives, $event, $address, $size) = @_;
	$lives->{events}++;
	return if !$address;
	$lives->{given}{$address} = $size;
	delete $lives->{taken}{$address};
	my $end = $address + $size;
	my $why = "its memory was given out again ($event->{name})";
	for my $page ($address >> $PAGE_SHIFT .. $end - 1 >> $PAGE_SHIFT) {
		my $there = $lives->{page}{$page} // next;
		for my $id (keys %$there) {
			my $object = $there->{$id}{object};
			next if $object < $address || $object >= $end;
			finish($lives, $id, $why);
			$lives->{all}{$id}{reused} = 1;
		}
	}
}

# Where the memory begins that an address lies in
sub base_of {
	my ($lives, $address) = @_;
	my $given = $lives->{given};
	return $address if $given->{$address};
	for my $base (keys %$given) {
		return $base if $base <= $address && $address < $base + $given->{$base};
	}
	return undef;
}

# The same of the memory that an address is somewhere in. False if it was not seen to be
# given out.
sub memory_around_freed {
	my ($lives, $event, $address) = @_;
	my $base = base_of($lives, $address);
	memory_freed($lives, $event, $base // 0);
	return defined $base;
}

#
# Objects that are not freed but kept for the next one
#

sub object_gone {
	my ($lives, $event, $address) = @_;
	for my $id (at($lives, $address)) {
		my $life = $lives->{all}{$id};
		next if $life->{object} != $address;
		finish($lives, $id, "it was let go ($event->{name})", $event);
	}
}

# What has added it to objtrace is this very event, maybe
sub object_made {
	my ($lives, $event, $address) = @_;
	delete $lives->{taken}{$address};
	for my $id (at($lives, $address)) {
		my $life = $lives->{all}{$id};
		next if $life->{object} != $address;
		next if !$life->{records} && $life->{cpu} == $event->{cpu} &&
			$life->{event} =~ /:\Q$event->{name}\E$/;
		finish($lives, $id, "it was given out again ($event->{name})");
		$life->{reused} = 1;
	}
}

#
# What objtrace says of them
#

# Why it cannot be, or undef
sub added {
	my ($lives, $event, $id, $object, $by) = @_;
	my $life = { object => $object, event => $by, cpu => $event->{cpu}, records => 0,
		     base => base_of($lives, $object) };
	return 'its id was given twice' if $lives->{all}{$id};
	return 'the trigger tracks it already' if grep {
		$_->{object} == $object && $_->{event} eq $by && !defined $_->{over}
	} values %{$lives->{at}{$object} // {}};
	begin($lives, $id, $life);
	# The memory of what is kept and given out again may have come unseen
	return undef if !$lives->{taken}{$object} || $by =~ /:made_/;
	finish($lives, $id, 'it was added when its memory was free');
	return undef;
}

# May that record be, of an object that a probe has just seen to end?
sub is_letting_go {
	my ($life, $record, $names, $probes) = @_;
	my $by = delete $life->{gone_by} // return 0;
	my $function = $probes->{$by->{name}} // return 0;
	return !$life->{deleted} && $by->{cpu} == $record->{cpu} &&
		grep { $_ eq $function } @$names;
}

# Why it cannot be that a function received the object just now, or undef. An interrupt may
# come between the end and objtrace_del: it receives nothing, and its record is marked.
sub recorded {
	my ($lives, $record, $id, $object, $names, $probes, $is_marked) = @_;
	my $life = $lives->{all}{$id} // return 'no objtrace_add has told of its id';
	$life->{records}++;
	return 'its id is that of another object' if $life->{object} != $object;
	return undef if !defined $life->{over};
	return undef if $is_marked && !$life->{deleted} && !$life->{reused};
	return undef if is_letting_go($life, $record, $names, $probes);
	return $life->{over};
}

sub deleted {
	my ($lives, $id, $object, $hits) = @_;
	my $life = $lives->{all}{$id} // return 'no objtrace_add has told of its id';
	return 'its id is that of another object' if $life->{object} != $object;
	return 'its id has ended twice' if $life->{deleted};
	$life->{deleted} = 1;
	$life->{hits} = $hits;
	$life->{over} //= 'objtrace_del has ended it';
	return undef;
}

# Those of which objtrace_del has told of another number of hits than there are records
sub miscounted {
	my ($lives) = @_;
	my $all = $lives->{all};
	return grep { ($all->{$_}{hits} // $all->{$_}{records}) != $all->{$_}{records} }
		sort { $a <=> $b } keys %$all;
}

1;

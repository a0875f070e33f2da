# SPDX-License-Identifier: GPL-2.0-only
#
# What BTF says of functions: which registers of theirs can hold a pointer, and what it
# is that they hold.
#
# How arguments are passed is taken from the ABIs alone (System V AMD64 3.2.3 and AAPCS64
# 6.8.2). Nothing here is shared with objtrace_args.c, which this is there to check.
package Btf;

use strict;
use warnings;

my $MAGIC = 0xeb9f;
my ($INT, $PTR, $ARRAY, $STRUCT, $UNION, $ENUM, $FWD, $TYPEDEF, $VOLATILE, $CONST,
    $RESTRICT, $FUNC, $FUNC_PROTO, $VAR, $DATASEC, $FLOAT, $DECL_TAG, $TYPE_TAG,
    $ENUM64) = 1 .. 19;

# Bytes behind the three words that each type has: for all, and for each of its parts
my %MORE = ($INT => 4, $ARRAY => 12, $VAR => 4, $DECL_TAG => 4);
my %EACH = ($STRUCT => 12, $UNION => 12, $ENUM => 8, $FUNC_PROTO => 8, $DATASEC => 12,
	    $ENUM64 => 12);

# A name or a qualifier of another type
my %IS_NAME = map { $_ => 1 } $TYPEDEF, $VOLATILE, $CONST, $RESTRICT, $TYPE_TAG;

my %REGISTERS = (x86_64 => 6, arm64 => 8);
my $WORD = 8;
my $LARGEST = 2 * $WORD;	# what is passed in registers
my $DEPTH = 32;			# of types in types; there is no such struct

#
# Reading it
#

# The types are kept as they are in the file: all but few are never looked at.
sub read_types {
	my ($btf, $data) = @_;
	my ($at, $id) = (0, $btf->{first});
	while ($at < length($data)) {
		my ($name, $info) = unpack('VV', substr($data, $at, 8));
		my $kind = $info >> 24 & 0x1f;
		my $size = 12 + ($MORE{$kind} // 0) + ($EACH{$kind} // 0) * ($info & 0xffff);
		die "$btf->{path}: type $id is of unknown kind $kind\n"
			if !$kind || $kind > $ENUM64;
		push @{$btf->{types}}, substr($data, $at, $size);
		push @{$btf->{functions}{name_at($btf, $name)}}, $id if $kind == $FUNC;
		$at += $size;
		$id++;
	}
}

# The BTF in a file. That of a module goes on where its base ends, the kernel's.
sub load {
	my ($path, $base) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	local $/;
	my $data = <$in> // '';
	my ($magic, $version, $head, $types, $types_size, $strings, $strings_size) =
		unpack('vCxV5', $data);
	die "$path: no BTF\n" if length($data) < 24 || $magic != $MAGIC || $version != 1;
	my $btf = {
		path => $path, base => $base, types => [], functions => {},
		first => $base ? $base->{first} + @{$base->{types}} : 1,
		first_string => $base ? length($base->{strings}) : 0,
		strings => substr($data, $head + $strings, $strings_size),
	};
	read_types($btf, substr($data, $head + $types, $types_size));
	return $btf;
}

sub name_at {
	my ($btf, $at) = @_;
	return name_at($btf->{base}, $at) if $at < $btf->{first_string};
	return unpack('Z*', substr($btf->{strings}, $at - $btf->{first_string}, 512));
}

# A type as a hash: kind, name, flag (a struct's members tell the size of bitfields), size
# or the type that it is of, and the rest.
sub type {
	my ($btf, $id) = @_;
	return { kind => 0, name => 'void' } if !$id;
	return type($btf->{base}, $id) if $id < $btf->{first};
	my $raw = $btf->{types}[$id - $btf->{first}] // die "$btf->{path}: no type $id\n";
	my ($name, $info, $size) = unpack('VVV', $raw);
	return {
		kind => $info >> 24 & 0x1f, name => name_at($btf, $name), flag => $info >> 31,
		size => $size, of => $size, rest => substr($raw, 12),
	};
}

# Without names and qualifiers
sub plain {
	my ($btf, $id) = @_;
	my $t = type($btf, $id);
	$t = type($btf, $t->{of}) while $IS_NAME{$t->{kind}};
	return $t;
}

sub members {
	my ($t) = @_;
	my @words = unpack('(VVV)*', $t->{rest});
	my @members;
	while (my ($name, $type, $offset) = splice(@words, 0, 3)) {
		my $bits = $t->{flag} ? $offset >> 24 : 0;
		push @members, { name => $name, type => $type, bits => $bits,
				 at => $t->{flag} ? $offset & 0xffffff : $offset };
	}
	return @members;
}

#
# Values
#
# What a value is made of: size; words, what the word N can hold: the name of a pointer or
# integer, or ''; torn: a member is not aligned; wide: it has a __int128; strange: how it
# is passed cannot be told.
#

sub is_struct { return $_[0]{kind} == $STRUCT || $_[0]{kind} == $UNION; }

sub pointer_name {
	my ($btf, $t) = @_;
	my $to = plain($btf, $t->{of});
	return 'void *' if !$to->{kind};
	return "struct $to->{name} *" if is_struct($to) || $to->{kind} == $FWD;
	return 'pointer';
}

# A value that is no struct, at so many bits from the beginning of the one that it is in
sub add_scalar {
	my ($v, $at, $size, $name) = @_;
	return $v->{strange} = 1 if !grep { $size == $_ } 1, 2, 4, 8, 16;
	$v->{torn} = 1 if $at % (8 * $size);
	$v->{wide} = 1 if $size == 16;
	my ($first, $last) = (int($at / 64), int(($at + 8 * $size - 1) / 64));
	$v->{words}[$_] //= '' for $first .. $last;
	$v->{words}[$first] = $name if $size == $WORD && !($at % 64);
}

sub add_array {
	my ($btf, $v, $at, $t, $depth) = @_;
	my ($type, undef, $nr) = unpack('VVV', $t->{rest});
	my $size = size_of($btf, $type);
	# Compilers do not agree
	return $v->{strange} = 1 if !$nr || !$size || $nr * $size > $LARGEST;
	my $torn = $v->{torn};
	for my $i (0 .. $nr - 1) {
		add($btf, $v, $at + 8 * $size * $i, $type, $depth);
		$v->{strange} = 1 if $i && ($v->{torn} // 0) != ($torn // 0);
		$torn = $v->{torn};
	}
}

sub add_members {
	my ($btf, $v, $at, $t, $depth) = @_;
	for my $m (members($t)) {
		if (!$m->{bits}) {
			add($btf, $v, $at + $m->{at}, $m->{type}, $depth);
			next;
		}
		$v->{strange} = 1 if size_of($btf, $m->{type}) > $WORD;
		my $first = $at + $m->{at};
		my $last = $first + $m->{bits} - 1;
		$v->{words}[$_] //= '' for int($first / 64) .. int($last / 64);
	}
}

sub add {
	my ($btf, $v, $at, $id, $depth) = @_;
	my $t = plain($btf, $id);
	my $kind = $t->{kind};
	if ($kind == $PTR) {
		add_scalar($v, $at, $WORD, pointer_name($btf, $t));
	} elsif ($kind == $INT) {
		add_scalar($v, $at, $t->{size}, 'integer');
	} elsif ($kind == $ENUM || $kind == $ENUM64) {
		add_scalar($v, $at, $t->{size}, '');
	} elsif (is_struct($t) && $depth) {
		add_members($btf, $v, $at, $t, $depth - 1);
	} elsif ($kind == $ARRAY && $depth) {
		add_array($btf, $v, $at, $t, $depth - 1);
	} else {
		$v->{strange} = 1;
	}
}

sub size_of {
	my ($btf, $id) = @_;
	my $t = plain($btf, $id);
	return $WORD if $t->{kind} == $PTR;
	if ($t->{kind} == $ARRAY) {
		my ($type, undef, $nr) = unpack('VVV', $t->{rest});
		return $nr * size_of($btf, $type);
	}
	return $t->{size} // 0;
}

sub value {
	my ($btf, $id) = @_;
	my $t = plain($btf, $id);
	my $v = { size => size_of($btf, $id), words => [] };
	# No argument is an array, and floats have registers of their own
	return { strange => 1 } if $t->{kind} == $ARRAY || $t->{kind} == $FLOAT;
	return $v if is_struct($t) && !$v->{size};
	# No more than four floats, maybe
	return $v if is_struct($t) && $v->{size} > 64;
	if (is_struct($t) && $v->{size} > $LARGEST) {
		add_large($btf, $v, $t);
		return $v;
	}
	add($btf, $v, 0, $id, $DEPTH);
	# A word that is only there because of an alignment
	$v->{strange} = 1 if grep { !defined $v->{words}[$_] } 0 .. words_of($v) - 1;
	return $v;
}

# In memory: what is in it does not matter, unless it is nothing but floats
sub add_large {
	my ($btf, $v, $t) = @_;
	my @left = members($t);
	my $depth = $DEPTH;
	while (@left && $depth--) {
		my $m = plain($btf, (shift @left)->{type});
		$v->{strange} = 1 if $m->{kind} == $FLOAT;
		unshift @left, members($m) if is_struct($m);
		unshift @left, { type => unpack('V', $m->{rest}) }
			if $m->{kind} == $ARRAY;
	}
}

#
# Calls
#

sub words_of { return int(($_[0]{size} + $WORD - 1) / $WORD); }

# Class MEMORY of the ABI of x86-64
sub in_memory { return $_[0]{size} > $LARGEST || $_[0]{torn}; }

# All words in registers, or none
sub to_registers {
	my ($call, $v) = @_;
	my $nr = words_of($v);
	return 0 if $call->{next} + $nr > $call->{nr};
	$call->{holds}[$call->{next}++] = $_ for @{$v->{words}}[0 .. $nr - 1];
	return 1;
}

sub pass_x86_64 {
	my ($call, $v) = @_;
	to_registers($call, $v) if !in_memory($v);
}

# C.8: what is aligned to 16 begins in an even register. C.12: of what is large the
# address of a copy is passed. C.13: behind what was too large no register is used.
sub pass_arm64 {
	my ($call, $v) = @_;
	$v = { size => $WORD, words => [''] } if $v->{size} > $LARGEST;
	$call->{next}++ if $v->{wide} && $call->{next} % 2;
	$call->{next} = $call->{nr} if !to_registers($call, $v);
}

# On x86-64 the first register says where a large result is to be written
sub pass_result {
	my ($btf, $call, $abi, $id) = @_;
	return 1 if $abi ne 'x86_64' || !plain($btf, $id)->{kind};
	my $v = value($btf, $id);
	$call->{holds}[$call->{next}++] = '' if !$v->{strange} && in_memory($v);
	return !$v->{strange};
}

# What registers hold at the entry of a prototype's function, by their number from 0:
# "struct NAME *", "void *", "pointer", "integer", or '' if it is no object; in {variable}
# which is the first that "..." can be in, if any. undef: it cannot be told.
sub registers {
	my ($btf, $proto, $abi) = @_;
	my $t = type($btf, $proto);
	my $call = { nr => $REGISTERS{$abi}, next => 0, holds => [] };
	return undef if $t->{kind} != $FUNC_PROTO;
	return undef if !pass_result($btf, $call, $abi, $t->{of});
	my @params = unpack('(VV)*', $t->{rest});
	while (my ($name, $type) = splice(@params, 0, 2)) {
		if (!$name && !$type && !@params) {
			$call->{variable} = $call->{next} if $call->{next} < $call->{nr};
			last;
		}
		my $v = value($btf, $type);
		return undef if $v->{strange};
		pass_x86_64($call, $v) if $abi eq 'x86_64';
		pass_arm64($call, $v) if $abi eq 'arm64';
	}
	return $call;
}

# How many bytes a member is behind the beginning of a struct, maybe as one of an anonymous
# struct or union in it; undef if there is none
sub member_offset {
	my ($btf, $t, $name, $depth) = @_;
	for my $m (members($t)) {
		my $called = name_at($btf, $m->{name});
		return $m->{at} / 8 if $called eq $name;
		my $inner = plain($btf, $m->{type});
		next if $called ne '' || !is_struct($inner) || !$depth;
		my $offset = member_offset($btf, $inner, $name, $depth - 1) // next;
		return $m->{at} / 8 + $offset;
	}
	return undef;
}

# The same of the struct with a tag
sub offset_of {
	my ($btf, $struct, $name) = @_;
	for my $id ($btf->{first} .. $btf->{first} + $#{$btf->{types}}) {
		my ($called, $info) = unpack('VV', $btf->{types}[$id - $btf->{first}]);
		next if ($info >> 24 & 0x1f) != $STRUCT || name_at($btf, $called) ne $struct;
		return member_offset($btf, type($btf, $id), $name, $DEPTH);
	}
	return undef;
}

# The types of the functions with a name
sub functions {
	my ($btf, $name) = @_;
	return @{$btf->{functions}{$name} // []};
}

# See registers()
sub registers_of {
	my ($btf, $function, $abi) = @_;
	return registers($btf, type($btf, $function)->{of}, $abi);
}

1;

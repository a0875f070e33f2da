#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# alter-image.pl IMAGE OUT CHANGE...
# alter-image.pl --words IMAGE CHANGE...
#
# Make a kernel with another BTF than IMAGE, for tests of a module that reads the BTF.
# The code does not change, and nothing moves, so that OUT boots as IMAGE does. The
# changes are
#	rename-member STRUCT MEMBER
#	move-member STRUCT MEMBER BITS	to that many bits further on
#	resize-struct STRUCT BYTES	by that many bytes
#	change-prototype FUNCTION	to that of another function
#	drop-function FUNCTION		BTF describes it no longer
#	break-btf			BTF as a whole is damaged
#
# OUT is what kernel-image.pl calls the kernel: QEMU boots the ELF of an x86 kernel
# by its PVH entry, and the Image of an arm64 one as it is.
#
# --words writes no image. It prints a line for each CHANGE: the 32-bit words of the BTF
# that this change alone replaces, as the parameter btf_words of the test module
# objtrace_alter takes them.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use KernelImage;

my ($INT, $ARRAY, $STRUCT, $UNION, $ENUM) = (1, 3, 4, 5, 6);
my ($FUNC, $FUNC_PROTO, $VAR, $DATASEC, $DECL_TAG, $ENUM64) = (12, 13, 14, 15, 17, 19);

# Bytes that follow a type of BTF: of all of it, and of each of what it lists.
my %fixed = ($INT => 4, $ARRAY => 12, $VAR => 4, $DECL_TAG => 4);
my %each = ($STRUCT => 12, $UNION => 12, $ENUM => 8, $FUNC_PROTO => 8, $DATASEC => 12, $ENUM64 => 12);

my $image;

sub get { return unpack('V', substr($image->{data}, $_[0], 4)); }

my @replaced;	# words, each [its place, its old value, its new value]

sub put {
	my ($at, $value) = @_;
	push(@replaced, [$at, get($at), $value]);
	substr($image->{data}, $at, 4) = pack('V', $value);
}

sub print_words {
	my ($btf) = KernelImage::find_btf($image);
	print(join(',', map { sprintf('%x %x %x', $_->[0] - $btf, $_->[1], $_->[2]) } @replaced), "\n");
}

sub put_back {
	put($_->[0], $_->[1]) for reverse(splice(@replaced));
	@replaced = ();
}

# All types of BTF in the order of their IDs, each with the place of its struct
# btf_type in the kernel; and where the strings start.
sub read_btf {
	my ($at) = KernelImage::find_btf($image);
	my ($type_off, $type_len, $str_off) = unpack('x8VVV', substr($image->{data}, $at, 20));
	my @types = (undef);
	my $end = $at + 24 + $type_off + $type_len;
	for (my $t = $at + 24 + $type_off; $t < $end; ) {
		my ($name, $info, $type) = unpack('VVV', substr($image->{data}, $t, 12));
		my $kind = $info >> 24 & 0x1f;
		my $type_at = $t;
		$t += 12 + ($fixed{$kind} // 0) + ($each{$kind} // 0) * ($info & 0xffff);
		push(@types, { at => $type_at, name => $name, kind => $kind, nr => $info & 0xffff,
			       bitfields => $info >> 31, type => $type });
	}
	return (\@types, $at + 24 + $str_off);
}

my ($btf_types, $btf_strings);

sub btf_name {
	my ($offset) = @_;
	my $at = $btf_strings + $offset;
	return substr($image->{data}, $at, index($image->{data}, "\0", $at) - $at);
}

# All types of a kind that have that name.
sub btf_named {
	my ($kind, $name) = @_;
	($btf_types, $btf_strings) = read_btf() if !$btf_types;
	my @found = grep { $_ && $_->{kind} == $kind && btf_name($_->{name}) eq $name } @$btf_types;
	KernelImage::refuse($image, "BTF has no $name") if !@found;
	return @found;
}

# All structs btf_member of that name.
sub members {
	my ($struct, $member) = @_;
	my @found;
	for my $type (btf_named($STRUCT, $struct)) {
		my @all = map { $type->{at} + 12 + 12 * $_ } 0 .. $type->{nr} - 1;
		push(@found, map { { at => $_, bitfields => $type->{bitfields} } }
			grep { btf_name(get($_)) eq $member } @all);
	}
	KernelImage::refuse($image, "struct $struct has no $member") if !@found;
	return @found;
}

# The name without its first character is a string, too, and no other type's name.
sub rename_at {
	my ($at) = @_;
	my $name = btf_name(get($at) + 1);
	KernelImage::refuse($image, "'$name' is no name") if $name !~ /^[A-Za-z_]/;
	put($at, get($at) + 1);
}

sub rename_member { rename_at($_->{at}) for members(@_); }

sub move_member {
	my ($struct, $member, $bits) = @_;
	for my $m (members($struct, $member)) {
		my $mask = $m->{bitfields} ? 0xffffff : 0xffffffff;
		my $offset = get($m->{at} + 8);
		put($m->{at} + 8, $offset & ~$mask | ($offset & $mask) + $bits);
	}
}

sub resize_struct {
	my ($struct, $bytes) = @_;
	put($_->{at} + 8, $_->{type} + $bytes) for btf_named($STRUCT, $struct);
}

# The kernel accepts for a function only the prototype of one: its parameters have
# names.
sub change_prototype {
	my ($function) = @_;
	for my $f (btf_named($FUNC, $function)) {
		my $nr = $btf_types->[$f->{type}]{nr};
		my ($other) = grep { $_ && $_->{kind} == $FUNC && $btf_types->[$_->{type}]{nr} != $nr } @$btf_types;
		put($f->{at} + 8, $other->{type});
	}
}

sub drop_function { rename_at($_->{at}) for btf_named($FUNC, $_[0]); }

sub break_btf {
	my ($at) = KernelImage::find_btf($image);
	substr($image->{data}, $at, 2) = "\0\0";
}

my %changes = (
	'rename-member' => [2, \&rename_member],
	'move-member' => [3, \&move_member],
	'resize-struct' => [2, \&resize_struct],
	'change-prototype' => [1, \&change_prototype],
	'drop-function' => [1, \&drop_function],
	'break-btf' => [0, \&break_btf],
);

my $words = @ARGV && $ARGV[0] eq '--words' ? shift(@ARGV) : '';
die "usage: alter-image.pl IMAGE OUT CHANGE...\n       alter-image.pl --words IMAGE CHANGE...\n"
	if @ARGV < ($words ? 2 : 3);
my $path = shift(@ARGV);
my $out = $words ? '' : shift(@ARGV);
$image = KernelImage::open_image($path);
while (my $change = shift(@ARGV)) {
	my ($nr, $function) = @{$changes{$change} // die "alter-image.pl: unknown change '$change'\n"};
	die "alter-image.pl: $change takes $nr words\n" if @ARGV < $nr;
	$function->(splice(@ARGV, 0, $nr));
	next if !$words;
	die "alter-image.pl: $change replaces no words\n" if !@replaced;
	print_words();
	put_back();
}
exit(0) if $words;
open(my $to, '>:raw', $out) or die "$out: $!\n";
print $to $image->{data};
close($to) or die "$out: $!\n";

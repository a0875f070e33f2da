#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# extract-btf.pl IMAGE: print the raw BTF that a kernel image carries.
#
# Debian ships the image without its ELF, and for older series no vmlinux with
# the headers either, but /sys/kernel/btf/vmlinux of the running kernel is a
# part of the image. Handles an x86 bzImage, an arm64 Image (raw or gzip) and
# an EFI zboot image.

use strict;
use warnings;

my $BTF_MAGIC = 0xeB9F;
my $BTF_MIN = 1 << 20;		# the kernel's own is megabytes; a stray match is not

sub slurp {
	my ($path) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	local $/;
	return <$in>;
}

# Run the decompressor over DATA. What follows the stream (bzImage appends the
# unpacked size) makes some of them complain, so only the output counts.
sub unpack_with {
	my ($data, @command) = @_;
	pipe(my $from, my $to) or die "pipe: $!\n";
	my $writer = fork() // die "fork: $!\n";
	if (!$writer) {
		$SIG{PIPE} = 'IGNORE';
		close($from);
		binmode($to);
		print $to $data;
		close($to);
		exit(0);
	}
	close($to);
	my $reader = open(my $out, '-|') // die "fork: $!\n";
	if (!$reader) {
		open(STDIN, '<&', $from) or die;
		open(STDERR, '>', '/dev/null') or die;
		exec(@command) or exit(127);
	}
	close($from);
	binmode($out);
	local $/;
	my $plain = <$out>;
	close($out);
	waitpid($writer, 0);
	return $plain;
}

sub decompress {
	my ($data) = @_;
	my $head = substr($data, 0, 6);
	return unpack_with($data, 'gzip', '-dc') if $head =~ /^\x1f\x8b/;
	return unpack_with($data, 'xz', '-dc', '--single-stream') if $head =~ /^\xfd7zXZ/;
	return unpack_with($data, 'zstd', '-dcq') if $head =~ /^\x28\xb5\x2f\xfd/;
	return unpack_with($data, 'lz4', '-dcq') if $head =~ /^\x02\x21\x4c\x18/;
	return $data;
}

# The compressed kernel inside the image, or the image itself.
sub payload {
	my ($image) = @_;
	if (substr($image, 0x202, 4) eq 'HdrS') {
		my $sects = unpack('C', substr($image, 0x1f1, 1)) || 4;
		my ($off, $len) = unpack('VV', substr($image, 0x248, 8));
		return substr($image, ($sects + 1) * 512 + $off, $len);
	}
	if (substr($image, 0, 2) eq 'MZ' && substr($image, 4, 4) eq 'zimg') {
		my ($off, $len) = unpack('VV', substr($image, 8, 8));
		return substr($image, $off, $len);
	}
	return $image;
}

# struct btf_header: magic, version, flags, hdr_len, type_off, type_len, str_off, str_len
sub find_btf {
	my ($kernel) = @_;
	my $needle = pack('vCCVV', $BTF_MAGIC, 1, 0, 24, 0);
	for (my $at = index($kernel, $needle); $at >= 0; $at = index($kernel, $needle, $at + 1)) {
		my ($type_len, $str_off, $str_len) = unpack('x12VVV', substr($kernel, $at, 24));
		my $size = 24 + $str_off + $str_len;
		next if $str_off != $type_len || $size < $BTF_MIN || $at + $size > length($kernel);
		my $strings = substr($kernel, $at + 24 + $str_off, $str_len);
		next if substr($strings, 0, 1) ne "\0" || substr($strings, -1) ne "\0";
		return substr($kernel, $at, $size);
	}
	return undef;
}

die "usage: extract-btf.pl IMAGE\n" if @ARGV != 1;
my $btf = find_btf(decompress(payload(decompress(slurp($ARGV[0])))));
die "$ARGV[0]: no BTF found\n" if !defined($btf);
binmode(STDOUT);
print $btf;

# SPDX-License-Identifier: GPL-2.0-only
#
# What is inside a Debian kernel image: the decompressed kernel, its BTF and its
# symbols. Debian ships the image without its ELF symbols, System.map is a stub,
# and for older series no vmlinux is with the headers either; but the BTF of
# /sys/kernel/btf/vmlinux and the tables of /proc/kallsyms are parts of the image.
#
# Handles an x86 bzImage, an arm64 Image (raw or gzip) and an EFI zboot image.
# Whatever cannot be found, or is not as it should be, dies with one line.

package KernelImage;

use strict;
use warnings;

my $BTF_MAGIC = 0xeB9F;
my $BTF_MIN = 1 << 20;		# the kernel's own is megabytes; a stray match is not

# Where arm64 kernels are linked to: 6.12 and newer, 6.1.
my @ARM64_TEXT = (0xffff8000 << 32 | 0x80000000, 0xffff8000 << 32 | 0x08000000);
my $ARM64_RELATIVE = 0x403;	# type of a relocation
my $KERNEL_HALF = 0xffff << 48;

# Markers of kallsyms, one for 256 symbols, that a kernel may have; and bytes of the
# names behind the last one.
my $FEWEST_MARKERS = 64;
my $MOST_MARKERS = 4096;
my $LONGEST_NAMES = 256 * 1024;
my $LONGEST_HEAD = 64 * 1024;	# of an image, before its code

# An image as a hash: path; data, the decompressed kernel; start and end in memory;
# segments, each [address, file offset, size in the file].
sub open_image {
	my ($path) = @_;
	my $image = { path => $path };
	$image->{data} = decompress(payload(decompress(slurp($path))));
	if (is_elf($image)) {
		load_elf($image);
	} elsif (is_arm64($image)) {
		load_arm64($image, $ARM64_TEXT[0]);
	} else {
		refuse($image, 'neither an x86-64 nor an arm64 kernel');
	}
	return $image;
}

sub refuse {
	my ($image, $text) = @_;
	die "$image->{path}: $text\n";
}

sub slurp {
	my ($path) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	local $/;
	return scalar(<$in>) // '';
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
	if (length($image) > 0x250 && substr($image, 0x202, 4) eq 'HdrS') {
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

sub is_elf { return substr($_[0]{data}, 0, 5) eq "\x7fELF\x02"; }
sub is_arm64 { return substr($_[0]{data}, 0x38, 4) eq 'ARMd'; }

# Of the program headers only those count that are loaded into the kernel's half:
# older kernels have another, at 0, for the variables of each CPU.
sub load_elf {
	my ($image) = @_;
	my ($phoff, $phentsize, $phnum) = unpack('x32Q<x14vv', $image->{data});
	for my $i (0 .. $phnum - 1) {
		my ($type, $offset, $addr, $filesz, $memsz) =
			unpack('Vx4Q<Q<x8Q<Q<', substr($image->{data}, $phoff + $i * $phentsize, $phentsize));
		next if $type != 1 || $addr < $KERNEL_HALF;
		push(@{$image->{segments}}, [$addr, $offset, $filesz]);
		$image->{start} //= $addr;
		$image->{end} = $addr + $memsz;
	}
	refuse($image, 'an ELF without a kernel') if !$image->{segments};
}

# An arm64 Image is loaded as it is; its header tells how much memory it needs.
sub load_arm64 {
	my ($image, $start) = @_;
	$image->{segments} = [[$start, 0, length($image->{data})]];
	$image->{start} = $start;
	$image->{end} = $start + unpack('x16Q<', $image->{data});
}

# The address at which a byte of the kernel lies, or undef if it is not loaded.
sub address_of {
	my ($image, $at) = @_;
	for my $s (@{$image->{segments}}) {
		return $s->[0] + $at - $s->[1] if $at >= $s->[1] && $at < $s->[1] + $s->[2];
	}
	return undef;
}

# Where in the kernel an address lies, or undef.
sub offset_of {
	my ($image, $address) = @_;
	for my $s (@{$image->{segments}}) {
		return $address - $s->[0] + $s->[1] if $address >= $s->[0] && $address < $s->[0] + $s->[2];
	}
	return undef;
}

# Where a section of the ELF starts, and its size; nothing if there is none.
sub section {
	my ($image, $wanted) = @_;
	refuse($image, 'no ELF, so no sections') if !is_elf($image);
	my ($shoff, $shentsize, $shnum, $shstrndx) = unpack('x40Q<x10vvv', $image->{data});
	my @headers = map { [unpack('VVQ<Q<Q<Q<', substr($image->{data}, $shoff + $_ * $shentsize, $shentsize))] }
		0 .. $shnum - 1;
	for my $header (@headers) {
		my $name = unpack('Z*', substr($image->{data}, $headers[$shstrndx][4] + $header->[0], 256));
		return ($header->[4], $header->[5]) if $name eq $wanted;
	}
	return ();
}

# struct btf_header: magic, version, flags, hdr_len, type_off, type_len, str_off,
# str_len. Returns where it starts and the size of all of it.
sub find_btf {
	my ($image) = @_;
	my $needle = pack('vCCVV', $BTF_MAGIC, 1, 0, 24, 0);
	for (my $at = index($image->{data}, $needle); $at >= 0;
	     $at = index($image->{data}, $needle, $at + 1)) {
		my ($type_len, $str_off, $str_len) = unpack('x12VVV', substr($image->{data}, $at, 24));
		my $size = 24 + $str_off + $str_len;
		next if $str_off != $type_len || $size < $BTF_MIN || $at + $size > length($image->{data});
		my $strings = substr($image->{data}, $at + 24 + $str_off, $str_len);
		next if substr($strings, 0, 1) ne "\0" || substr($strings, -1) ne "\0";
		return ($at, $size);
	}
	refuse($image, 'no BTF found');
}

# The tables of kallsyms, in the order in which they lie in the image:
#
#	[offsets, relative_base]	up to 6.3: u32 of each symbol, u64
#	num_syms		u32
#	names			of each symbol: its length (bit 7: a second byte
#				follows) and as many indices of tokens; the first
#				character of the text is the type
#	markers			u32, where each 256th symbol's name starts
#	[seqs_of_names]		up to 6.3, in new 6.1: 3 bytes of each symbol
#	token_table		256 strings
#	token_index		u16, where each token starts
#	[offsets, relative_base]	from 6.4 on
#	[offsets]		from 7.0 on
#
# Each starts at a multiple of 8, from 7.0 on of 4. They carry no magic number, but
# what one of them says of another is so much that only the right place can agree:
# all of it is checked, nothing is believed.

sub align { return ($_[0] + $_[1] - 1) & ~($_[1] - 1); }

# Find the tokens: those of the digits stand for themselves. Returns where the
# table starts, where token_index ends, and the tokens.
sub find_tokens {
	my ($image, $unit) = @_;
	my $digits = join("\0", 0 .. 9, '');
	for (my $at = index($image->{data}, $digits); $at >= 0;
	     $at = index($image->{data}, $digits, $at + 1)) {
		my $end = $at;
		for (ord('0') .. 255) {
			$end = index($image->{data}, "\0", $end) + 1 || last;
		}
		my $index_at = align($end, $unit);
		my ($start, $tokens) = tokens_of($image, $at, $end, $index_at);
		return ($start, $index_at + 512, $tokens) if $tokens;
	}
	return ();
}

# The start of the table and the tokens, if the token "0" lies at ZERO, the last
# one ends at END, and token_index says the same of each.
sub tokens_of {
	my ($image, $zero, $end, $index_at) = @_;
	my @index = unpack('v256', substr($image->{data}, $index_at, 512));
	return () if @index != 256 || $index[0] || $index[ord('0')] > $zero;
	my $start = $zero - $index[ord('0')];
	my @tokens = unpack('(Z*)256', substr($image->{data}, $start, $end - $start));
	my $next = 0;
	for my $i (0 .. 255) {
		return () if $index[$i] != $next;
		$next += length($tokens[$i]) + 1;
	}
	return $start + $next == $end ? ($start, \@tokens) : ();
}

# How long the name at AT is: bytes before the tokens, tokens.
sub name_length {
	my ($image, $at) = @_;
	my ($length, $more) = unpack('CC', substr($image->{data}, $at, 2));
	return $length & 0x80 ? (2, $length & 0x7f | $more << 7) : (1, $length);
}

# Where each name starts, if NUM of them lie between START and END and agree with
# the markers.
sub name_positions {
	my ($image, $num, $start, $end, $unit, $markers) = @_;
	my @positions;
	my $at = $start;
	for my $i (0 .. $num - 1) {
		return undef if $at >= $end;
		return undef if !($i & 255) && $at - $start != $markers->[$i >> 8];
		push(@positions, $at);
		my ($head, $length) = name_length($image, $at);
		$at += $head + $length;
	}
	return align($at, $unit) == $end ? \@positions : undef;
}

# Find num_syms, by trying each place before the markers at which it may be.
# Returns where it is, and the positions of the names.
sub find_names {
	my ($image, $end, $unit, $markers) = @_;
	my $last = $end - $markers->[-1];
	for (my $start = $last & ~($unit - 1);
	     $start > $last - $LONGEST_NAMES && $start > $unit; $start -= $unit) {
		my $num = unpack($unit == 8 ? 'Q<' : 'V', substr($image->{data}, $start - $unit, $unit));
		next if ($num + 255) >> 8 != @$markers;
		my $positions = name_positions($image, $num, $start, $end, $unit, $markers);
		return ($start - $unit, $positions) if $positions;
	}
	return ();
}

# Find the markers before TABLE, with WIDTH bytes of each symbol between, and the
# names before them. Returns where num_syms is, and the positions of the names.
sub find_markers {
	my ($image, $table, $unit, $width) = @_;
	for my $n ($FEWEST_MARKERS .. $MOST_MARKERS) {
		my $last = $table - align($width * (256 * $n - 255), $unit);
		for (my $end = $table - align($width * 256 * $n, $unit); $end <= $last; $end += $unit) {
			my $at = $end - align(4 * $n, $unit);
			next if $at < 0 || substr($image->{data}, $at, 4) ne "\0\0\0\0" ||
				substr($image->{data}, $at, 8) eq "\0" x 8;
			my @markers = unpack("V$n", substr($image->{data}, $at, 4 * $n));
			next if grep { $markers[$_] <= $markers[$_ - 1] } 1 .. $n - 1;
			my @found = find_names($image, $at, $unit, \@markers);
			return @found if @found;
		}
	}
	return ();
}

sub symbol_at {
	my ($image, $at, $tokens) = @_;
	my ($head, $length) = name_length($image, $at);
	my $text = join('', map { $tokens->[$_] } unpack('C*', substr($image->{data}, $at + $head, $length)));
	return { type => substr($text, 0, 1), name => substr($text, 1) };
}

# relative_base, which an arm64 kernel may give itself only when it starts: then a
# relocation of that place tells it, and where the kernel is linked to.
sub relative_base {
	my ($image, $at) = @_;
	my $base = unpack('Q<', substr($image->{data}, $at, 8));
	return $base if $base || !is_arm64($image);
	for my $start (@ARM64_TEXT) {
		my $relocation = index($image->{data}, pack('Q<Q<', $start + $at, $ARM64_RELATIVE));
		next if $relocation < 0;
		load_arm64($image, $start);
		return unpack('Q<', substr($image->{data}, $relocation + 16, 8));
	}
	return 0;
}

# The ways in which addresses have been written, as the lists of addresses that
# they give. Up to 6.14 an offset on x86 that is not negative is an address itself;
# from 7.0 on each counts from the place where it is written.
sub address_forms {
	my ($image, $num, $offsets, $unit) = @_;
	my $base_at = align($offsets + 4 * $num, $unit);
	return () if $offsets < 0 || $base_at + 8 > length($image->{data});
	my @unsigned = unpack("V$num", substr($image->{data}, $offsets, 4 * $num));
	my @signed = unpack("l<$num", substr($image->{data}, $offsets, 4 * $num));
	my $base = relative_base($image, $base_at);
	my $place = address_of($image, $offsets);
	my @forms = ([map { $place + 4 * $_ + $signed[$_] } 0 .. $num - 1]);
	return @forms if $base < $KERNEL_HALF;
	push(@forms, [map { $_ < 0 ? $base - 1 - $_ : $_ } @signed]);
	push(@forms, [map { $base + $_ } @unsigned]);
	return @forms;
}

# Whether addresses are those of the symbols: they rise, as they do in all kernels,
# and the kernel begins and ends where the image says.
sub plausible {
	my ($image, $symbols, $addresses) = @_;
	my %at;
	my $last = 0;
	for my $i (0 .. $#$addresses) {
		return 0 if $addresses->[$i] < $last;
		$last = $addresses->[$i];
		$at{$symbols->[$i]{name}} = $last if $symbols->[$i]{name} =~ /^_(text|stext|sinittext|end)$/;
	}
	return 0 if !defined($at{_stext}) || !defined($at{_sinittext});
	# Not all kernels list what is not code
	my $text = $at{_text} // $image->{start};
	my $end = $at{_end} // $image->{end};
	return $text == $image->{start} && $text <= $at{_stext} && $at{_stext} - $text <= $LONGEST_HEAD &&
		$at{_stext} < $at{_sinittext} && $at{_sinittext} < $end && $end <= $image->{end};
}

# Give each symbol its address.
sub give_addresses {
	my ($image, $symbols, $num_syms, $index_end, $unit) = @_;
	my $num = @$symbols;
	my @good = grep { plausible($image, $symbols, $_) } (
		address_forms($image, $num, $num_syms - 8 - align(4 * $num, $unit), $unit),
		address_forms($image, $num, $index_end, $unit));
	refuse($image, 'the addresses of kallsyms are written in ' .
		(@good ? 'more than one' : 'no') . ' way that is known') if @good != 1;
	$symbols->[$_]{address} = $good[0][$_] for 0 .. $num - 1;
}

# All symbols in the order of the image, as hashes: address, type, name.
sub symbols {
	my ($image) = @_;
	for my $unit (8, 4) {
		my ($table, $index_end, $tokens) = find_tokens($image, $unit) or next;
		my ($num_syms, $positions) = find_markers($image, $table, $unit, 0);
		($num_syms, $positions) = find_markers($image, $table, $unit, 3) if !$positions;
		next if !$positions;
		my @symbols = map { symbol_at($image, $_, $tokens) } @$positions;
		give_addresses($image, \@symbols, $num_syms, $index_end, $unit);
		return \@symbols;
	}
	refuse($image, 'no tables of kallsyms found');
}

# The symbols of x86 functions whose ENDBR the kernel takes away when it starts,
# because it never calls them indirectly: .ibt_endbr_seal lists them, as s32 that
# count from the place where they are written. A kernel without IBT has none.
sub sealed {
	my ($image) = @_;
	my ($at, $size) = section($image, '.ibt_endbr_seal') or return ();
	my @entries = unpack('l<*', substr($image->{data}, $at, $size));
	my $start = address_of($image, $at) // refuse($image, '.ibt_endbr_seal is not loaded');
	my %is_sealed = map { $start + 4 * $_ + $entries[$_] => 1 } 0 .. $#entries;
	my @symbols = grep { $is_sealed{$_->{address}} } @{symbols($image)};
	delete $is_sealed{$_->{address}} for @symbols;
	refuse($image, '.ibt_endbr_seal lists what is no symbol') if %is_sealed;
	return @symbols;
}

1;

#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# generate.pl SEED ABI FUNCTIONS CALLS DIR
#
# Make up functions of all kinds of prototypes and steps that call them, and foretell
# each record that objtrace has to write when the steps are played. ABI is x86_64 or
# arm64. Written to DIR:
#	truth_functions.h truth_a.c truth_b.c	the functions and the steps, in C
#	expected	all records of CALLS calls or more, see play() below
#	masks		what is to be known of each function: NAME OBJECTS VARIABLE
#	where.c where	functions that show where an argument is, and where it should be
#
# How arguments are passed is taken from the ABIs alone (System V AMD64 3.2.3 and
# AAPCS64 6.8.2), and what counts as an object from Documentation/objtrace.rst.
# Nothing here is shared with objtrace_args.c: the two check each other.
use strict;
use warnings;

my $MODULE = 'objtrace_truth';
my $ROUNDS = 10;
my $OBJECTS = 8;
my $LEVELS = 4;		# of calls from functions
my @NAMES = ('A' .. 'H');

#
# Random numbers: the same ones with every perl
#

my $random;

sub next_random {
	my ($state) = @_;
	$$state ^= ($$state << 13) & 0xffffffff;
	$$state ^= $$state >> 17;
	$$state ^= ($$state << 5) & 0xffffffff;
	return $$state;
}

sub below { return int(next_random(\$random) / 4294967296 * $_[0]); }
sub chance { return below(100) < $_[0]; }
sub pick { return $_[below(scalar @_)]; }

sub shuffled {
	my @list = @_;
	for (my $i = @list - 1; $i > 0; $i--) {
		my $j = below($i + 1);
		@list[$i, $j] = @list[$j, $i];
	}
	return @list;
}

#
# Kinds of values
#
# words: one letter for each word of 8 bytes: O can hold an object, n cannot
# size: in bytes; align: 16 if the ABI wants so; torn: a member is not aligned;
# mixed: compilers take it apart
#

my %KINDS;
my @WEIGHTED;
my $TYPES = '';

sub add_kind {
	my ($name, $weight, $size, $words, $type, %more) = @_;
	$KINDS{$name} = { name => $name, type => $type, size => $size,
			  words => [split //, $words], %more };
	push @WEIGHTED, ($name) x $weight;
}

sub add_struct {
	my ($name, $weight, $size, $words, $members, %more) = @_;
	my $tag = ($more{union} ? 'union' : 'struct') . " ott_$name";
	my $packed = $more{packed} ? ' __packed' : '';
	$TYPES .= "$tag { $members }$packed;\n";
	$TYPES .= "static_assert(sizeof($tag) == $size);\n";
	add_kind($name, $weight, $size, $words, $tag, is_struct => 1, %more);
}

$TYPES .= "typedef void *ott_handle_t;\n";
$TYPES .= "typedef void (*ott_fn_t)(void);\n";
$TYPES .= "enum ott_narrow { OTT_NARROW_0, OTT_NARROW_1 };\n";
$TYPES .= "enum ott_wide { OTT_WIDE_0, OTT_WIDE_1 = 1UL << 40 };\n";
add_kind('ptr',    12, 8, 'O', 'void *');
add_kind('object',  9, 8, 'O', 'struct ott_object *');
add_kind('cptr',    3, 8, 'O', 'const char *');
add_kind('handle',  2, 8, 'O', 'ott_handle_t');
add_kind('fn',      3, 8, 'O', 'ott_fn_t');
add_kind('ulong',   5, 8, 'O', 'unsigned long');
add_kind('long',    3, 8, 'O', 'long');
add_kind('u64',     3, 8, 'O', 'u64');
add_kind('int',     4, 4, 'n', 'int');
add_kind('u32',     2, 4, 'n', 'u32');
add_kind('s16',     2, 2, 'n', 's16');
add_kind('u8',      2, 1, 'n', 'u8');
add_kind('char',    2, 1, 'n', 'char');
add_kind('bool',    2, 1, 'n', 'bool');
add_kind('narrow',  2, 4, 'n', 'enum ott_narrow');
add_kind('wide',    2, 8, 'n', 'enum ott_wide');
add_kind('int128',  3, 16, 'nn', '__int128', align => 16);
add_struct('nothing', 1, 0, '', '');
add_struct('i',     2, 4, 'n', 'int a;');
add_struct('hbc',   1, 4, 'n', 's16 a; u8 b; char c;', mixed => 1);
add_struct('ii',    2, 8, 'n', 'int a; int b;');
add_struct('p',     2, 8, 'O', 'void *a;');
add_struct('l',     2, 8, 'O', 'unsigned long a;');
add_struct('bits',  1, 8, 'n', 'u64 a : 32; u64 b : 32;');
add_struct('u',     2, 8, 'O', 'void *a; int b;', union => 1);
add_struct('iii',   2, 12, 'nn', 'int a; int b; int c;');
add_struct('pi12',  1, 12, 'On', 'void *a; int b;', packed => 1);
add_struct('ip12',  1, 12, 'nn', 'int a; void *b;', packed => 1, torn => 1);
add_struct('pl',    3, 16, 'OO', 'void *a; long b;');
add_struct('ip',    2, 16, 'nO', 'int a; void *b;');
add_struct('pi',    2, 16, 'On', 'void *a; int b;');
add_struct('pp',    2, 16, 'OO', 'void *a[2];');
add_struct('iiii',  1, 16, 'nn', 'int a[4];');
add_struct('nest',  2, 16, 'nO', 'struct ott_ii a; struct ott_p b;');
add_struct('q',     1, 16, 'nn', '__int128 a;', align => 16);
add_struct('pli',   3, 24, 'OOn', 'void *a; long b; int c;');
add_struct('pppp',  1, 32, 'OOOO', 'void *a[4];');
add_struct('lq',    1, 32, 'Onnn', 'long a; __int128 b;', align => 16);

#
# How arguments are passed
#

my $abi;
my %REGISTERS = (x86_64 => 6, arm64 => 8);
my $nr_registers;

sub round_up { my ($n, $to) = @_; return int(($n + $to - 1) / $to) * $to; }

sub to_stack {
	my ($at, $kind) = @_;
	$$at = round_up($$at, $kind->{align} // 8);
	my $place = { stack => $$at };
	$$at += round_up($kind->{size}, 8);
	return $place;
}

# x86-64: larger than two words, or with a member that is not aligned
sub in_memory {
	my ($kind) = @_;
	return $kind->{size} > 16 || $kind->{torn};
}

# All in registers or none; who comes later can take what is left of them
sub place_x86_64 {
	my ($next, $stack, $kind) = @_;
	my $words = @{$kind->{words}};
	return { nowhere => 1 } unless $kind->{size};
	if (in_memory($kind) || $$next + $words > 6) {
		# Compilers disagree on the register that is left: gcc 12, clang 14 and clang 19
		my $is_disputed = $kind == $KINDS{int128} && $$next == 5;
		return { %{to_stack($stack, $kind)}, disputed => $is_disputed };
	}
	$$next += $words;
	return { register => $$next - $words };
}

# Rule C.12: large ones are copied, and the copy's address is passed. C.8: one aligned
# to 16 begins in an even register. C.13: after the first one on the stack all are.
sub place_arm64 {
	my ($next, $stack, $kind) = @_;
	return { nowhere => 1 } unless $kind->{size};
	if ($kind->{size} > 16) {
		my $place = place_arm64($next, $stack, $KINDS{ulong});
		return { pointer => $place };
	}
	my $words = @{$kind->{words}};
	$$next++ if ($kind->{align} // 8) == 16 && $$next % 2;
	if ($$next + $words > 8) {
		$$next = 8;
		return to_stack($stack, $kind);
	}
	$$next += $words;
	return { register => $$next - $words };
}

# Whether the caller says where the result is to be written, and in a register that
# counts: arm64 has one of its own for that
sub has_result_argument {
	my ($f) = @_;
	return $abi eq 'x86_64' && $f->{result} && in_memory($KINDS{$f->{result}});
}

# Where each argument of a function is, and which registers can hold objects
sub place_arguments {
	my ($f) = @_;
	my ($next, $stack) = (has_result_argument($f) ? 1 : 0, 0);
	for my $kind (map { $KINDS{$_} } @{$f->{params}}) {
		push @{$f->{places}}, $abi eq 'x86_64' ?
			place_x86_64(\$next, \$stack, $kind) :
			place_arm64(\$next, \$stack, $kind);
	}
	$f->{next} = $next;
	$f->{object_words} = [];
	for my $i (0 .. $#{$f->{params}}) {
		my $words = $KINDS{$f->{params}[$i]}{words};
		for my $word (grep { $words->[$_] eq 'O' } 0 .. $#$words) {
			my $register = $f->{places}[$i]{register};
			$register += $word if defined $register;
			push @{$f->{object_words}},
				{ param => $i, word => $word, register => $register };
		}
	}
}

# The registers that are looked at: [register, is it marked?]
sub watched {
	my ($f) = @_;
	return map { [$_, 1] } 0 .. $nr_registers - 1 if $f->{unknown};
	my @sure = map { $_->{register} // () } @{$f->{object_words}};
	my @rest = $f->{variadic} ? ($f->{next} .. $nr_registers - 1) : ();
	my @all = ((map { [$_, 0] } @sure), (map { [$_, 1] } @rest));
	return sort { $a->[0] <=> $b->[0] } @all;
}

#
# Functions
#

my @functions;
my @RESULTS = ('ptr', 'ulong', 'int', 'int128', 'pl', 'pli', 'pppp', 'ip12', 'u8');

# Called with nothing but registers: then these can be anything
sub is_in_registers {
	my ($f) = @_;
	return 0 if $f->{result} && in_memory($KINDS{$f->{result}});
	return !grep { !defined $_->{register} && !$_->{nowhere} } @{$f->{places}};
}

sub make_function {
	my ($name, %more) = @_;
	my $f = { name => $name, symbol => $name, calls => [], places => [], %more };
	$f->{params} = [map { pick(@WEIGHTED) } 1 .. below(11)];
	$f->{params}[0] //= 'ptr' if $f->{variadic};
	$f->{result} = pick(@RESULTS) if chance(35);
	place_arguments($f);
	return make_function($name, %more) if grep { $_->{disputed} } @{$f->{places}};
	my @words = @{$f->{object_words}};
	$f->{counted} = @words ? below(scalar @words) : undef;
	$f->{watched} = [watched($f)];
	return $f;
}

# One that all arguments of are in registers
sub make_unknown {
	while (1) {
		my $f = make_function(@_, unknown => 1);
		return $f if is_in_registers($f);
	}
}

sub make_functions {
	my ($nr) = @_;
	my $nr_unknown = 1 + int($nr / 50);
	for my $i (0 .. $nr - 1 - 5 * $nr_unknown) {
		push @functions, make_function("ott_t$i", file => $i % 2 ? 'b' : 'a',
			level => below($LEVELS), variadic => chance(9));
	}
	for my $i (0 .. $nr_unknown - 1) {
		# Two functions of one name
		push @functions, make_unknown("ott_u$i", file => 'a', static => 1);
		push @functions, make_unknown("ott_u$i", file => 'b', static => 1);
		# A clone without the function that it was made from, and one with it
		push @functions, make_unknown("ott_v$i", file => 'a', clone => 1);
		push @functions, make_unknown("ott_w$i", file => 'b');
		push @functions, make_unknown("ott_w$i", file => 'a', clone => 1,
					      c_name => "ott_w${i}_clone");
	}
	for my $f (@functions) {
		$f->{symbol} .= '.constprop.0' if $f->{clone};
		$f->{c_name} //= $f->{name};
		$f->{raw} = is_in_registers($f);
	}
}

#
# Calls
#
# An expression is { c => in C, at => index } where index is that of the caller's
# variable that it is: of a step, an object, of a function, an argument that can hold
# one. -1 is what is no object.
#

sub no_object {
	my ($in_step) = @_;
	my @others = ('0', '0', below(100), '-' . (1 + below(100)) . 'UL');
	my $beside = 'S(' . below($OBJECTS) . ')';
	push @others, 'ott_spare', map { "$beside + $_" } 1, 8, -8 if $in_step;
	return { c => pick(@others), at => -1 };
}

sub random_object {
	my ($caller) = @_;
	if (!$caller) {
		my $i = below($OBJECTS);
		return { c => "S($i)", at => $i };
	}
	my @words = @{$caller->{object_words}};
	return no_object(0) unless @words;
	my $i = below(scalar @words);
	return { c => "WORD(a$words[$i]{param}, $words[$i]{word})", at => $i };
}

sub random_word {
	my ($caller) = @_;
	return chance($caller ? 55 : 40) ? random_object($caller) : no_object(!$caller);
}

sub make_value {
	my ($kind, @words) = @_;
	my @c = map { $_->{c} } @words;
	@c = ("($c[0]) & 1") if $kind->{name} eq 'bool';
	@c = ('0') unless @c;
	return "MAKE($kind->{type}, " . join(', ', @c) . ')';
}

# Of what is in the registers, that which counts: [index of a variable, mark]
sub seen_in {
	my ($f, @words) = @_;
	return [map { [$words[$_->[0]]{at}, $_->[1] && $_->[0] + 1] } @{$f->{watched}}];
}

# As the compiler passes them. What it puts into which register is foretold.
sub typed_call {
	my ($f, $caller) = @_;
	my (@c, @register, @object_words);
	for my $i (0 .. $#{$f->{params}}) {
		my $kind = $KINDS{$f->{params}[$i]};
		my @words = map { random_word($caller) } @{$kind->{words}};
		push @c, make_value($kind, @words);
		push @object_words, map { $words[$_]{at} }
			grep { $kind->{words}[$_] eq 'O' } 0 .. $#words;
		my $first = $f->{places}[$i]{register};
		@register[$first .. $first + $#words] = @words if defined $first;
	}
	if ($f->{variadic}) {
		# All registers: what would be in the others nobody knows
		for my $n ($f->{next} .. $nr_registers - 1 + below(3)) {
			my $word = random_word($caller);
			push @c, "(unsigned long)($word->{c})";
			$register[$n] = $word;
		}
	}
	return { f => $f, object_words => \@object_words,
		 registers => seen_in($f, @register),
		 c => "$f->{c_name}(" . join(', ', @c) . ')' };
}

# With all argument registers as we want them, whatever the function takes
sub raw_call {
	my ($f) = @_;
	my @words = map { chance(70) ? random_object() : no_object(1) } 1 .. 8;
	my @c = map { $_->{c} } @words;
	my $function = $f->{static} || $f->{clone} ?
		"ott_unknown_$f->{file}\[$f->{index}]" : "(void *)$f->{c_name}";
	my @object_words = map { $words[$_->{register}]{at} } @{$f->{object_words}};
	return { f => $f, object_words => \@object_words,
		 registers => seen_in($f, @words),
		 c => "RAW($function, " . join(', ', @c) . ')' };
}

# What the one before has left in the registers
sub poison {
	my @objects = map { 'S(' . below($OBJECTS) . ')' } 1 .. 8;
	return 'ott_poison(' . join(', ', @objects) . ')';
}

# Functions of one level call those of the next
sub make_nested_calls {
	for my $f (@functions) {
		my $level = ($f->{level} // $LEVELS) + 1;
		my @next = grep { ($_->{level} // -1) == $level } @functions;
		next unless @next && chance(40);
		$f->{calls} = [map { typed_call(pick(@next), $f) } 0 .. below(2)];
	}
}

my @steps;

# Each function is called from two places
sub make_steps {
	my @queue = (shuffled(@functions), shuffled(@functions));
	while (my @called = splice @queue, 0, 8) {
		my $step = { name => 'ott_s' . @steps, calls => [], body => '',
			     file => @steps % 2 ? 'b' : 'a' };
		for my $f (@called) {
			my $call = $f->{unknown} || ($f->{raw} && chance(40)) ?
				raw_call($f) : typed_call($f);
			push @{$step->{calls}}, $call;
			$step->{body} .= "\t" . poison() . ";\n" if chance(60);
			$step->{body} .= "\t$call->{c};\n";
		}
		push @steps, $step;
	}
}

#
# The source
#

sub proto_of {
	my ($f, $name) = @_;
	my $n = 0;
	my @params = map { $KINDS{$_}{type} . ' a' . $n++ } @{$f->{params}};
	push @params, '...' if $f->{variadic};
	push @params, 'void' unless @params;
	my $result = $f->{result} ? $KINDS{$f->{result}}{type} : 'void';
	return "$result " . ($name // $f->{c_name}) . '(' . join(', ', @params) . ')';
}

sub function_source {
	my ($f) = @_;
	my $c = ($f->{static} ? 'static ' : '') . 'OTT_FUNC ' . proto_of($f) . "\n{\n";
	my $counted = '0';
	if (defined $f->{counted}) {
		my $word = $f->{object_words}[$f->{counted}];
		$counted = "WORD(a$word->{param}, $word->{word})";
	}
	$c .= "\tott_use(a$_);\n" for 0 .. $#{$f->{params}};
	$c .= "\tott_entered($counted);\n";
	$c .= "\t$_->{c};\n" for @{$f->{calls}};
	$c .= "\tott_barrier();\n";
	if ($f->{result}) {
		# On arm64 the result is in a register of arguments, too
		my @words = map { { c => $counted } } @{$KINDS{$f->{result}}{words}};
		$c .= "\treturn " . make_value($KINDS{$f->{result}}, @words) . ";\n";
	}
	return "$c}\n\n";
}

sub step_source {
	my ($step) = @_;
	return "OTT_FUNC void $step->{name}(unsigned int r)\n" .
	       "{\n$step->{body}\tott_barrier();\n}\n\n";
}

my $LICENCE = 'SPDX-License-Identifier: GPL-2.0-only';

sub header {
	my ($seed) = @_;
	my $c = "/* $LICENCE */\n/* Made by generate.pl */\n$TYPES\n";
	$c .= "#define OTT_SEED\t${seed}U\n";
	$c .= '#define OTT_STEPS' . "\t" . @steps . "\n\n";
	for my $f (grep { !$_->{static} } @functions) {
		my $symbol = $f->{clone} ? " asm(\"$f->{symbol}\")" : '';
		$c .= proto_of($f) . "$symbol;\n";
	}
	$c .= "void $_->{name}(unsigned int r);\n" for @steps;
	$c .= "extern void *const ott_unknown_$_\[];\n" for 'a', 'b';
	$c .= "extern void (*const ott_steps[OTT_STEPS])(unsigned int r);\n";
	return $c;
}

# For the test on the host: what a kernel takes from its symbols and BTF
sub symbol_source {
	my ($file) = @_;
	my $c = "#ifndef __KERNEL__\nconst struct ott_symbol ott_symbols_$file\[] = {\n";
	for my $f (grep { $_->{file} eq $file } @functions) {
		my ($objects, $marked) = (0, 0);
		$objects |= 1 << $_->[0] for @{$f->{watched}};
		$marked |= $_->[1] << $_->[0] for @{$f->{watched}};
		$c .= "\t{ \"$f->{symbol}\", $f->{c_name}, $objects, $marked },\n";
	}
	for my $step (grep { $_->{file} eq $file } @steps) {
		$c .= "\t{ \"$step->{name}\", $step->{name}, 0, 0 },\n";
	}
	return "$c\t{ },\n};\n#endif\n";
}

sub source {
	my ($file) = @_;
	my $c = "// $LICENCE\n/* Made by generate.pl */\n#include \"truth.h\"\n\n";
	my @functions = grep { $_->{file} eq $file } @functions;
	$c .= function_source($_) for @functions;
	$c .= "void *const ott_unknown_$file\[] = {\n";
	$c .= "\t(void *)$_->{c_name},\n" for grep { $_->{unknown} } @functions;
	$c .= "};\n\n";
	$c .= step_source($_) for grep { $_->{file} eq $file } @steps;
	if ($file eq 'b') {
		$c .= "void (*const ott_steps[OTT_STEPS])(unsigned int r) = {\n";
		$c .= "\t$_->{name},\n" for @steps;
		$c .= "};\n\n";
	}
	return $c . symbol_source($file);
}

# Where ott_unknown_a and _b have a function
sub number_unknown {
	for my $file ('a', 'b') {
		my $index = 0;
		for my $f (grep { $_->{unknown} && $_->{file} eq $file } @functions) {
			$f->{index} = $index++;
		}
	}
}

#
# Where each argument is, to be compared with what a compiler makes of it: functions with
# one line of assembler each that names the place of a word
#

sub place_name {
	my ($place, $word) = @_;
	return undef if $place->{nowhere};
	return 'register ' . ($place->{register} + $word) if defined $place->{register};
	return 'stack ' . ($place->{stack} + 8 * $word) if defined $place->{stack};
	my $pointer = place_name($place->{pointer}, 0);
	return "behind $pointer " . 8 * $word;
}

sub where_source {
	my ($f, $n, $param, $word) = @_;
	my $size = $KINDS{$f->{params}[$param]}{size};
	my $narrow = { 1 => 'u8', 2 => 'u16' }->{$size} // 'u32';
	my $type = $size >= 8 * $word + 8 ? 'unsigned long' : $narrow;
	my $result = has_result_argument($f) ? $f->{result} : undef;
	my $proto = proto_of({ %$f, result => $result }, "where_$n");
	my $part = "PART($type, a$param, $word)";
	my $c = "$proto;\n$proto\n{\n";
	$c .= "\tasm volatile(\"where $n %0\" : : \"rm\" ($part));\n";
	$c .= "\treturn MAKE($KINDS{$result}{type}, 0, 0, 0, 0);\n" if $result;
	return "$c}\n\n";
}

# Where the rest is follows from where these are
sub is_plain {
	my ($kind, $word) = @_;
	return $kind->{size} >= 8 * $word + 8 || ($word == 0 && !$kind->{mixed});
}

sub where {
	my $c = "// $LICENCE\n/* Made by generate.pl */\n#include \"truth.h\"\n\n";
	my ($n, $list) = (0, '');
	for my $f (@functions) {
		for my $param (0 .. $#{$f->{params}}) {
			my $kind = $KINDS{$f->{params}[$param]};
			my $place = $f->{places}[$param];
			my @words = grep { is_plain($kind, $_) } 0 .. $#{$kind->{words}};
			for my $word (@words) {
				$c .= where_source($f, $n, $param, $word);
				$list .= "where $n " . place_name($place, $word) . "\n";
				$n++;
			}
		}
	}
	return ($c, $list);
}

#
# What is foretold
#

my @slots;	# which object is in each
my (@tracked, @value, @hits);
my ($plan, $generation, $calls);
my @records;

sub function_name { return "$_[0] [$MODULE]"; }

sub record_value {
	my ($function, $caller, $object, $mark) = @_;
	push @records, sprintf "objtrace_value: %s <-%s object:%s%s value:0x%x",
		function_name($function), function_name($caller), $NAMES[$object],
		$mark ? " arg$mark?" : '', $value[$object];
	$hits[$object]++;
}

sub run_call {
	my ($call, $caller, $variables) = @_;
	my $f = $call->{f};
	my %seen;
	$calls++;
	for (@{$call->{registers}}) {
		my $object = $variables->[$_->[0]];
		next if $object < 0 || $seen{$object}++ || !$tracked[$object];
		record_value($f->{symbol}, $caller, $object, $_->[1]);
	}
	my @words = map { $variables->[$_] } @{$call->{object_words}}, -1;
	if (defined $f->{counted}) {
		my $object = $words[$f->{counted}];
		$value[$object] = ($value[$object] + 1) & 0xffffffff if $object >= 0;
	}
	run_call($_, $f->{symbol}, \@words) for @{$f->{calls}};
}

sub run_step {
	my ($step, $r) = @_;
	my @variables = map { $slots[($_ + $r) % $OBJECTS] } 0 .. $OBJECTS - 1;
	run_call($_, $step->{name}, [@variables, -1]) for @{$step->{calls}};
}

sub track {
	my $object = $slots[$_[0]];
	if ($tracked[$object]) {
		record_value('ott_truth_add', 'ott_track', $object);
		return;
	}
	($tracked[$object], $hits[$object]) = (1, 0);
	push @records, sprintf "objtrace_add: object:%s value:0x%x event:ott:truth_add",
		$NAMES[$object], $value[$object];
}

sub untrack {
	my $object = $slots[$_[0]];
	return unless $tracked[$object];
	record_value('ott_truth_del', 'ott_untrack', $object);
	$tracked[$object] = 0;
	push @records, "objtrace_del: object:$NAMES[$object] reason:del " .
		       "hits:$hits[$object]";
}

# Freed, and allocated again, maybe one in the place of the other
sub reuse {
	my ($one, $other, $swap) = @_;
	untrack($one);
	untrack($other);
	@slots[$one, $other] = @slots[$other, $one] if $swap;
	$value[$slots[$_]] = $generation++ << 12 for $one, $other;
	track($one);
}

sub change {
	my ($x) = @_;
	my ($what, $slot) = ($x & 3, $x >> 2 & 7);
	if ($what < 2) {
		track($slot);
	} elsif ($what == 2) {
		untrack($slot);
	} else {
		reuse($slot, ($slot + 1 + ($x >> 5 & 0xff) % 7) & 7, $x >> 13 & 1);
	}
}

# The driver does the same, see truth_play.c
sub play_one {
	my $x = next_random(\$plan);
	run_step($steps[($x >> 3) % @steps], $x & 7);
	$x = next_random(\$plan);
	change($x >> 2) unless $x & 3;
}

# "run N" is to play N steps; what follows are the records, and how many calls there were
# until then
sub play {
	my ($file, $nr_calls) = @_;
	for my $round (1 .. $ROUNDS) {
		my $nr_steps = 0;
		@records = ();
		for (0 .. $OBJECTS - 1) { track($_) if $_ % 3 != 2 }
		while ($calls < $nr_calls * $round / $ROUNDS) {
			play_one();
			$nr_steps++;
		}
		for (0 .. $OBJECTS - 1) { untrack($_) }
		print $file "run $nr_steps\n", (map { "$_\n" } @records), "calls $calls\n";
	}
}

sub masks {
	my $list = '';
	for my $f (grep { !$_->{unknown} } @functions) {
		my ($objects, $variable) = (0, 0);
		$objects |= 1 << $_->[0] for @{$f->{watched}};
		$variable |= $_->[1] << $_->[0] for @{$f->{watched}};
		$list .= "$f->{name} $objects $variable\n";
	}
	return $list;
}

sub write_file {
	my ($dir, $name, $text) = @_;
	open my $file, '>', "$dir/$name" or die "$dir/$name: $!\n";
	if (ref $text) { $text->($file) } else { print $file $text }
	close $file or die "$dir/$name: $!\n";
}

die "usage: generate.pl SEED x86_64|arm64 FUNCTIONS CALLS DIR\n"
	unless @ARGV == 5 && $REGISTERS{$ARGV[1]};
my ($seed, $dir);
($seed, $abi, $dir) = @ARGV[0, 1, 4];
$nr_registers = $REGISTERS{$abi};
$random = ($seed * 2654435761 + 1) & 0xffffffff || 1;
next_random(\$random) for 1 .. 10;

make_functions($ARGV[2]);
number_unknown();
make_nested_calls();
make_steps();
write_file($dir, 'truth_functions.h', header(($seed & 0x7fffffff) + 1));
write_file($dir, "truth_$_.c", source($_)) for 'a', 'b';
write_file($dir, 'masks', masks());
my ($c, $list) = where();
write_file($dir, 'where.c', $c);
write_file($dir, 'where', $list);

($plan, $generation, $calls) = (($seed & 0x7fffffff) + 1, 0, 0);
@slots = (0 .. $OBJECTS - 1);
@tracked = @hits = (0) x $OBJECTS;
$value[$_] = $generation++ << 12 for 0 .. $OBJECTS - 1;
write_file($dir, 'expected', sub { play($_[0], $ARGV[3]) });

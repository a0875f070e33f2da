// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parser: accepted texts with their meaning, and rejected texts with the error and its column.
 */
#include <linux/kernel.h>

#include "command/option.h"
#include "command/parse.h"
#include "kernel/event.h"
#include "parse_check.h"
#include "tap.h"

/* Names of the greatest length, and one character longer */
#define TEN(c)		c c c c c c c c c c
#define FIELD_63	TEN("abcdef") "abc"
#define STRUCT_95	TEN("abcdefghi") "abcde"
#define ENUM_95		STRUCT_95
#define PATH_127	TEN("abcdefghijkl") "abcdefg"

/* Accepted texts, their printed text if it differs, and their meaning */
#define NAMED(n, ...)	{ .field = n, .nr_offsets = 1, __VA_ARGS__ }
#define FIELD(...)	NAMED("arg1", __VA_ARGS__)
#define FETCH(n, ...)	{ .form = OBJTRACE_FETCH, .field = "arg1", .nr_offsets = n, __VA_ARGS__ }
#define IN(s, n, p, ...) { .form = OBJTRACE_BTF, .struct_name = s, .field = "arg1",	\
			  .nr_components = n, .path = p, __VA_ARGS__ }
#define BTF(n, p, ...)	IN("bio", n, p, __VA_ARGS__)
#define AT(a, ...)	{ .address = a, .nr_offsets = 1, __VA_ARGS__ }
#define DEL(...)	{ .verb = OBJTRACE_DEL, .field = "arg1", __VA_ARGS__ }
#define CLEAR(...)	{ .verb = OBJTRACE_CLEAR, __VA_ARGS__ }
#define N(n)		.count_form = OBJTRACE_COUNT_N, .count = n
#define EQUALS(n)	.count_form = OBJTRACE_COUNT_EQUALS, .count = n
#define UNLIMITED	.count_form = OBJTRACE_COUNT_UNLIMITED
#define SIZE(n)		.size_form = OBJTRACE_SIZE_N, .size = n
#define SIZE_AUTO	.size_form = OBJTRACE_SIZE_AUTO
#define TYPED(how)	.typed = OBJTRACE_TYPED##how

static const struct {
	const char		*text;
	struct objtrace_spec	spec;
	const char		*printed;
} good[] = {
	/* FIELD and FIELD,OFFSET */
	{ "add:arg1",			FIELD() },
	{ "add:arg1 ",			FIELD(),	"add:arg1" },
	{ "add:__data",			NAMED("__data") },
	{ "add:_",			NAMED("_") },
	{ "add:Arg_9Z",			NAMED("Arg_9Z") },
	{ "add:if",			NAMED("if") },
	{ "add:u8:u8",			NAMED("u8", .type = OBJTRACE_TYPE_U8) },
	{ "add:" FIELD_63,		NAMED(FIELD_63) },
	{ "add:arg1,0",			FIELD(),	"add:arg1" },
	{ "add:arg1,-0",		FIELD(),	"add:arg1" },
	{ "add:arg1,0x28",		FIELD(.offset = { 0x28 }) },
	{ "add:arg1,+40",		FIELD(.offset = { 40 }), "add:arg1,0x28" },
	{ "add:arg1,40",		FIELD(.offset = { 40 }), "add:arg1,0x28" },
	{ "add:arg1,050",		FIELD(.offset = { 050 }), "add:arg1,0x28" },
	{ "add:arg1,-8",		FIELD(.offset = { -8 }), "add:arg1,-0x8" },
	{ "add:arg1,-0x8",		FIELD(.offset = { -8 }) },
	{ "add:arg1,2147483647",	FIELD(.offset = { INT_MAX }), "add:arg1,0x7fffffff" },
	{ "add:arg1,-2147483648",	FIELD(.offset = { INT_MIN }), "add:arg1,-0x80000000" },

	/* +OFFSET(FIELD) */
	{ "add:+0(arg1)",		FETCH(1), "add:+0x0(arg1)" },
	{ "add:+0x28(arg1)",		FETCH(1, .offset = { 0x28 }) },
	{ "add:-8(arg1):u8",		FETCH(1, .offset = { -8 }, .type = OBJTRACE_TYPE_U8),
					"add:-0x8(arg1):u8" },
	{ "add:-2147483648(arg1)",	FETCH(1, .offset = { INT_MIN }), "add:-0x80000000(arg1)" },
	{ "add:+8(+0x28(arg1))",	FETCH(2, .offset = { 0x28, 8 }), "add:+0x8(+0x28(arg1))" },
	{ "add:+0x28(-8(arg1)) if a",	FETCH(2, .offset = { -8, 0x28 }, .filter = "a"),
					"add:+0x28(-0x8(arg1))" },
	{ "add:+1(-2(+3(-4(arg1))))",	FETCH(4, .offset = { -4, 3, -2, 1 }),
					"add:+0x1(-0x2(+0x3(-0x4(arg1))))" },
	{ "add:+8(+7(+6(+5(+4(+3(+2(+1(arg1))))))))",
					FETCH(8, .offset = { 1, 2, 3, 4, 5, 6, 7, 8 }),
		"add:+0x8(+0x7(+0x6(+0x5(+0x4(+0x3(+0x2(+0x1(arg1))))))))" },

	/* (STRUCT)FIELD and (STRUCT)FIELD->PATH */
	{ "add:(bio)arg1",		BTF(0, "") },
	{ "add:(struct)arg1",		IN("struct", 0, "") },
	{ "add:(structure)arg1",	IN("structure", 0, "") },
	{ "add:(" STRUCT_95 ")arg1",	IN(STRUCT_95, 0, "") },
	{ "add:(bio)arg1->bi_flags",	BTF(1, "bi_flags") },
	{ "add:(bio)arg1->bi_iter.bi_size:u32:1",
					BTF(2, "bi_iter.bi_size", .type = OBJTRACE_TYPE_U32, N(1)) },
	{ "add:(bio)arg1->a.b->c->d.e",	BTF(5, "a.b->c->d.e") },
	{ "add:(bio)arg1->" PATH_127,	BTF(1, PATH_127) },
	{ "add:(bio)arg1->a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p",
					BTF(16, "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p") },
	{ "add:(skb_shared_info)arg1->frags.2.bv_len",
					IN("skb_shared_info", 3, "frags.2.bv_len") },
	{ "add:(bio)arg1->frags[2].bv_len", BTF(3, "frags.2.bv_len"),
					"add:(bio)arg1->frags.2.bv_len" },
	{ "add:(bio)arg1->a[0][08]->b[999999999]", BTF(5, "a.0.8->b.999999999"),
					"add:(bio)arg1->a.0.8->b.999999999" },
	{ "add:(bio)arg1->a.007",	BTF(2, "a.7"), "add:(bio)arg1->a.7" },

	/* 0xADDRESS in place of FIELD */
	{ "add:0xffff888012345678",	AT(0xffff888012345678) },
	{ "add:0x1",			AT(1) },
	{ "add:0X00FFFF8880ABCDEF09,8",	AT(0xffff8880abcdef09, .offset = { 8 }),
					"add:0xffff8880abcdef09,0x8" },
	{ "add:+8(+0x28(0xffffffffffffffff)):u8",
					{ .form = OBJTRACE_FETCH, .address = ~0UL, .nr_offsets = 2,
					  .offset = { 0x28, 8 }, .type = OBJTRACE_TYPE_U8 },
					"add:+0x8(+0x28(0xffffffffffffffff)):u8" },
	{ "add:(bio)0xff->a.b:1",	{ .form = OBJTRACE_BTF, .struct_name = "bio",
					  .address = 0xff, .nr_components = 2, .path = "a.b", N(1) } },
	{ "add:(bio)0xff",		{ .form = OBJTRACE_BTF, .struct_name = "bio",
					  .address = 0xff } },
	{ "del:0xff:2 if a",		{ .verb = OBJTRACE_DEL, .address = 0xff, N(2),
					  .filter = "a" }, "del:0xff:2" },

	/* Types */
	{ "add:arg1:u8",		FIELD(.type = OBJTRACE_TYPE_U8) },
	{ "add:arg1:u16",		FIELD(.type = OBJTRACE_TYPE_U16) },
	{ "add:arg1:u32",		FIELD(.type = OBJTRACE_TYPE_U32) },
	{ "add:arg1:u64",		FIELD(.type = OBJTRACE_TYPE_U64) },
	{ "add:arg1:s8",		FIELD(.type = OBJTRACE_TYPE_S8) },
	{ "add:arg1:s16",		FIELD(.type = OBJTRACE_TYPE_S16) },
	{ "add:arg1:s32",		FIELD(.type = OBJTRACE_TYPE_S32) },
	{ "add:arg1:s64",		FIELD(.type = OBJTRACE_TYPE_S64) },
	{ "add:arg1:x8",		FIELD(.type = OBJTRACE_TYPE_X8) },
	{ "add:arg1:x16",		FIELD(.type = OBJTRACE_TYPE_X16) },
	{ "add:arg1:x32",		FIELD(.type = OBJTRACE_TYPE_X32) },
	{ "add:arg1:x64",		FIELD(.type = OBJTRACE_TYPE_X64) },
	{ "add:arg1:char",		FIELD(.type = OBJTRACE_TYPE_CHAR) },
	{ "add:arg1:symbol",		FIELD(.type = OBJTRACE_TYPE_SYMBOL) },

	/* Counts */
	{ "add:arg1:5",			FIELD(N(5)) },
	{ "add:arg1:+5",		FIELD(N(5)), "add:arg1:5" },
	{ "add:arg1:0x10",		FIELD(N(16)), "add:arg1:16" },
	{ "add:arg1:010",		FIELD(N(8)), "add:arg1:8" },
	{ "add:arg1:count=5",		FIELD(EQUALS(5)) },
	{ "add:arg1:count=0x5",		FIELD(EQUALS(5)), "add:arg1:count=5" },
	{ "add:arg1:unlimited",		FIELD(UNLIMITED) },
	{ "add:arg1:s8:unlimited",	FIELD(.type = OBJTRACE_TYPE_S8, UNLIMITED) },
	{ "add:arg1:9223372036854775807", FIELD(N(LONG_MAX)) },

	/* Options */
	{ "add:arg1:changes",		FIELD(.changes = true) },
	{ "add:arg1:size=64",		FIELD(SIZE(64)) },
	{ "add:arg1:size=0x40",		FIELD(SIZE(64)), "add:arg1:size=64" },
	{ "add:arg1:size=2147483647",	FIELD(SIZE(INT_MAX)) },
	{ "add:(bio)arg1:size=auto",	BTF(0, "", SIZE_AUTO) },
	{ "add:arg1:stack=1",		FIELD(.stack = 1) },
	{ "add:arg1:stack=0x40:changes", FIELD(.stack = 64, .changes = true),
					"add:arg1:changes:stack=64" },
	{ "add:(bio)arg1:size=8",	BTF(0, "", SIZE(8)) },
	{ "add:(bio)arg1:typed",	BTF(0, "", TYPED()) },
	{ "add:(bio)arg1:typed=strict",	BTF(0, "", TYPED(_STRICT)) },
	{ "add:(bio)arg1->a:typed=strict:changes",
					BTF(1, "a", .changes = true, TYPED(_STRICT)),
					"add:(bio)arg1->a:changes:typed=strict" },
	{ "add:arg1:after-free",	FIELD(.after_free = true) },
	{ "add:arg1,8:u32:5:after-free if a", FIELD(.offset = { 8 }, .type = OBJTRACE_TYPE_U32, N(5),
					      .after_free = true, .filter = "a"),
					"add:arg1,0x8:u32:5:after-free" },
	{ "add:arg1:returns",		FIELD(.returns = OBJTRACE_RETURNS_CHANGED) },
	{ "add:arg1:returns=all:changes:5", FIELD(N(5), .changes = true, .returns = OBJTRACE_RETURNS_ALL),
					"add:arg1:5:changes:returns=all" },
	{ "add:arg1:watch",		FIELD(.watch = 1) },
	{ "add:arg1:watch=1",		FIELD(.watch = 1), "add:arg1:watch" },
	{ "add:arg1:watch=0x10:changes", FIELD(.changes = true, .watch = 16), "add:arg1:changes:watch=16" },
	{ "add:(bio)arg1:after-free:typed:changes",
					BTF(0, "", .changes = true, TYPED(), .after_free = true),
					"add:(bio)arg1:changes:typed:after-free" },
	{ "add:(bio)arg1:1:typed:size=auto", BTF(0, "", N(1), SIZE_AUTO, TYPED()),
					"add:(bio)arg1:1:size=auto:typed" },
	{ "add:+8(arg1):1:size=1:changes", FETCH(1, .offset = { 8 }, N(1), SIZE(1), .changes = true),
					"add:+0x8(arg1):1:changes:size=1" },
	{ "add:(bio)arg1->a:char:count=2:changes:size=auto if b",
					BTF(1, "a", .type = OBJTRACE_TYPE_CHAR, EQUALS(2),
					    .changes = true, SIZE_AUTO, .filter = "b"),
					"add:(bio)arg1->a:char:count=2:changes:size=auto" },

	{ "add:arg1:enum=TCP_ESTABLISHED", FIELD(.enum_name = "TCP_ESTABLISHED") },
	{ "add:arg1:u8:enum=_1",	FIELD(.type = OBJTRACE_TYPE_U8, .enum_name = "_1") },
	{ "add:(bio)arg1->a:enum=b:changes if c",
					BTF(1, "a", .changes = true, .enum_name = "b", .filter = "c"),
					"add:(bio)arg1->a:changes:enum=b" },
	{ "add:arg1:enum=" ENUM_95,	FIELD(.enum_name = ENUM_95) },

	/* Types, counts and options in another order */
	{ "add:arg1:5:u8",		FIELD(.type = OBJTRACE_TYPE_U8, N(5)), "add:arg1:u8:5" },
	{ "add:arg1:changes:5",		FIELD(N(5), .changes = true), "add:arg1:5:changes" },
	{ "add:arg1:changes:symbol",	FIELD(.type = OBJTRACE_TYPE_SYMBOL, .changes = true),
					"add:arg1:symbol:changes" },
	{ "add:(bio)arg1:typed:unlimited:size=auto:s8 if a",
					BTF(0, "", .type = OBJTRACE_TYPE_S8, UNLIMITED, SIZE_AUTO,
					    TYPED(), .filter = "a"),
					"add:(bio)arg1:s8:unlimited:size=auto:typed" },

	/* The other verbs */
	{ "del:arg1",			DEL() },
	{ "del:arg1:5",			DEL(N(5)) },
	{ "del:arg1:count=5",		DEL(EQUALS(5)) },
	{ "del:arg1:unlimited if a",	DEL(UNLIMITED, .filter = "a"), "del:arg1:unlimited" },
	{ "clear",			CLEAR() },
	{ "clear:1",			CLEAR(N(1)) },
	{ "clear:count=1",		CLEAR(EQUALS(1)) },
	{ "clear:unlimited",		CLEAR(UNLIMITED) },
	{ "clear if a",			CLEAR(.filter = "a"), "clear" },

	/* Filters, which may have any text */
	{ "add:arg1,0x28:u32:1 if comm == \"cat\"",
					FIELD(.offset = { 0x28 }, .type = OBJTRACE_TYPE_U32, N(1),
					      .filter = "comm == \"cat\""), "add:arg1,0x28:u32:1" },
	{ "add:arg1 \t if\t common_pid > 0", FIELD(.filter = "common_pid > 0"), "add:arg1" },
	{ "add:skb if a:b,c[1] == 1",	NAMED("skb", .filter = "a:b,c[1] == 1"),
					"add:skb" },
};

/* Rejected texts, with a '^' in front of the column of the error */
static const struct {
	const char		*marked;
	enum objtrace_error_id	id;
} bad[] = {
	{ "^\n",			OBJTRACE_ERR_LINE_BREAK },
	{ "add:arg1^\n",		OBJTRACE_ERR_LINE_BREAK },
	{ "add:arg1,8^\n",		OBJTRACE_ERR_LINE_BREAK },
	{ "add:arg1:5^\n",		OBJTRACE_ERR_LINE_BREAK },
	{ "add:arg1^\nobjtrace:add:arg2", OBJTRACE_ERR_LINE_BREAK },
	{ "add:arg1 if a ==^\n 1",	OBJTRACE_ERR_LINE_BREAK },
	{ "none:arg1^\n\n",		OBJTRACE_ERR_LINE_BREAK },

	{ "^",				OBJTRACE_ERR_NO_VERB },
	{ "^: add",			OBJTRACE_ERR_NO_VERB },
	{ "^ if",			OBJTRACE_ERR_NO_VERB },
	{ "^arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^ad:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^adds:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^ADD:arg1",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^clear,8",			OBJTRACE_ERR_UNKNOWN_VERB },
	{ "^delete:arg1",		OBJTRACE_ERR_UNKNOWN_VERB },

	{ "del:arg1^,8",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1^->a",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1^.a",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:^+8(arg1)",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:^-8(arg1)",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:^(bio)arg1",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:^u32",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:1:^changes",	OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:^size=8",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:^after-free",	OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:^watch=2",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "del:arg1:^returns",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "clear:^arg1",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "clear:^u8",			OBJTRACE_ERR_NOT_FOR_VERB },
	{ "clear:5:^changes",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "clear:^after-free",		OBJTRACE_ERR_NOT_FOR_VERB },

	{ "add^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^:u32",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^,8",			OBJTRACE_ERR_NO_FIELD },
	{ "add:^ arg1",			OBJTRACE_ERR_NO_FIELD },
	{ "add^ arg1",			OBJTRACE_ERR_NO_FIELD },
	{ "add:+8(^)",			OBJTRACE_ERR_NO_FIELD },
	{ "add:+8(^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:+8(^ arg1)",		OBJTRACE_ERR_NO_FIELD },
	{ "add:(bio)^",			OBJTRACE_ERR_NO_FIELD },
	{ "add:(bio)^->bi_flags",	OBJTRACE_ERR_NO_FIELD },
	{ "add:(bio)^,8",		OBJTRACE_ERR_NO_FIELD },
	{ "add:(bio)^ arg1",		OBJTRACE_ERR_NO_FIELD },
	{ "del^",			OBJTRACE_ERR_NO_FIELD },
	{ "del:^:5",			OBJTRACE_ERR_NO_FIELD },

	{ "add:^$retval",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:+8(^$retval)",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:(bio)^$retval->bi_flags", OBJTRACE_ERR_BAD_FIELD },
	{ "add:^%di",			OBJTRACE_ERR_BAD_FIELD },
	{ "add:^1arg",			OBJTRACE_ERR_BAD_FIELD },
	{ "add:^5:u8",			OBJTRACE_ERR_BAD_FIELD },
	{ "add:arg1^-8",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:arg1^+8",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:arg1^(8)",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:+8(arg1^+8)",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:(bio)arg1^-bi_flags",	OBJTRACE_ERR_BAD_FIELD },
	{ "add:(bio)^1arg",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:^\xe4rg1",		OBJTRACE_ERR_BAD_FIELD },
	{ "del:^$retval",		OBJTRACE_ERR_BAD_FIELD },
	{ "del:arg1^)",			OBJTRACE_ERR_BAD_FIELD },

	{ "add:^0x",			OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^0xg",			OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^0xfx",			OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^0x:u8",			OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^0x10000000000000000",	OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:+8(^0x_)",		OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:(bio)^0xffffffffffffffff0->a", OBJTRACE_ERR_BAD_ADDRESS },
	{ "del:^0x",			OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^0x0",			OBJTRACE_ERR_USER_ADDRESS },
	{ "del:^0x000",			OBJTRACE_ERR_USER_ADDRESS },
	{ "add:(bio)0xff^.a",		OBJTRACE_ERR_ARROW_NEEDED },
	{ "add:0xff^->a",		OBJTRACE_ERR_STRUCT_NEEDED },
	{ "add:0xff^[1]",		OBJTRACE_ERR_FIELD_INDEX },
	{ "add:0xff^-8",		OBJTRACE_ERR_BAD_FIELD },
	{ "add:+8(0xff^",		OBJTRACE_ERR_UNBALANCED },
	{ "add:^*arg1",			OBJTRACE_ERR_STAR },
	{ "add:^*",			OBJTRACE_ERR_STAR },
	{ "add:^**arg1",		OBJTRACE_ERR_STAR },
	{ "add:^*(bio)arg1->a",		OBJTRACE_ERR_STAR },
	{ "add:(bio)^*arg1",		OBJTRACE_ERR_STAR },
	{ "add:(bio)arg1->^*a",		OBJTRACE_ERR_STAR },
	{ "add:+8(^*arg1)",		OBJTRACE_ERR_STAR },
	{ "del:^*arg1",			OBJTRACE_ERR_STAR },
	{ "add:^&arg1",			OBJTRACE_ERR_AMPERSAND },
	{ "add:^&(bio)arg1->a",		OBJTRACE_ERR_AMPERSAND },
	{ "add:(bio)^&arg1->a",		OBJTRACE_ERR_AMPERSAND },
	{ "add:(bio)arg1->a.^&b",	OBJTRACE_ERR_AMPERSAND },
	{ "add:+8(^&arg1)",		OBJTRACE_ERR_AMPERSAND },
	{ "del:^&arg1",			OBJTRACE_ERR_AMPERSAND },
	{ "add:arg1^[2]",		OBJTRACE_ERR_FIELD_INDEX },
	{ "add:(bio)arg1^[0]->a",	OBJTRACE_ERR_FIELD_INDEX },
	{ "add:+8(arg1^[0])",		OBJTRACE_ERR_FIELD_INDEX },
	{ "del:arg1^[0]",		OBJTRACE_ERR_FIELD_INDEX },

	{ "add:^" FIELD_63 "d",		OBJTRACE_ERR_FIELD_TOO_LONG },
	{ "add:+8(^" FIELD_63 "d)",	OBJTRACE_ERR_FIELD_TOO_LONG },
	{ "del:^" FIELD_63 "d",		OBJTRACE_ERR_FIELD_TOO_LONG },

	{ "add:(bio)arg1^,8",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:(bio)arg1->bi_iter^,8",	OBJTRACE_ERR_MIXED_FORMS },
	{ "add:(bio)^+8(arg1)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:(bio)^-8(arg1)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:(bio)^(arg1)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:+8(^(bio)arg1)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:+8(arg1^,8)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:+8(arg1^->a)",		OBJTRACE_ERR_MIXED_FORMS },
	{ "add:+8(arg1^.a)",		OBJTRACE_ERR_MIXED_FORMS },

	{ "add:arg1,^",			OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^zz",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^8x",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^0x",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^09",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^--8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^-+8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^8,8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^ 8",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^:u32",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:arg1,^" TEN("xyz") "xyz", OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^+(arg1)",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^-",			OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^+u8(arg1)",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^+-8(arg1)",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^+8arg1",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:+8(^+08(arg1))",		OBJTRACE_ERR_BAD_OFFSET },
	{ "add:^->a",			OBJTRACE_ERR_BAD_OFFSET },

	{ "add:arg1,^2147483648",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^-2147483649",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^0xffffffffffffffff", OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^99999999999999999999", OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:arg1,^-" TEN("9999"),	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:^+2147483648(arg1)",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:+8(^-2147483649(arg1))",	OBJTRACE_ERR_OFFSET_RANGE },
	{ "add:^+" TEN("0000") "(arg1)", OBJTRACE_ERR_OFFSET_RANGE },

	{ "add:^8(arg1)",		OBJTRACE_ERR_NO_SIGN },
	{ "add:^0x28(+8(arg1))",	OBJTRACE_ERR_NO_SIGN },
	{ "add:+8(^0x28(arg1))",	OBJTRACE_ERR_NO_SIGN },

	{ "add:+8^",			OBJTRACE_ERR_NO_PARENTHESIS },
	{ "add:+8^:u8",			OBJTRACE_ERR_NO_PARENTHESIS },
	{ "add:+8^,arg1",		OBJTRACE_ERR_NO_PARENTHESIS },
	{ "add:+8^ (arg1)",		OBJTRACE_ERR_NO_PARENTHESIS },
	{ "add:-8^)",			OBJTRACE_ERR_NO_PARENTHESIS },

	{ "add:+8(arg1^",		OBJTRACE_ERR_UNBALANCED },
	{ "add:+8(arg1^:u8",		OBJTRACE_ERR_UNBALANCED },
	{ "add:+8(arg1^ if a",		OBJTRACE_ERR_UNBALANCED },
	{ "add:+8(+8(arg1)^",		OBJTRACE_ERR_UNBALANCED },
	{ "add:+8(+8(arg1)^x)",		OBJTRACE_ERR_UNBALANCED },
	{ "add:+8(arg1)^)",		OBJTRACE_ERR_UNBALANCED },
	{ "add:arg1^)",			OBJTRACE_ERR_UNBALANCED },
	{ "add:(bio^",			OBJTRACE_ERR_UNBALANCED },
	{ "add:(bio^:u8",		OBJTRACE_ERR_UNBALANCED },
	{ "add:(bio)arg1^)",		OBJTRACE_ERR_UNBALANCED },
	{ "add:(bio)arg1->a^)",		OBJTRACE_ERR_UNBALANCED },

	{ "add:+8(+7(+6(+5(+4(+3(+2(+1(^+0(arg1)))))))))", OBJTRACE_ERR_TOO_DEEP },

	{ "add:(^struct bio)arg1",	OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^union bio)arg1->a",	OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(bio^*)arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(bio^ *)arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(bio^ )arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^ bio)arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^)arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^",			OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^8)arg1",		OBJTRACE_ERR_BAD_STRUCT },
	{ "add:(^(bio)arg1)",		OBJTRACE_ERR_BAD_STRUCT },

	{ "add:(^" STRUCT_95 "f)arg1",	OBJTRACE_ERR_STRUCT_TOO_LONG },

	{ "add:arg1^->bi_flags",	OBJTRACE_ERR_STRUCT_NEEDED },
	{ "add:arg1^.bi_flags",		OBJTRACE_ERR_STRUCT_NEEDED },

	{ "add:(bio)arg1^.bi_flags",	OBJTRACE_ERR_ARROW_NEEDED },

	{ "add:(bio)arg1->^",		OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->^:u8",	OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->^2",		OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->^[2]",	OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->a.^",		OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->a.^.b",	OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->a->^->b",	OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->a->^2",	OBJTRACE_ERR_NO_MEMBER },
	{ "add:(bio)arg1->a.^[2]",	OBJTRACE_ERR_NO_MEMBER },

	{ "add:(bio)arg1->a^-b",	OBJTRACE_ERR_BAD_MEMBER },
	{ "add:(bio)arg1->a^$",		OBJTRACE_ERR_BAD_MEMBER },
	{ "add:(bio)arg1->a^(b)",	OBJTRACE_ERR_BAD_MEMBER },
	{ "add:(bio)arg1->a[2]^b",	OBJTRACE_ERR_BAD_MEMBER },
	{ "add:(bio)arg1->a^]",		OBJTRACE_ERR_BAD_MEMBER },

	{ "add:(bio)arg1->a[^]",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[^",		OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[^x]",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[^-1]",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[2^",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[0^x2]",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a[2^ ]",	OBJTRACE_ERR_BAD_INDEX },
	{ "add:(bio)arg1->a.2^b",	OBJTRACE_ERR_BAD_INDEX },

	{ "add:(bio)arg1->a.^2147483648", OBJTRACE_ERR_INDEX_RANGE },
	{ "add:(bio)arg1->a[^99999999999999999999]", OBJTRACE_ERR_INDEX_RANGE },
	{ "add:(bio)arg1->a.^" TEN("9999"), OBJTRACE_ERR_INDEX_RANGE },

	{ "add:(bio)arg1->^" PATH_127 "h", OBJTRACE_ERR_PATH_TOO_LONG },
	{ "add:(bio)arg1->" PATH_127 ".^h", OBJTRACE_ERR_PATH_TOO_LONG },
	{ "add:(bio)arg1->" PATH_127 "[^1]", OBJTRACE_ERR_PATH_TOO_LONG },
	{ "add:(bio)arg1->a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p->^q", OBJTRACE_ERR_PATH_TOO_LONG },

	{ "add:+8(arg1)^x",		OBJTRACE_ERR_TRAILING_TEXT },
	{ "add:+8(arg1)^,8",		OBJTRACE_ERR_TRAILING_TEXT },
	{ "add:+8(arg1)^->a",		OBJTRACE_ERR_TRAILING_TEXT },

	{ "add:arg1:^",			OBJTRACE_ERR_EMPTY_PART },
	{ "add:arg1:^:5",		OBJTRACE_ERR_EMPTY_PART },
	{ "add:arg1:^ if a",		OBJTRACE_ERR_EMPTY_PART },
	{ "add:arg1:u32:^",		OBJTRACE_ERR_EMPTY_PART },
	{ "add:arg1:u32:5:^",		OBJTRACE_ERR_EMPTY_PART },
	{ "add:arg1:changes:^",		OBJTRACE_ERR_EMPTY_PART },
	{ "del:arg1:^",			OBJTRACE_ERR_EMPTY_PART },
	{ "clear:^",			OBJTRACE_ERR_EMPTY_PART },

	{ "add:arg1:^word",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^u8x",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^strings",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^iff",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^change",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^typ",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:^after-fre",	OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:5:^after",		OBJTRACE_ERR_UNKNOWN_TYPE },
	{ "add:arg1:changes:^changed",	OBJTRACE_ERR_UNKNOWN_TYPE },

	{ "add:arg1:^u7",		OBJTRACE_ERR_TYPE_BITS },
	{ "add:arg1:5:^s128:u8",	OBJTRACE_ERR_TYPE_BITS },
	{ "add:arg1:u8:^x4",		OBJTRACE_ERR_TYPE_BITS },
	{ "add:arg1:^u32" TEN("0000"),	OBJTRACE_ERR_TYPE_BITS },
	{ "add:arg1:^hex",		OBJTRACE_ERR_HEX_TYPE },
	{ "add:(bio)arg1->a:^ptr",	OBJTRACE_ERR_HEX_TYPE },
	{ "add:arg1:u8:^x",		OBJTRACE_ERR_HEX_TYPE },
	{ "add:arg1:^int",		OBJTRACE_ERR_C_TYPE },
	{ "add:arg1:changes:^bool",	OBJTRACE_ERR_C_TYPE },
	{ "add:arg1:^u",		OBJTRACE_ERR_C_TYPE },
	{ "add:arg1:^string",		OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "add:arg1:u8:^string",	OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "add:arg1:^u8[4]",		OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "add:arg1:^char*",		OBJTRACE_ERR_NOT_ONE_NUMBER },
	{ "add:arg1:^U8",		OBJTRACE_ERR_CAPITALS },
	{ "add:arg1:u8:^Symbol",	OBJTRACE_ERR_CAPITALS },
	{ "add:arg1:^Unlimited",	OBJTRACE_ERR_CAPITALS },
	{ "add:arg1:5:u8:^Changes",	OBJTRACE_ERR_CAPITALS },
	{ "add:arg1:5:^SIZE=8",		OBJTRACE_ERR_CAPITALS },

	{ "add:arg1:u32:^u64",		OBJTRACE_ERR_TYPE_TWICE },
	{ "add:arg1:u8:^u8",		OBJTRACE_ERR_TYPE_TWICE },
	{ "add:arg1:u32:5:^u8",		OBJTRACE_ERR_TYPE_TWICE },
	{ "add:arg1:5:u8:changes:^symbol", OBJTRACE_ERR_TYPE_TWICE },

	{ "add:arg1:^5x",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^-1",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:^08",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:count=^",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:count=^x",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:count=^-5",		OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:count=^unlimited",	OBJTRACE_ERR_BAD_COUNT },
	{ "add:arg1:count^",		OBJTRACE_ERR_BAD_COUNT },
	{ "del:arg1:^5x",		OBJTRACE_ERR_BAD_COUNT },
	{ "clear:count=^",		OBJTRACE_ERR_BAD_COUNT },

	{ "add:arg1:^18446744073709551616", OBJTRACE_ERR_COUNT_RANGE },
	{ "add:arg1:^9223372036854775808", OBJTRACE_ERR_COUNT_RANGE },
	{ "add:arg1:count=^9223372036854775808", OBJTRACE_ERR_COUNT_RANGE },
	{ "add:arg1:^" TEN("9999"),	OBJTRACE_ERR_COUNT_RANGE },

	{ "add:arg1:^0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "add:arg1:u32:^0x0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "add:arg1:count=^0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "del:arg1:^0",		OBJTRACE_ERR_ZERO_COUNT },
	{ "clear:^0",			OBJTRACE_ERR_ZERO_COUNT },

	{ "add:arg1:5:^6",		OBJTRACE_ERR_COUNT_TWICE },
	{ "add:arg1:5:^count=5",	OBJTRACE_ERR_COUNT_TWICE },
	{ "add:arg1:unlimited:^5",	OBJTRACE_ERR_COUNT_TWICE },
	{ "add:arg1:changes:5:u8:^5",	OBJTRACE_ERR_COUNT_TWICE },
	{ "add:arg1:5:size=8:^unlimited", OBJTRACE_ERR_COUNT_TWICE },
	{ "del:arg1:1:^2",		OBJTRACE_ERR_COUNT_TWICE },
	{ "clear:1:^1",			OBJTRACE_ERR_COUNT_TWICE },

	{ "add:arg1:^foo=1",		OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:^typedef=strict",	OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:^unlimited=1",	OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:u32:^type",		OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:u8:5:^after-freed",	OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:5:^after=",		OBJTRACE_ERR_UNKNOWN_OPTION },
	{ "add:arg1:changes:u8:^changed", OBJTRACE_ERR_UNKNOWN_OPTION },

	{ "add:arg1:changes:^changes",	OBJTRACE_ERR_OPTION_TWICE },
	{ "add:arg1:size=8:^size=8",	OBJTRACE_ERR_OPTION_TWICE },
	{ "add:arg1:after-free:changes:^after-free", OBJTRACE_ERR_OPTION_TWICE },
	{ "add:arg1:watch:^watch=2",	OBJTRACE_ERR_OPTION_TWICE },
	{ "add:(bio)arg1:size=auto:changes:^size=8", OBJTRACE_ERR_OPTION_TWICE },

	{ "add:(bio)arg1:typed:^typed=strict", OBJTRACE_ERR_OPTION_TWICE },

	{ "add:arg1:^typed",		OBJTRACE_ERR_TYPED_NEEDS_STRUCT },
	{ "add:arg1,8:u32:^typed=strict", OBJTRACE_ERR_TYPED_NEEDS_STRUCT },
	{ "add:+8(arg1):^typed",	OBJTRACE_ERR_TYPED_NEEDS_STRUCT },

	{ "add:(bio)arg1:typed^=",	OBJTRACE_ERR_TYPED_VALUE },
	{ "add:(bio)arg1:typed^=1",	OBJTRACE_ERR_TYPED_VALUE },
	{ "add:(bio)arg1:typed^=strictly", OBJTRACE_ERR_TYPED_VALUE },

	{ "add:arg1:changes^=1",	OBJTRACE_ERR_OPTION_VALUE },
	{ "add:arg1:5:changes^=",	OBJTRACE_ERR_OPTION_VALUE },
	{ "add:arg1:after-free^=100",	OBJTRACE_ERR_OPTION_VALUE },

	{ "add:arg1:enum=a:^enum=a",	OBJTRACE_ERR_OPTION_TWICE },
	{ "add:arg1:enum^",		OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^",		OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^:u8",		OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^1a",		OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^enum a",	OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:u8:enum=^a-b",	OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^a=b",		OBJTRACE_ERR_BAD_ENUM },
	{ "add:arg1:enum=^" ENUM_95 "x", OBJTRACE_ERR_BAD_ENUM },
	{ "del:arg1:^enum=a",		OBJTRACE_ERR_NOT_FOR_VERB },
	{ "add:arg1:returns:^returns=all", OBJTRACE_ERR_OPTION_TWICE },
	{ "add:arg1:returns^=",		OBJTRACE_ERR_RETURNS_VALUE },
	{ "add:arg1:returns^=1",	OBJTRACE_ERR_RETURNS_VALUE },
	{ "add:arg1:5:returns^=ALL",	OBJTRACE_ERR_RETURNS_VALUE },
	{ "add:arg1:watch=^",		OBJTRACE_ERR_BAD_WATCH },
	{ "add:arg1:watch=^four",	OBJTRACE_ERR_BAD_WATCH },
	{ "add:arg1:5:watch=^4k",	OBJTRACE_ERR_BAD_WATCH },
	{ "add:arg1:watch=^0",		OBJTRACE_ERR_WATCH_RANGE },
	{ "add:arg1:watch=^-1",		OBJTRACE_ERR_WATCH_RANGE },
	{ "add:arg1:watch=^17",		OBJTRACE_ERR_WATCH_RANGE },
	{ "add:arg1:watch=^99999999999999999999", OBJTRACE_ERR_WATCH_RANGE },

	{ "add:arg1:size^",		OBJTRACE_ERR_BAD_SIZE },
	{ "add:arg1:size=^",		OBJTRACE_ERR_BAD_SIZE },
	{ "add:arg1:size=^8k",		OBJTRACE_ERR_BAD_SIZE },
	{ "add:(bio)arg1:size=^Auto",	OBJTRACE_ERR_BAD_SIZE },
	{ "add:(bio)arg1:size=^auto1",	OBJTRACE_ERR_BAD_SIZE },

	{ "add:arg1:stack^",		OBJTRACE_ERR_BAD_STACK },
	{ "add:arg1:stack=^",		OBJTRACE_ERR_BAD_STACK },
	{ "add:arg1:stack=^4k",		OBJTRACE_ERR_BAD_STACK },
	{ "add:arg1:stack=^0",		OBJTRACE_ERR_STACK_RANGE },
	{ "add:arg1:stack=^-1",		OBJTRACE_ERR_STACK_RANGE },
	{ "add:arg1:stack=^65",		OBJTRACE_ERR_STACK_RANGE },
	{ "add:arg1:stack=^99999999999999999999", OBJTRACE_ERR_STACK_RANGE },

	{ "add:arg1:size=^0",		OBJTRACE_ERR_SIZE_RANGE },
	{ "add:arg1:size=^-8",		OBJTRACE_ERR_SIZE_RANGE },
	{ "add:arg1:size=^2147483648",	OBJTRACE_ERR_SIZE_RANGE },
	{ "add:arg1:size=^99999999999999999999", OBJTRACE_ERR_SIZE_RANGE },

	{ "add:arg1:size=^auto",	OBJTRACE_ERR_SIZE_AUTO_NEEDS_STRUCT },
	{ "add:+8(arg1):changes:size=^auto", OBJTRACE_ERR_SIZE_AUTO_NEEDS_STRUCT },

	{ "add:arg1 ^comm == 1",	OBJTRACE_ERR_NO_IF },
	{ "add:arg1:u32 ^iff a == 1",	OBJTRACE_ERR_NO_IF },
	{ "add:arg1 ^IF a == 1",	OBJTRACE_ERR_NO_IF },
	{ "add:arg1 ^u32",		OBJTRACE_ERR_NO_IF },
	{ "add:arg1 ^:u32",		OBJTRACE_ERR_NO_IF },
	{ "add:(bio)arg1 ^->a",		OBJTRACE_ERR_NO_IF },
	{ "clear ^arg1",		OBJTRACE_ERR_NO_IF },
	{ "del:arg1 ^arg2",		OBJTRACE_ERR_NO_IF },

	{ "add:arg1:^if comm == 1",	OBJTRACE_ERR_FILTER_BLANK },
	{ "add:arg1:u8:^if",		OBJTRACE_ERR_FILTER_BLANK },
	{ "add:(bio)arg1->a:^if(a)",	OBJTRACE_ERR_FILTER_BLANK },
	{ "add:arg1 if^(a == 1)",	OBJTRACE_ERR_FILTER_BLANK },
	{ "add:arg1 if^:a",		OBJTRACE_ERR_FILTER_BLANK },
	{ "del:arg1:^if a",		OBJTRACE_ERR_FILTER_BLANK },
	{ "clear:^if a",		OBJTRACE_ERR_FILTER_BLANK },

	{ "add:arg1 if^",		OBJTRACE_ERR_EMPTY_FILTER },
	{ "add:arg1 if ^",		OBJTRACE_ERR_EMPTY_FILTER },
	{ "clear \tif^",		OBJTRACE_ERR_EMPTY_FILTER },
};

/* An event, and the use of its fields */
static const struct {
	const char		*name;
	struct objtrace_field	field;
} fields[] = {
	{ "arg1",	{ 8, sizeof(void *) } },
	{ "comm",	{ 0, 0 } },
	{ "pid",	{ 16, 4 } },
	{ "name",	{ 24, sizeof(void *), true } },
	{ "wide",	{ 32, 2 * sizeof(void *) } },
};

#define FITS	OBJTRACE_NR_ERRORS
static const struct {
	const char		*marked;
	enum objtrace_error_id	id;
} on_event[] = {
	{ "add:^arg1",			FITS },
	{ "add:+8(+8(^arg1))",		FITS },
	{ "add:(bio)^arg1->a",		FITS },
	{ "del:^arg1",			FITS },
	{ "add:^arg2",			OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "add:+8(^arg):u8",		OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "add:(bio)^arg11->a",		OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "del:^arg2",			OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "add:^ffff888012345678",	OBJTRACE_ERR_BAD_ADDRESS },
	{ "add:^ffff88801234567",	OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "add:^ffff88801234567g",	OBJTRACE_ERR_UNKNOWN_FIELD },
	{ "add:^comm:u8",		OBJTRACE_ERR_GENERIC_FIELD },
	{ "add:(bio)^comm",		OBJTRACE_ERR_GENERIC_FIELD },
	{ "add:^pid",			OBJTRACE_ERR_FIELD_SIZE },
	{ "add:^name",			OBJTRACE_ERR_FIELD_SIZE },
	{ "del:^wide:5",		OBJTRACE_ERR_FIELD_SIZE },
};

/* Errors that need BTF, an event or a kernel */
static const enum objtrace_error_id elsewhere[] = {
	/* In BTF: types_test.c */
	OBJTRACE_ERR_UNKNOWN_STRUCT, OBJTRACE_ERR_AMBIGUOUS_STRUCT,
	OBJTRACE_ERR_MODULE_STRUCTS, OBJTRACE_ERR_UNKNOWN_ENUM,
	OBJTRACE_ERR_AMBIGUOUS_ENUM, OBJTRACE_ERR_ENUM_TYPE,
	/* path_test.c */
	OBJTRACE_ERR_INCOMPLETE_STRUCT, OBJTRACE_ERR_POINTER_INDEX,
	OBJTRACE_ERR_USER_POINTER, OBJTRACE_ERR_PERCPU_POINTER,
	OBJTRACE_ERR_UNKNOWN_MEMBER, OBJTRACE_ERR_NOT_A_STRUCT,
	OBJTRACE_ERR_NOT_A_POINTER, OBJTRACE_ERR_DOT_NEEDED, OBJTRACE_ERR_NOT_AN_ARRAY,
	OBJTRACE_ERR_INDEX_NEEDED, OBJTRACE_ERR_NOT_A_VALUE, OBJTRACE_ERR_TYPE_TOO_WIDE,
	OBJTRACE_ERR_SYMBOL_SIZE, OBJTRACE_ERR_BITFIELD_TYPE,
	/* In test.d/trigger and test.d/zombie */
	OBJTRACE_ERR_TOO_MANY_TRIGGERS, OBJTRACE_ERR_OWN_EVENT, OBJTRACE_ERR_USER_EVENT,
	OBJTRACE_ERR_FPROBE_ENTRY, OBJTRACE_ERR_NOT_CANONICAL,
	OBJTRACE_ERR_UNMAPPED_ADDRESS, OBJTRACE_ERR_DEVICE_ADDRESS,
	OBJTRACE_ERR_NO_RECORD_EVENTS, OBJTRACE_ERR_TRIGGER_EXISTS,
	OBJTRACE_ERR_NO_SUCH_TRIGGER, OBJTRACE_ERR_SEVERAL_TRIGGERS,
	OBJTRACE_ERR_WATCH_UNSUPPORTED, OBJTRACE_ERR_WATCH_UNALIGNED, OBJTRACE_ERR_WATCH_TAKEN,
	OBJTRACE_ERR_WATCH_IGNORED, OBJTRACE_ERR_WATCH_REFUSED,
	OBJTRACE_ERR_OWNER_LOADING, OBJTRACE_ERR_OWNER_GONE, OBJTRACE_ERR_MODULE_GONE,
	OBJTRACE_ERR_FTRACE_DEAD,
	OBJTRACE_ERR_ENABLE_FAILED, OBJTRACE_ERR_NO_MEMORY,
	/* In patterns_test.c */
	OBJTRACE_ERR_NO_PATTERN, OBJTRACE_ERR_PATTERN_TOO_LONG,
	OBJTRACE_ERR_PATTERN_NUMBER, OBJTRACE_ERR_PATTERN_COMMAND,
	OBJTRACE_ERR_NOTHING_TO_TAKE, OBJTRACE_ERR_TOO_MANY_PATTERNS,
	/* In test.d/filter/errors.tc */
	OBJTRACE_ERR_NO_FUNCTION,
};

static unsigned int seen[OBJTRACE_NR_ERRORS];

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* check_text() on a copy that ends in front of the sanitizer's guard */
static const char *check(const char *text, struct objtrace_spec *spec,
			 struct objtrace_error *error)
{
	char *copy = strdup(text);
	const char *complaint = check_text(copy, spec, error);

	if (spec->filter)
		spec->filter = text + (spec->filter - copy);
	free(copy);
	return complaint;
}

static void test_good(void)
{
	char printed[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *complaint;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		complaint = check(good[i].text, &spec, &error);
		if (!complaint && error.id < OBJTRACE_NR_ERRORS)
			complaint = objtrace_error_text(error.id);
		if (!complaint && (!is_same(&spec, &good[i].spec) ||
				   !same_text(spec.filter, good[i].spec.filter)))
			complaint = "the parsed command differs";
		ok(!complaint, "'%s' is accepted%s%s", good[i].text,
		   complaint ? ": " : "", complaint ?: "");
		objtrace_spec_print(&spec, printed, sizeof(printed));
		ok(!strcmp(printed, good[i].printed ?: good[i].text), "'%s' prints as '%s'",
		   good[i].text, printed);
	}
}

/* Print a text as one line of ASCII */
static const char *shown(const char *text)
{
	static char line[256];
	unsigned int i;

	for (i = 0; text[i]; i++)
		line[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	line[i] = '\0';
	return line;
}

/* Remove the mark.  Return: column of the mark */
static unsigned int unmark(const char *marked, char *text)
{
	size_t pos = strcspn(marked, "^");

	sprintf(text, "%.*s%s", (int)pos, marked, marked + pos + 1);
	return pos;
}

static void test_bad(void)
{
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *complaint;
	unsigned int i, pos;
	char text[256];

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		pos = unmark(bad[i].marked, text);
		complaint = check(text, &spec, &error);
		if (!complaint && error.id >= OBJTRACE_NR_ERRORS)
			complaint = "the command is accepted";
		ok(!complaint && error.id == bad[i].id && error.pos == pos && !error.in[0],
		   "'%s' is rejected: %s", shown(bad[i].marked),
		   complaint ?: objtrace_error_text(error.id));
		seen[bad[i].id]++;
	}
}

static const struct objtrace_field *find_field(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(fields[i].name, name))
			return &fields[i].field;
	return NULL;
}

static void test_on_event(void)
{
	struct objtrace_error error;
	struct objtrace_spec spec;
	unsigned int i, pos;
	char text[256];
	bool right;
	int ret;

	for (i = 0; i < ARRAY_SIZE(on_event); i++) {
		pos = unmark(on_event[i].marked, text);
		right = !objtrace_parse(text, &spec, &error);
		error.id = FITS;
		ret = objtrace_parse_field(&spec, find_field(spec.field), &error);
		right &= error.id == on_event[i].id;
		if (on_event[i].id == FITS) {
			right &= !ret && spec.field_pos == pos;
		} else {
			right &= ret == objtrace_error_errno(error.id) && error.pos == pos;
			seen[on_event[i].id]++;
		}
		ok(right, "'%s' with a field of an event: %s", on_event[i].marked,
		   error.id == FITS ? "fits" : objtrace_error_text(error.id));
	}
}

static void test_every_error(void)
{
	unsigned int i, is_elsewhere[OBJTRACE_NR_ERRORS] = {};

	for (i = 0; i < ARRAY_SIZE(elsewhere); i++)
		is_elsewhere[elsewhere[i]]++;
	for (i = 0; i < OBJTRACE_NR_ERRORS; i++) {
		ok(!!seen[i] + is_elsewhere[i] == 1, "%u cases here, %u elsewhere for: %s",
		   seen[i], is_elsewhere[i], objtrace_error_text(i));
		ok(objtrace_error_errno(i) < 0,
		   "the error has an errno: %d", objtrace_error_errno(i));
	}
}

/* The error of a member names the struct, even if the name is long */
static void test_error_in(void)
{
	static const char longest[] = "union " STRUCT_95;
	struct objtrace_error error;

	ok(objtrace_error_set_in(&error, OBJTRACE_ERR_UNKNOWN_MEMBER, 7, longest) == -EINVAL &&
	   error.id == OBJTRACE_ERR_UNKNOWN_MEMBER && error.pos == 7 &&
	   !strcmp(error.in, longest), "the error has the whole name of the struct");
	ok(objtrace_error_set_in(&error, OBJTRACE_ERR_UNKNOWN_MEMBER, 7,
				 STRUCT_95 STRUCT_95) == -EINVAL &&
	   strlen(error.in) == sizeof(error.in) - 1, "a longer name of a struct is cut off");
	ok(!objtrace_error_add(&error, "%s", "x") && strlen(error.in) == sizeof(error.in) - 1,
	   "a full error takes no more text");
	objtrace_error_set(&error, OBJTRACE_ERR_UNKNOWN_ENUM, 7);
	ok(objtrace_error_add(&error, "%s-%u", "a", 5) && objtrace_error_add(&error, ", b") &&
	   !objtrace_error_add(&error, "%s", longest) && !strcmp(error.in, "a-5, b"),
	   "a text is added if the error has room for all of it");
	ok(objtrace_error_add(&error, "%s", longest + strlen(longest) + strlen(error.in) -
					    (sizeof(error.in) - 1)) &&
	   strlen(error.in) == sizeof(error.in) - 1, "a text is added if the error has exactly its room");
}

static void test_sizes(void)
{
	static const struct {
		const char	*name;
		unsigned int	size;
	} wanted[] = {
		{ "u8", 1 }, { "u16", 2 }, { "u32", 4 }, { "u64", 8 },
		{ "s8", 1 }, { "s16", 2 }, { "s32", 4 }, { "s64", 8 },
		{ "x8", 1 }, { "x16", 2 }, { "x32", 4 }, { "x64", 8 },
		{ "char", 1 }, { "symbol", sizeof(void *) },
	};
	struct objtrace_error error;
	struct objtrace_spec spec;
	char text[32];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		snprintf(text, sizeof(text), "add:a:%s", wanted[i].name);
		ok(!objtrace_parse(text, &spec, &error) &&
		   objtrace_type_size(spec.type) == wanted[i].size,
		   "%s has %u bytes", wanted[i].name, wanted[i].size);
	}
	ok(objtrace_type_size(OBJTRACE_TYPE_DEFAULT) == sizeof(void *),
	   "without a type, a value has the size of a pointer");
}

/* The errors that list the options list each of them */
static void test_option_names(void)
{
	static const enum objtrace_error_id lists[] = {
		OBJTRACE_ERR_UNKNOWN_TYPE, OBJTRACE_ERR_UNKNOWN_OPTION,
	};
	const char *name;
	unsigned int i, nr;

	for (nr = 0; (name = objtrace_option_name(nr)); nr++)
		for (i = 0; i < ARRAY_SIZE(lists); i++)
			ok(strstr(objtrace_error_text(lists[i]), name), "'%s' is in: %s", name,
			   objtrace_error_text(lists[i]));
	ok(nr > 0, "there are %u options", nr);
}

/* A trigger, and a command with its options, some of them, or others */
static const struct {
	const char	*whole;
	const char	*part;
	bool		same;
	bool		has;
} options[] = {
	{ "add:(a)b",				"add:(a)b",			true, true },
	{ "add:(a)b:u8:1",			"add:(a)b",			true, true },
	{ "add:(a)b:changes",			"add:(a)b",			false, true },
	{ "add:(a)b",				"add:(a)b:changes",		false, false },
	{ "add:(a)b:changes:size=8",		"add:(a)b:size=0x8",		false, true },
	{ "add:(a)b:changes:size=8",		"add:(a)b:size=8:changes",	true, true },
	{ "add:(a)b:changes:size=8",		"add:(a)b:size=9",		false, false },
	{ "add:(a)b:size=auto",			"add:(a)b:size=8",		false, false },
	{ "add:(a)b:size=8",			"add:(a)b:size=auto",		false, false },
	{ "add:(a)b:stack=8",			"add:(a)b:stack=010",		true, true },
	{ "add:(a)b:stack=8",			"add:(a)b:stack=9",		false, false },
	{ "add:(a)b:typed=strict",		"add:(a)b:typed",		false, false },
	{ "add:(a)b:typed",			"add:(a)b:typed=strict",	false, false },
	{ "add:(a)b:typed=strict:after-free",	"add:(a)b:after-free",		false, true },
	{ "add:(a)b:enum=A",			"add:(a)b:enum=AB",		false, false },
	{ "add:(a)b:enum=A:changes",		"add:(a)b:enum=A",		false, true },
	{ "add:(a)b:typed:size=auto:after-free:changes",
	  "add:(a)b:changes:after-free:size=auto:typed",			true, true },
	{ "add:(a)b:watch=1",			"add:(a)b:watch",		true, true },
	{ "add:(a)b:watch=2",			"add:(a)b:watch",		false, false },
	{ "add:(a)b:returns:watch",		"add:(a)b:returns",		false, true },
	{ "add:(a)b:returns",			"add:(a)b:returns=all",		false, false },
};

static void test_option_compare(void)
{
	struct objtrace_spec whole, part;
	struct objtrace_error error;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		ok(!objtrace_parse(options[i].whole, &whole, &error) &&
		   !objtrace_parse(options[i].part, &part, &error) &&
		   objtrace_option_same(&whole, &part) == options[i].same &&
		   objtrace_option_same(&part, &whole) == options[i].same &&
		   objtrace_option_has(&whole, &part) == options[i].has,
		   "'%s' has %s options of '%s'", options[i].whole,
		   options[i].same ? "just the" : options[i].has ? "all" : "not all", options[i].part);
}

/* The kernel's log has no address */
static void test_log(void)
{
	static const struct {
		const char	*text;
		const char	*logged;
	} texts[] = {
		{ "add:0xffff888012345678:u8",	"add:ADDRESS:u8" },
		{ "add:+8(0xffff888012345678)",	"add:+0x8(ADDRESS)" },
		{ "add:(bio)0xff->a:1:changes",	"add:(bio)ADDRESS->a:1:changes" },
		{ "del:0xff",			"del:ADDRESS" },
		{ "add:+0x28(arg1):x8",		"add:+0x28(arg1):x8" },
	};
	char logged[OBJTRACE_SPEC_LEN];
	struct objtrace_error error;
	struct objtrace_spec spec;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		ok(!objtrace_parse(texts[i].text, &spec, &error) &&
		   objtrace_spec_print_log(&spec, logged, sizeof(logged)) == strlen(logged) &&
		   !strcmp(logged, texts[i].logged), "'%s' is in the log as '%s'",
		   texts[i].text, logged);
}

/* The longest printed text fits in OBJTRACE_SPEC_LEN */
static void test_longest(void)
{
	static const char text[] = "add:(" STRUCT_95 ")" FIELD_63 "->" PATH_127
		":symbol:count=9223372036854775807:changes:returns=all:size=2147483647:typed=strict:after-free:enum=" ENUM_95
		":stack=64:watch=16";
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *complaint = check(text, &spec, &error);

	ok(!complaint && error.id >= OBJTRACE_NR_ERRORS, "the longest command: %s",
	   complaint ?: "fits");
}

/*
 * Many texts: check_text() finds no mistake in any of them
 */

struct tally {
	unsigned int	accepted;
	unsigned int	rejected;
	unsigned int	wrong;
};

static bool count_text(const char *text, struct tally *tally)
{
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *complaint = check(text, &spec, &error);
	bool accepted = error.id >= OBJTRACE_NR_ERRORS;

	if (complaint && !tally->wrong++)
		printf("# '%s': %s\n", shown(text), complaint);
	if (accepted)
		tally->accepted++;
	else
		tally->rejected++;
	return accepted;
}

static void tell(const struct tally *tally, const char *what)
{
	ok(tally->accepted && !tally->wrong, "%s: %u accepted, %u rejected, %u wrong", what,
	   tally->accepted, tally->rejected, tally->wrong);
}

/* Each good text with one byte changed, or truncated at this byte */
static void test_mutations(void)
{
	struct tally tally = {};
	unsigned int i, at, c;
	char text[256];

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		for (at = 0; at < strlen(good[i].text); at++) {
			for (c = 0; c < 256; c++) {
				strcpy(text, good[i].text);
				text[at] = c;
				count_text(text, &tally);
			}
		}
	}
	tell(&tally, "mutations");
}

/* Each sequence of up to @left words after @text */
static void try_words(char *text, unsigned int left, struct tally *tally)
{
	static const char * const words[] = {
		":", ",", "+", "-", "8", "0x28", "(", ")", "arg1", "bio", "->", ".", "[", "]",
		"u8", "symbol", "count=", "unlimited", "changes", "size=", "auto", "typed", "=strict", "after-free",
		" ", "if", "$", "0x", "enum=", "stack=", "watch", "returns", "=",
	};
	char *end = text + strlen(text);
	unsigned int i;

	count_text(text, tally);
	if (!left)
		return;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		strcpy(end, words[i]);
		try_words(text, left - 1, tally);
	}
	*end = '\0';
}

static void test_words(void)
{
	static const char * const starts[] = {
		"", "add", "add:", "add:+8(", "add:(bio)arg1", "add:(bio)arg1->a", "add:arg1:",
		"del:", "clear",
	};
	struct tally tally = {};
	char text[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		strcpy(text, starts[i]);
		try_words(text, 3, &tally);
	}
	tell(&tally, "short sequences of words");
}

/* Put a part of @left at each place of the text, and count the texts with the same meaning */
static void try_orders(char *text, unsigned int left, const struct objtrace_spec *wanted,
		       struct tally *tally)
{
	static const char * const in_order[] = {
		":u32", ":5", ":changes", ":size=8", ":typed=strict", ":after-free",
	};
	struct objtrace_error error;
	struct objtrace_spec spec;
	char *end = text + strlen(text);
	unsigned int i;

	if (!left && count_text(text, tally)) {
		objtrace_parse(text, &spec, &error);
		tally->wrong += !is_same(&spec, wanted);
	}
	for (i = 0; i < ARRAY_SIZE(in_order); i++) {
		if (!(left & (1U << i)))
			continue;
		strcpy(end, in_order[i]);
		try_orders(text, left & ~(1U << i), wanted, tally);
	}
	*end = '\0';
}

static void test_orders(void)
{
	static const struct objtrace_spec wanted = BTF(1, "a", .type = OBJTRACE_TYPE_U32, N(5),
		.changes = true, SIZE(8), TYPED(_STRICT), .after_free = true);
	struct tally tally = {};
	char text[256] = "add:(bio)arg1->a";

	try_orders(text, 0x3f, &wanted, &tally);
	tell(&tally, "orders of parts");
	ok(tally.accepted == 720 && !tally.rejected, "each of the 6! orders is accepted");
}

/* Each combination of parts */
static const char * const objects[] = {
	"arg1", "arg1,8", "arg1,-0x10", "+8(arg1)", "+8(-16(arg1))", "-1(+2(-3(+4(arg1))))",
	"0xff", "+8(0xff)", "(bio)0xff->a", "(bio)arg1", "(bio)arg1->a", "(bio)arg1->a.b->c", "(bio)arg1->a[2].b", "(bio)arg1->a.2",
};
static const char * const parts[][20] = {
	{ "", ":u8", ":u16", ":u32", ":u64", ":s8", ":s16", ":s32", ":s64", ":x8", ":x16",
	  ":x32", ":x64", ":char", ":symbol", },
	{ "", ":1", ":0x10", ":count=3", ":unlimited", },
	{ "", ":changes", ":size=8", ":size=auto", ":changes:size=8", ":size=8:changes",
	  ":changes:size=auto", ":size=auto:changes", ":typed", ":size=8:typed=strict",
	  ":after-free", ":after-free:size=auto:changes", ":enum=A:size=8",
	  ":stack=8", ":stack=8:changes", ":watch", ":watch=2:changes", ":returns",
	  ":returns=all:size=8", },
	{ "", " if a == 1", " if a:b", },
};

static void try_parts(char *text, unsigned int nr, struct tally *tally)
{
	char *end = text + strlen(text);
	bool needs_struct;
	unsigned int i;

	if (nr == ARRAY_SIZE(parts)) {
		/* These texts have one reason for rejection */
		needs_struct = strstr(text, "auto") || strstr(text, "typed");
		if (count_text(text, tally) == (needs_struct && text[4] != '('))
			tally->wrong++;
		return;
	}
	for (i = 0; i < ARRAY_SIZE(parts[nr]) && parts[nr][i]; i++) {
		strcpy(end, parts[nr][i]);
		try_parts(text, nr + 1, tally);
	}
	*end = '\0';
}

static void test_combinations(void)
{
	struct tally tally = {};
	char text[256];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++) {
		snprintf(text, sizeof(text), "add:%s", objects[i]);
		try_parts(text, 0, &tally);
	}
	tell(&tally, "combinations of parts");
}

int main(void)
{
	test_good();
	test_bad();
	test_on_event();
	test_every_error();
	test_error_in();
	test_sizes();
	test_option_names();
	test_option_compare();
	test_log();
	test_longest();
	test_mutations();
	test_words();
	test_orders();
	test_combinations();
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder of records: formats that lack parts, records that are too short, texts, and files of
 * machines with the other order of bytes.
 */
#include <stdint.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/records.h"
#include "tap.h"

#define COMMON									\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(type, name, offset, size)						\
	"\tfield:" type " " name ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"
#define EVENT(name, id, fields)							\
	"name: " name "\nID: " #id "\nformat:\n" COMMON fields "\nprint fmt: \"%d\", REC->id\n"

#define WATCH(cpus)								\
	EVENT("objtrace_watch", 7, FIELD("unsigned long", "object", 8, 8)	\
	      FIELD("u64", "id", 16, 8) FIELD("u64", "window", 24, 8) cpus)

struct watch {
	uint16_t	type;
	uint16_t	flags;
	int32_t		pid;
	uint64_t	object;
	uint64_t	id;
	uint64_t	window;
	uint32_t	cpus;
} __attribute__((packed));

#define ADD									\
	EVENT("objtrace_add", 8, FIELD("unsigned long", "object", 8, 8)		\
	      FIELD("unsigned long", "value", 16, 8) FIELD("u64", "id", 24, 8)	\
	      FIELD("u32", "btf", 32, 4) FIELD("u32", "enum_id", 36, 4)		\
	      FIELD("u8", "format", 40, 1) FIELD("u8", "fault", 41, 1)		\
	      FIELD("__data_loc char[]", "event", 44, 4)			\
	      FIELD("__data_loc char[]", "member", 48, 4)			\
	      FIELD("__data_loc char[]", "name", 52, 4))

struct add {
	uint16_t	type;
	uint16_t	flags;
	int32_t		pid;
	uint64_t	object;
	uint64_t	value;
	uint64_t	id;
	uint32_t	btf;
	uint32_t	enum_id;
	uint8_t		format;
	uint8_t		fault;
	uint16_t	hole;
	uint32_t	event;
	uint32_t	member;
	uint32_t	name;
	char		data[24];
} __attribute__((packed));

static struct tep_handle *tep_of(const char *format)
{
	struct tep_handle *tep = tep_alloc();

	tep_set_long_size(tep, 8);
	if (format)
		tep_parse_event(tep, format, strlen(format), "objtrace");
	return tep;
}

static void refuses(const char *format, const char *wanted, const char *what)
{
	struct tep_handle *tep = tep_of(format);
	char mistake[300] = "";
	struct decoder *decoder = decoder_new(tep, mistake, sizeof(mistake));

	ok(!decoder && !strncmp(mistake, wanted, strlen(wanted)), "%s: %s", what, mistake);
	decoder_free(decoder);
	tep_free(tep);
}

static void refuse_formats(void)
{
	refuses(NULL, "it has no event of objtrace; ", "a file without events");
	refuses(WATCH(""), "its event objtrace_watch has no field cpus: ", "a missing field");
	refuses(WATCH(FIELD("u32", "cpus", 32, 3)), "its event objtrace_watch has no field cpus: ",
		"a field of three bytes");
	refuses(WATCH(FIELD("u32", "cpus", 70000, 4)),
		"its event objtrace_watch has no field cpus: ", "a field beyond each record");
}

static enum decoded decode_bytes(struct decoder *decoder, const void *bytes, int size,
				 struct record *record, struct record_owner *owner)
{
	struct tep_record raw = { .ts = 5, .cpu = 3, .size = size };
	char copy[256];

	memcpy(copy, bytes, size);
	raw.data = copy;
	return decode(decoder, &raw, record, owner);
}

static bool is_watch(const struct record *r, const struct record_owner *owner)
{
	return r->kind == RECORD_WATCH && r->ts == 5 && r->cpu == 3 && r->pid == 77 &&
	       r->age == 9000 && r->cpus == 2 && owner->id == 6 && owner->address == 0x1234;
}

static void decode_watch(void)
{
	struct watch watch = { .type = 7, .pid = 77, .object = 0x1234, .id = 6, .window = 9000,
			       .cpus = 2 };
	struct tep_handle *tep = tep_of(WATCH(FIELD("u32", "cpus", 32, 4)));
	struct decoder *decoder = decoder_new(tep, NULL, 0);
	struct record_owner owner;
	struct record record;

	tep_set_file_bigendian(tep, tep_is_bigendian());
	tep_set_local_bigendian(tep, tep_is_bigendian());
	ok(decode_bytes(decoder, &watch, sizeof(watch), &record, &owner) == DECODED &&
	   is_watch(&record, &owner), "each field of a record");
	ok(decode_bytes(decoder, &watch, sizeof(watch) - 1, &record, &owner) == DECODED_DAMAGED,
	   "a record that lacks a byte");
	ok(decode_bytes(decoder, &watch, 7, &record, &owner) == DECODED_DAMAGED,
	   "a record that lacks its number");
	watch.type = 9;
	ok(decode_bytes(decoder, &watch, sizeof(watch), &record, &owner) == DECODED_FOREIGN,
	   "a record of another event");
	decoder_free(decoder);
	tep_free(tep);
}

static void decode_other_order(void)
{
	struct watch watch = { .type = __builtin_bswap16(7), .pid = __builtin_bswap32(77),
			       .object = __builtin_bswap64(0x1234), .id = __builtin_bswap64(6),
			       .window = __builtin_bswap64(9000), .cpus = __builtin_bswap32(2) };
	struct tep_handle *tep = tep_of(WATCH(FIELD("u32", "cpus", 32, 4)));
	struct decoder *decoder = decoder_new(tep, NULL, 0);
	struct record_owner owner;
	struct record record;

	tep_set_local_bigendian(tep, tep_is_bigendian());
	tep_set_file_bigendian(tep, !tep_is_bigendian());
	ok(decode_bytes(decoder, &watch, sizeof(watch), &record, &owner) == DECODED &&
	   is_watch(&record, &owner), "a record with the other order of bytes");
	decoder_free(decoder);
	tep_free(tep);
}

#define LOC(start, len)	((len) * 65536U | (start))

static void decode_add(void)
{
	struct add add = { .type = 8, .object = 0x1234, .value = -1ULL, .id = 6, .enum_id = 40,
			   .format = FORMAT_ENUM, .event = LOC(56, 8), .member = LOC(64, 8),
			   .name = LOC(72, 7), .data = "net:\033ev\0a.b.len\0BROKEN" };
	struct tep_handle *tep = tep_of(ADD);
	struct decoder *decoder = decoder_new(tep, NULL, 0);
	struct record_owner owner;
	struct record record;
	const char *name;

	ok(decode_bytes(decoder, &add, sizeof(add), &record, &owner) == DECODED, "an add");
	ok(!strcmp(record.event, "net:?ev"), "a control character in a text: %s", record.event);
	ok(!strcmp(owner.member, "a.b.len"), "the path to the value: %s", owner.member);
	name = decoder_enumerator(decoder, &record, -1ULL);
	ok(name && !strcmp(name, "BROKEN"), "the name of the value: %s", name);
	add.name = LOC(72, 9);
	ok(decode_bytes(decoder, &add, sizeof(add), &record, &owner) == DECODED_DAMAGED,
	   "a text that ends after the record");
	add.name = LOC(0xffff, 0xffff);
	ok(decode_bytes(decoder, &add, sizeof(add), &record, &owner) == DECODED_DAMAGED,
	   "a text that begins after the record");
	decoder_free(decoder);
	tep_free(tep);
}

int main(void)
{
	refuse_formats();
	decode_watch();
	decode_other_order();
	decode_add();
	return tap_done();
}

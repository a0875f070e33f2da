// SPDX-License-Identifier: GPL-2.0-only
/*
 * The decoder of records.  The places of the fields come from the formats in the file, which are
 * looked up once for each event.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/enumerators.h"
#include "tools/objtrace/records.h"

#define SYSTEM		"objtrace"
#define MAX_FIELDS	24
/* The longest text that is kept, with its NUL */
#define MAX_TEXT	256

static const char * const event_names[NR_RECORD_KINDS] = {
	[RECORD_ADD]		= "objtrace_add",
	[RECORD_VALUE]		= "objtrace_value",
	[RECORD_CHANGE]		= "objtrace_change",
	[RECORD_RETURN]		= "objtrace_return",
	[RECORD_DEL]		= "objtrace_del",
	[RECORD_AFTER_FREE]	= "objtrace_after_free",
	[RECORD_WATCH]		= "objtrace_watch",
	[RECORD_WRITE]		= "objtrace_write",
};

/* A field of an event, and the member of struct record that gets it */
struct field_name {
	const char	*name;
	unsigned int	kinds;
	size_t		offset;
	size_t		size;
};

#define BIT(kind)	(1U << (kind))
#define CALLS		(BIT(RECORD_VALUE) | BIT(RECORD_CHANGE) | BIT(RECORD_RETURN) | \
			 BIT(RECORD_AFTER_FREE))
#define VALUES		(BIT(RECORD_ADD) | BIT(RECORD_VALUE) | BIT(RECORD_CHANGE) | \
			 BIT(RECORD_RETURN) | BIT(RECORD_WRITE))
#define PAIRS		(BIT(RECORD_CHANGE) | BIT(RECORD_RETURN) | BIT(RECORD_WRITE))

#define FIELD_AS(name, kinds, member)						\
	{ name, kinds, offsetof(struct record, member), sizeof(((struct record *)0)->member) }
#define FIELD(member, kinds)	FIELD_AS(#member, kinds, member)

static const struct field_name field_names[] = {
	FIELD(value, VALUES),
	FIELD(format, VALUES),
	FIELD(fault, VALUES),
	FIELD(enum_id, VALUES),
	FIELD(btf, VALUES | BIT(RECORD_AFTER_FREE)),
	FIELD(ip, CALLS | BIT(RECORD_DEL) | BIT(RECORD_WRITE)),
	FIELD(parent_ip, CALLS),
	FIELD(offset, CALLS),
	FIELD(arg, CALLS),
	FIELD(unknown, CALLS),
	FIELD(struct_id, CALLS),
	FIELD(old, PAIRS),
	FIELD(old_fault, BIT(RECORD_CHANGE) | BIT(RECORD_RETURN)),
	FIELD(unsure, BIT(RECORD_CHANGE) | BIT(RECORD_RETURN)),
	FIELD(how, BIT(RECORD_CHANGE)),
	FIELD(seen_ip, BIT(RECORD_CHANGE)),
	FIELD(seen_parent_ip, BIT(RECORD_CHANGE)),
	FIELD(seen_offset, BIT(RECORD_CHANGE)),
	FIELD(seen_unknown, BIT(RECORD_CHANGE)),
	FIELD_AS("old_ts", BIT(RECORD_CHANGE), age),
	FIELD_AS("old_cpu", BIT(RECORD_CHANGE), cpus),
	FIELD(ret, BIT(RECORD_RETURN)),
	FIELD(by, BIT(RECORD_DEL)),
	FIELD(hits, BIT(RECORD_DEL)),
	FIELD(reason, BIT(RECORD_DEL)),
	FIELD(age, BIT(RECORD_DEL) | BIT(RECORD_AFTER_FREE)),
	FIELD_AS("freed_by", BIT(RECORD_AFTER_FREE), by),
	FIELD_AS("window", BIT(RECORD_WATCH), age),
	FIELD(cpus, BIT(RECORD_WATCH)),
};

/* A place in the record of an event, and in struct record */
struct place {
	int	from;
	int	from_size;
	size_t	to;
	size_t	to_size;
};

/* The texts of an event */
enum text { TEXT_EVENT, TEXT_MEMBER, TEXT_NAME, TEXT_OLD_NAME, NR_TEXTS };

static const struct {
	const char	*name;
	unsigned int	kinds;
} text_fields[NR_TEXTS] = {
	[TEXT_EVENT]	= { "event",	BIT(RECORD_ADD) },
	[TEXT_MEMBER]	= { "member",	BIT(RECORD_ADD) | BIT(RECORD_CHANGE) },
	[TEXT_NAME]	= { "name",	BIT(RECORD_ADD) | BIT(RECORD_CHANGE) },
	[TEXT_OLD_NAME]	= { "old_name",	BIT(RECORD_CHANGE) },
};

struct layout {
	int		event_id;	/* -1: the file has no format for this event */
	int		size;		/* bytes that each record of the event has at least */
	struct place	id;
	struct place	object;
	struct place	texts[NR_TEXTS];
	unsigned int	nr_places;
	struct place	places[MAX_FIELDS];
};

/* The names of events and members: few, and many records.  The texts of events of the kernel. */
struct known_text {
	struct known_text	*next;
	char			text[];
};

struct decoder {
	struct tep_handle	*tep;
	struct layout		layouts[NR_RECORD_KINDS];
	struct known_text	*texts;
	struct known_text	*event_texts;
	struct enumerators	enumerators;
};

/**
 * record_kind_name() - name the event of a record
 * @kind: the event
 *
 * Return: the name without the prefix "objtrace_"; "event" for an event of the kernel.
 */
const char *record_kind_name(enum record_kind kind)
{
	if (kind == RECORD_EVENT)
		return "event";
	return event_names[kind] + strlen(SYSTEM "_");
}

/**
 * record_fault_name() - the text in place of a value that was not read
 * @fault: enum record_fault, but not NO_FAULT; a damaged file can have any number
 *
 * Return: the text of the files of tracefs.
 */
const char *record_fault_name(unsigned int fault)
{
	switch (fault) {
	case FAULT_IO:
		return "(io)";
	case FAULT_UNKNOWN:
		return "?";
	default:
		return "(fault)";
	}
}

/* A damaged format can have any numbers */
static int find_place(struct tep_event *event, struct layout *layout, const char *name,
		      struct place *place)
{
	struct tep_format_field *field = tep_find_field(event, name);
	int size = field ? field->size : 0;

	if (!field || field->offset < 0 || field->offset > UINT16_MAX ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return -1;
	place->from = field->offset;
	place->from_size = size;
	if (layout->size < field->offset + size)
		layout->size = field->offset + size;
	return 0;
}

static const char *find_texts(struct tep_event *event, enum record_kind kind,
			      struct layout *layout)
{
	int i;

	for (i = 0; i < NR_TEXTS; i++)
		if (text_fields[i].kinds & BIT(kind) &&
		    find_place(event, layout, text_fields[i].name, &layout->texts[i]))
			return text_fields[i].name;
	return NULL;
}

/* Return the name of a field that the event lacks, or NULL */
static const char *find_places(struct tep_event *event, enum record_kind kind,
			       struct layout *layout)
{
	const struct field_name *field = field_names;

	if (find_place(event, layout, "id", &layout->id))
		return "id";
	if (find_place(event, layout, "object", &layout->object))
		return "object";
	for (; field < field_names + sizeof(field_names) / sizeof(*field_names); field++) {
		struct place *place = &layout->places[layout->nr_places];

		if (!(field->kinds & BIT(kind)))
			continue;
		if (find_place(event, layout, field->name, place))
			return field->name;
		place->to = field->offset;
		place->to_size = field->size;
		layout->nr_places++;
	}
	return find_texts(event, kind, layout);
}

static bool find_layouts(struct decoder *decoder, char *mistake, size_t size)
{
	unsigned int found = 0;
	int kind;

	for (kind = 0; kind < NR_RECORD_KINDS; kind++) {
		struct layout *layout = &decoder->layouts[kind];
		struct tep_event *event;
		const char *missing;

		layout->event_id = -1;
		event = tep_find_event_by_name(decoder->tep, SYSTEM, event_names[kind]);
		if (!event)
			continue;
		missing = find_places(event, kind, layout);
		if (missing) {
			snprintf(mistake, size, "its event %s has no field %s: it was recorded with another version of objtrace; use the objtrace of that version",
				 event_names[kind], missing);
			return false;
		}
		layout->event_id = event->id;
		found++;
	}
	if (!found)
		snprintf(mistake, size, "it has no event of objtrace; record with `trace-cmd record -e objtrace'");
	return found;
}

/**
 * decoder_new() - prepare to decode the records of a file
 * @tep: the formats of the file; they must outlive the decoder
 * @mistake: on failure, the end of a sentence about the file: the mistake and its remedy
 * @size: size of @mistake in bytes
 *
 * Return: the decoder, or NULL on failure.
 */
struct decoder *decoder_new(struct tep_handle *tep, char *mistake, size_t size)
{
	struct decoder *decoder = calloc(1, sizeof(*decoder));

	if (!decoder) {
		snprintf(mistake, size, "there is no memory");
		return NULL;
	}
	decoder->tep = tep;
	if (find_layouts(decoder, mistake, size))
		return decoder;
	free(decoder);
	return NULL;
}

static void free_texts(struct known_text *known)
{
	struct known_text *next;

	for (; known; known = next) {
		next = known->next;
		free(known);
	}
}

/**
 * decoder_free() - free a decoder, and the texts of all decoded records
 * @decoder: the decoder, or NULL
 */
void decoder_free(struct decoder *decoder)
{
	if (!decoder)
		return;
	free_texts(decoder->texts);
	free_texts(decoder->event_texts);
	enumerators_free(&decoder->enumerators);
	free(decoder);
}

static u64 number_at(const struct decoder *decoder, const struct tep_record *raw,
		     const struct place *place)
{
	return tep_read_number(decoder->tep, (const char *)raw->data + place->from,
			       place->from_size);
}

static void store(struct record *record, const struct place *place, u64 number)
{
	void *to = (char *)record + place->to;

	switch (place->to_size) {
	case sizeof(u64):
		*(u64 *)to = number;
		break;
	case sizeof(unsigned int):
		*(unsigned int *)to = number;
		break;
	default:
		*(unsigned char *)to = number;
	}
}

/* A terminal must not get control characters from a damaged file */
static void make_printable(char *text)
{
	for (; *text; text++)
		if (!isprint((unsigned char)*text))
			*text = '?';
}

/* Copy a text of the record, without control characters, and cut to the size of @text. */
static bool read_text(struct decoder *decoder, const struct tep_record *raw,
		      const struct place *place, char text[MAX_TEXT])
{
	/* The field has the place of the text in its lower 16 bits, and the length above */
	u64 location = number_at(decoder, raw, place);
	size_t start = location & 0xffff, len = location >> 16 & 0xffff;

	if (start + len > (size_t)raw->size)
		return false;
	if (len >= MAX_TEXT)
		len = MAX_TEXT - 1;
	memcpy(text, (const char *)raw->data + start, len);
	text[len] = '\0';
	make_printable(text);
	return true;
}

static const char *add_text(struct known_text **texts, const char *text)
{
	size_t size = strlen(text) + 1;
	struct known_text *known = malloc(sizeof(*known) + size);

	if (!known)
		return "?";
	memcpy(known->text, text, size);
	known->next = *texts;
	*texts = known;
	return known->text;
}

static const char *keep_text(struct decoder *decoder, const char *text)
{
	const struct known_text *known;

	for (known = decoder->texts; known; known = known->next)
		if (!strcmp(known->text, text))
			return known->text;
	return add_text(&decoder->texts, text);
}

static void learn_name(struct decoder *decoder, const struct record *record, u64 value,
		       const char *name)
{
	struct enum_type type = { record->btf, record->enum_id };

	if (record->format == FORMAT_ENUM)
		enumerators_learn(&decoder->enumerators, type, value, name);
}

static bool take_texts(struct decoder *decoder, const struct tep_record *raw,
		       const struct layout *layout, struct record *record,
		       struct record_owner *owner)
{
	char text[MAX_TEXT];
	int i;

	for (i = 0; i < NR_TEXTS; i++) {
		if (!(text_fields[i].kinds & BIT(record->kind)))
			continue;
		if (!read_text(decoder, raw, &layout->texts[i], text))
			return false;
		switch (i) {
		case TEXT_EVENT:
			record->event = keep_text(decoder, text);
			break;
		case TEXT_MEMBER:
			owner->member = keep_text(decoder, text);
			break;
		case TEXT_NAME:
			learn_name(decoder, record, record->value, text);
			break;
		case TEXT_OLD_NAME:
			learn_name(decoder, record, record->old, text);
			break;
		}
	}
	return true;
}

/**
 * decoder_enumerator() - name a value of an enum
 * @decoder: the decoder, after all records
 * @record: a record with the type of the value
 * @value: the value
 *
 * Return: the name, or NULL if no record of the file has it.
 */
const char *decoder_enumerator(const struct decoder *decoder, const struct record *record, u64 value)
{
	struct enum_type type = { record->btf, record->enum_id };

	return enumerators_find(&decoder->enumerators, type, value);
}

/**
 * decode_event() - make a record of an event of the kernel
 * @decoder: the decoder
 * @raw: the record
 * @record: the result; the members of objects.h are NULL
 * @text: the event as a text
 */
void decode_event(struct decoder *decoder, const struct tep_record *raw, struct record *record,
		  const char *text)
{
	memset(record, 0, sizeof(*record));
	record->kind = RECORD_EVENT;
	record->ts = raw->ts;
	record->cpu = raw->cpu;
	record->pid = tep_data_pid(decoder->tep, (struct tep_record *)raw);
	record->event = add_text(&decoder->event_texts, text);
}

static const struct layout *layout_of(const struct decoder *decoder, int event_id)
{
	const struct layout *layout = decoder->layouts;

	for (; layout < decoder->layouts + NR_RECORD_KINDS; layout++)
		if (layout->event_id == event_id && event_id >= 0)
			return layout;
	return NULL;
}

/**
 * decode() - decode a record of the file
 * @decoder: the decoder
 * @raw: the record
 * @record: the result, for DECODED only; the members of objects.h are NULL
 * @owner: the object, for DECODED only
 *
 * Return: enum decoded.
 */
enum decoded decode(struct decoder *decoder, const struct tep_record *raw, struct record *record,
		    struct record_owner *owner)
{
	struct tep_record *shared = (struct tep_record *)raw;	/* libtraceevent only reads it */
	const struct layout *layout;
	unsigned int i;

	if (raw->size < 8)
		return DECODED_DAMAGED;
	layout = layout_of(decoder, tep_data_type(decoder->tep, shared));
	if (!layout)
		return DECODED_FOREIGN;
	if (raw->size < layout->size)
		return DECODED_DAMAGED;
	memset(record, 0, sizeof(*record));
	record->kind = layout - decoder->layouts;
	record->ts = raw->ts;
	record->cpu = raw->cpu;
	record->pid = tep_data_pid(decoder->tep, shared);
	for (i = 0; i < layout->nr_places; i++)
		store(record, &layout->places[i], number_at(decoder, raw, &layout->places[i]));
	owner->id = number_at(decoder, raw, &layout->id);
	owner->address = number_at(decoder, raw, &layout->object);
	owner->member = NULL;
	return take_texts(decoder, raw, layout, record, owner) ? DECODED : DECODED_DAMAGED;
}

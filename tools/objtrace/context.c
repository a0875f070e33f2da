// SPDX-License-Identifier: GPL-2.0-only
/*
 * A new line in the table is enough for a new event: `objtrace follow' switches it on, and both
 * follow and report show it.  An event that the kernel lacks is left out.  The instance of these
 * events has records of all objects, so the table has no event that fires all the time.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "tools/objtrace/context.h"
#include "tools/objtrace/leftovers.h"

#define BIO_ARGS								\
	"major=+{block_device.bd_dev}(+{bio.bi_bdev}(%)):b12@20/32 "		\
	"minor=+{block_device.bd_dev}(+{bio.bi_bdev}(%)):b20@0/32 "		\
	"sector=+{bio.bi_iter.bi_sector}(%):u64 bytes=+{bio.bi_iter.bi_size}(%):u32"

static const struct context table[] = {
	{ "sk_buff", "skb", "kfree_skb", "skbaddr" },
	{ "sk_buff", "tcp", "tcp_retransmit_skb", "skbaddr" },
	{ "sock", "sock", "inet_sock_set_state", "skaddr" },
	{ "sock", "tcp", "tcp_retransmit_skb", "skaddr" },
	{ "bio", NULL, "block_bio_queue", CONTEXT_FIELD, "submit_bio_noacct_nocheck", BIO_ARGS },
	/* block_bio_complete does not fire for the bios of a request */
	{ "bio", NULL, "bio_endio", CONTEXT_FIELD, "bio_endio",
	  BIO_ARGS " status=+{bio.bi_status}(%):u8" },
};

/**
 * context_next() - go through the table
 * @context: the last event; NULL at first
 *
 * Return: the next event, or NULL.
 */
const struct context *context_next(const struct context *context)
{
	context = context ? context + 1 : table;
	return context < table + sizeof(table) / sizeof(*table) ? context : NULL;
}

/* The system of a probe is the name of a session */
static bool is_event(const struct context *context, const struct tep_event *event)
{
	if (context->system)
		return !strcmp(event->name, context->event) &&
		       !strcmp(event->system, context->system);
	return (!strcmp(event->name, context->event) || !strcmp(event->name, context->function)) &&
	       !strncmp(event->system, SESSION_PREFIX, strlen(SESSION_PREFIX));
}

/* A damaged format can have any numbers */
static bool is_address(const struct tep_format_field *field)
{
	return field && field->size == 8 && field->offset >= 0 && field->offset < 65536;
}

static int size_of(const struct tep_event *event)
{
	const struct tep_format_field *field;
	int size = 0;

	for (field = event->format.fields; field; field = field->next)
		if (size < field->offset + field->size)
			size = field->offset + field->size;
	return size;
}

static void find_fields(struct contexts *contexts, struct tep_event *event)
{
	const struct context *context = NULL;
	struct tep_format_field *field;

	while ((context = context_next(context))) {
		if (!is_event(context, event) || contexts->nr == CONTEXT_MAX)
			continue;
		field = tep_find_field(event, context->field);
		if (!is_address(field))
			continue;
		contexts->sizes[contexts->nr] = size_of(event);
		contexts->events[contexts->nr] = event;
		contexts->fields[contexts->nr++] = field;
	}
}

/**
 * contexts_find() - find the events of the table
 * @contexts: the result
 * @tep: the formats of events, which must outlive the result
 */
void contexts_find(struct contexts *contexts, struct tep_handle *tep)
{
	struct tep_event **events = tep_list_events(tep, TEP_EVENT_SORT_ID);

	*contexts = (struct contexts){ .tep = tep };
	for (; events && *events; events++)
		find_fields(contexts, *events);
}

/**
 * contexts_next() - find the objects that a record belongs to
 * @contexts: the events
 * @raw: the record
 * @position: 0 at first; changed
 * @address: set to the address of the next object
 *
 * Return: true if there is a next object.
 */
bool contexts_next(const struct contexts *contexts, const struct tep_record *raw, int *position,
		   unsigned long long *address)
{
	struct tep_record *shared = (struct tep_record *)raw;	/* libtraceevent only reads it */
	int i, id;

	if (!contexts->nr || raw->size < 8)
		return false;
	id = tep_data_type(contexts->tep, shared);
	for (i = *position; i < contexts->nr; i++) {
		if (contexts->events[i]->id != id || raw->size < contexts->sizes[i])
			continue;
		*address = tep_read_number(contexts->tep, (char *)raw->data +
					   contexts->fields[i]->offset, contexts->fields[i]->size);
		*position = i + 1;
		return true;
	}
	return false;
}

/* The text of a probe begins with its place and the address: "(bio_endio+0x4/0x10) object=0x1 " */
static const char *without_address(const char *text)
{
	const char *address = strstr(text, ") " CONTEXT_FIELD "=");
	const char *end = address ? strchr(address + 2, ' ') : NULL;

	return *text == '(' && end ? end + 1 : text;
}

static void make_printable(char *text)
{
	for (; *text; text++)
		if (!isascii((unsigned char)*text) || !isprint((unsigned char)*text))
			*text = '?';
}

/**
 * contexts_text() - format a record as the kernel does
 * @contexts: the events
 * @raw: a record for which contexts_next() found an object
 *
 * Addresses are not hashed.
 *
 * Return: "EVENT: TEXT" for free(), or NULL without memory.
 */
char *contexts_text(const struct contexts *contexts, const struct tep_record *raw)
{
	struct tep_record *shared = (struct tep_record *)raw;
	struct tep_event *event = tep_find_event_by_record(contexts->tep, shared);
	struct trace_seq seq;
	char *text;

	trace_seq_init(&seq);
	tep_print_event(contexts->tep, &seq, shared, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&seq);
	if (asprintf(&text, "%s: %s", event->name, without_address(seq.buffer)) < 0)
		text = NULL;
	else
		make_printable(text);
	trace_seq_destroy(&seq);
	return text;
}

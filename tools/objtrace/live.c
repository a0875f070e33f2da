// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record is printed when all older records are read: when it is older than the time at which the
 * last reading began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/drain.h"
#include "tools/objtrace/formats.h"
#include "tools/objtrace/live.h"
#include "tools/objtrace/losses.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/pending.h"
#include "tools/objtrace/stream.h"
#include "tools/objtrace/symbols.h"

/* A record gets its time a moment before it can be read */
#define SLACK_NS	10000000ULL
/* A record without the old value is held as long as this */
#define HOLD_NS		1000000000ULL

struct live {
	struct live_view	view;
	struct stream		stream;
	struct tep_handle	*tep;
	struct decoder		*decoder;
	struct contexts		contexts;
	struct losses		losses;
	struct pending_queue	pending;
};

static bool is_stack(const struct tep_event *event)
{
	return !strcmp(event->name, "kernel_stack");
}

static void print_stack(struct live *live, const struct pending *p)
{
	struct tep_format_field *callers = tep_find_field(p->event, "caller");
	struct tep_format_field *size = tep_find_field(p->event, "size");
	u64 nr, i, ip;

	if (!callers || !size || !live->stream.shows_stack)
		return;
	nr = tep_read_number(live->tep, p->data + size->offset, size->size);
	for (i = 0; i < nr; i++) {
		size_t at = callers->offset + i * sizeof(long);

		if (at + sizeof(long) > (size_t)p->raw.size)
			break;
		ip = tep_read_number(live->tep, p->data + at, sizeof(long));
		if (ip == ~0ULL)
			break;
		lines_function(&live->stream.lines, ip);
	}
}

/* The end of an object has the time of its last event, or a later time. */
static void print_context(struct live *live, struct pending *p)
{
	struct followed *object;
	char *text;
	u64 address;
	int i = 0;

	while (contexts_next(&live->contexts, &p->raw, &i, &address)) {
		object = followed_at(&live->stream.objects, address);
		if (!object)
			continue;
		text = contexts_text(&live->contexts, &p->raw);
		if (text)
			lines_event(&live->stream.lines, object, p->raw.ts, text);
		free(text);
	}
}

static void take(struct pending *p, void *data)
{
	struct live *live = data;

	switch (p->kind) {
	case PENDING_RECORD:
		stream_take(&live->stream, &p->kept);
		return;
	case PENDING_STACK:
		print_stack(live, p);
		break;
	case PENDING_EVENT:
		print_context(live, p);
		break;
	}
	free(p);
}

static int keep_record(struct tep_event *event, struct tep_record *raw, int cpu, void *data)
{
	enum pending_kind kind = is_stack(event) ? PENDING_STACK : PENDING_RECORD;
	struct pending *p = pending_new(kind, event, raw);
	struct live *live = data;

	raw->cpu = cpu;
	if (p && kind == PENDING_RECORD &&
	    decode(live->decoder, raw, &p->kept.record, &p->kept.owner) != DECODED) {
		pending_skip(&live->pending, cpu);
		free(p);
		return 0;
	}
	return pending_add(&live->pending, p, cpu, raw->missed_events);
}

static int keep_event(struct tep_event *event, struct tep_record *raw, int cpu, void *data)
{
	struct live *live = data;

	if (is_stack(event))
		return 0;
	return pending_add(&live->pending, pending_new(PENDING_EVENT, event, raw), cpu, false);
}

static u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/**
 * live_read() - read records, and print those that no older record can follow
 * @live: the view
 * @is_last: print all records
 *
 * Return: 0, or -1 if the records cannot be read.
 */
int live_read(struct live *live, bool is_last)
{
	u64 limit = is_last ? ~0ULL : now() - SLACK_NS;
	const struct session *session = live->view.session;
	const struct drain_sink records = { keep_record, live }, events = { keep_event, live };
	unsigned long long nr_pauses = 0;
	int ret;

	/* The module counts the records of the time without tracing */
	ret = drain(live->tep, session->records, &records, &nr_pauses);
	if (!ret && session->context.instance)
		ret = drain(live->tep, session->context.instance, &events,
			    &live->losses.pauses);
	/* Modules whose functions wrote these records are loaded now */
	symbols_update(live->stream.lines.report.symbols);
	pending_take(&live->pending, limit, take, live);
	stream_release(&live->stream, is_last ? limit : limit - HOLD_NS);
	fflush(stdout);
	return ret;
}

/**
 * live_read_losses() - read how many records, objects and calls are missing
 * @live: the view
 *
 * The triggers must be set still.
 */
void live_read_losses(struct live *live)
{
	losses_of_triggers(&live->losses, live->view.session);
	losses_of_probe(&live->losses, live->view.session);
}

/**
 * live_read_overruns() - read how many records the ring buffer overwrote or dropped
 * @live: the view
 *
 * The session must be stopped, and its instance must exist: trace-cmd can remove the instance.
 */
void live_read_overruns(struct live *live)
{
	losses_of_buffers(&live->losses, live->view.session);
}

/**
 * live_recorded() - print the last line of a session whose records are in a file
 * @live: the view
 * @file: path of the file
 */
void live_recorded(struct live *live, const char *file)
{
	printf("%s has the records for `objtrace report', ", file);
	lines_losses(&live->stream.lines, &live->losses);
}

/**
 * live_summary() - print the last line
 * @live: the view
 */
void live_summary(struct live *live)
{
	stream_summary(&live->stream);
	lines_losses(&live->stream.lines, &live->losses);
}

static int read_formats(struct live *live)
{
	char mistake[300];

	live->tep = formats_new();
	if (!live->tep)
		return refusal("the formats of events cannot be read");
	formats_read_system(live->tep, "objtrace");
	formats_read(live->tep, "ftrace", "kernel_stack");
	context_formats(&live->view.session->context, live->tep);
	contexts_find(&live->contexts, live->tep);
	live->decoder = decoder_new(live->tep, mistake, sizeof(mistake));
	if (!live->decoder)
		return refusal("the module and the program have different versions; install both from one source");
	return EXIT_DONE;
}

static int open_names(struct live *live)
{
	struct report *report = &live->stream.lines.report;

	report->symbols = symbols_of_kernel(live->tep);
	if (!report->symbols)
		return refusal("there is not enough memory");
	report->tep = live->tep;
	report->decoder = live->decoder;
	report->btf = live->view.kbtf->kernel;
	report->module_btf = live->view.type.btf;
	return EXIT_DONE;
}

/**
 * live_open() - prepare to read the records of a session
 * @view: what is printed
 *
 * Return: the view, or NULL after a message.
 */
struct live *live_open(const struct live_view *view)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live) {
		refusal("there is not enough memory");
		return NULL;
	}
	live->view = *view;
	live->stream.lines.view = &live->view;
	live->stream.lines.report.out = stdout;
	live->stream.lines.report.colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	/* trace-cmd reads the records if they go to a file */
	if (!view->is_recorded && (read_formats(live) || open_names(live))) {
		live_close(live);
		return NULL;
	}
	return live;
}

/**
 * live_close() - free the view
 * @live: what live_open() returned
 */
void live_close(struct live *live)
{
	pending_free(&live->pending);
	stream_free(&live->stream);
	symbols_free(live->stream.lines.report.symbols);
	decoder_free(live->decoder);
	tep_free(live->tep);
	free(live);
}

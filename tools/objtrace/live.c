// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffers of the CPUs are read in turn, so a record can be read after younger records of
 * another CPU.  A record is printed when all records are read that are older: when it is older
 * than the time at which the last reading began.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tracefs.h>

#include "tools/objtrace/live.h"
#include "tools/objtrace/value.h"

/* A record gets its time a moment before it can be read */
#define SLACK_NS	10000000ULL
#define VALUE_WIDTH	28

#define BOLD	"\033[1m"
#define GREEN	"\033[32m"
#define YELLOW	"\033[33m"
#define RED	"\033[31m"
#define PLAIN	"\033[m"

/* The field how of objtrace_change, see objtrace(4) */
enum change_how {
	CHANGE_AFTER_CALL,
	CHANGE_AFTER_ADD,
	CHANGE_UNKNOWN,
	CHANGE_AFTER_STORE,
	CHANGE_AFTER_RETURN,
	CHANGE_WITHIN,
};

/* The field reason of objtrace_del if the memory was freed */
#define REASON_FREE	3

struct pending {
	unsigned long long	ts;
	unsigned long		nr;	/* keeps the order of equal times */
	struct tep_event	*event;
	struct tep_record	record;
};

/* An object.  Each value has a trigger of its own, so it has an id for each value. */
struct object {
	unsigned long		nr;
	unsigned long long	address;
	unsigned long long	start;
	unsigned long long	id[SESSION_MAX_VALUES];
	unsigned long long	hits;
	bool			has_ended;
};

struct live {
	struct live_view	view;
	struct tep_handle	*tep;
	struct symbols		symbols;
	bool			is_terminal;

	struct pending		*pending;
	size_t			nr_pending, max_pending;
	unsigned long		nr_read;

	struct object		*objects;
	size_t			nr_objects, max_objects;
	struct object		*current;	/* the object of the last line */
	int			nr_added;
	bool			shows_stack;	/* of the last record */

	unsigned long long	*functions;
	size_t			nr_functions, max_functions;
	unsigned long long	lost;		/* records, by objtrace/stats */
	unsigned long long	untracked;	/* objects, by objtrace/stats */
};

static bool make_room(void *array, size_t nr, size_t *max, size_t size)
{
	void *bigger;

	if (nr < *max)
		return true;
	bigger = realloc(*(void **)array, (*max * 2 + 64) * size);
	if (!bigger)
		return false;
	*(void **)array = bigger;
	*max = *max * 2 + 64;
	return true;
}

static const char *colour(const struct live *live, const char *code)
{
	return live->is_terminal ? code : "";
}

static void count_function(struct live *live, unsigned long long ip)
{
	size_t i;

	for (i = 0; i < live->nr_functions; i++)
		if (live->functions[i] == ip)
			return;
	if (make_room(&live->functions, live->nr_functions, &live->max_functions, sizeof(ip)))
		live->functions[live->nr_functions++] = ip;
}

static const char *function_name(struct live *live, unsigned long long ip)
{
	return symbol_name(&live->symbols, ip);
}

/* The object of a record, and the number of the value */
static struct object *find_object(struct live *live, unsigned long long id, int *value)
{
	size_t i = live->nr_objects;

	while (i--)
		for (*value = 0; *value < live->view.nr_values; ++*value)
			if (live->objects[i].id[*value] == id)
				return &live->objects[i];
	return NULL;
}

/* A record of objtrace_add names the synthetic event of the value: synthetic:NAME_2 */
static int value_of_add(struct live *live, struct tep_event *event, struct tep_record *record)
{
	const char *name, *suffix;
	int len;

	name = tep_get_field_raw(NULL, event, "event", record, &len, 0);
	suffix = name ? strrchr(name, '_') : NULL;
	if (!name || strncmp(name, "synthetic:", strlen("synthetic:")) || !suffix)
		return live->nr_added % live->view.nr_values;
	return atoi(suffix + 1) % live->view.nr_values;
}

static struct object *add_object(struct live *live, struct tep_event *event,
				 struct tep_record *record, int value, bool *is_new)
{
	unsigned long long address = record_number(event, record, "object");
	struct object *object = live->objects + live->nr_objects;
	size_t current = live->current ? live->current - live->objects : 0;

	*is_new = false;
	while (object-- > live->objects) {
		if (object->address != address || object->has_ended)
			continue;
		if (object->id[value])
			break;
		return object;
	}
	if (!make_room(&live->objects, live->nr_objects, &live->max_objects, sizeof(*object)))
		return NULL;
	if (live->current)
		live->current = live->objects + current;
	object = live->objects + live->nr_objects++;
	*object = (struct object){ .nr = live->nr_objects, .address = address, .start = record->ts };
	*is_new = true;
	return object;
}

static void print_heading(struct live *live, const struct object *object, bool is_new)
{
	if (live->current == object)
		return;
	printf("%sobject %lu:%s", colour(live, BOLD), object->nr, colour(live, PLAIN));
	if (!is_new)
		printf(" again");
	else if (live->view.struct_name)
		printf(" struct %s 0x%llx", live->view.struct_name, object->address);
	else
		printf(" 0x%llx", object->address);
	putchar('\n');
}

static void begin_line(struct live *live, struct object *object, unsigned long long ts,
		       bool is_new)
{
	print_heading(live, object, is_new);
	live->current = object;
	printf("  +%.6f  ", (ts - object->start) / 1e9);
}

/* The value in a column, with the name of the member if there are several */
static void print_values(struct live *live, int value, struct tep_event *event,
			 struct tep_record *record, const char *old, const char *old_fault)
{
	const struct live_view *view = &live->view;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	if (view->nr_members > 1)
		fprintf(out, "%s: ", view->members[value]);
	if (old) {
		if (old_fault && record_number(event, record, "how") == CHANGE_UNKNOWN)
			fputc('?', out);
		else
			value_text(out, &live->symbols, view->kbtf, &view->type, event, record,
				   old, old_fault);
		fputs(" -> ", out);
	}
	value_text(out, &live->symbols, view->kbtf, &view->type, event, record, "value", "fault");
	fclose(out);
	if (view->nr_members)
		printf("%s%-*s%s ", colour(live, GREEN), VALUE_WIDTH, text, colour(live, PLAIN));
	free(text);
}

/* A function and its caller, by the fields PREFIXip, PREFIXparent_ip and PREFIXunknown */
static void print_place(struct live *live, struct tep_event *event, struct tep_record *record,
			const char *prefix, bool is_culprit)
{
	unsigned long long ip, parent, unknown;
	char field[40];

	snprintf(field, sizeof(field), "%sip", prefix);
	ip = record_number(event, record, field);
	snprintf(field, sizeof(field), "%sparent_ip", prefix);
	parent = record_number(event, record, field);
	snprintf(field, sizeof(field), "%sunknown", prefix);
	unknown = record_number(event, record, field);
	printf("%s%s%s", is_culprit ? colour(live, YELLOW) : "", function_name(live, ip),
	       is_culprit ? colour(live, PLAIN) : "");
	printf(" <- %s", function_name(live, parent));
	if (unknown)
		printf(" (argument %llu is uncertain)", unknown);
	count_function(live, ip);
}

static void print_address(struct live *live, unsigned long long address)
{
	unsigned long long start;

	printf("%s%s%s", colour(live, YELLOW), function_name(live, address), colour(live, PLAIN));
	start = tep_find_function_address(live->tep, address);
	if (start)
		printf("+0x%llx", address - start);
	count_function(live, start);
}

static void print_suspect(struct live *live, struct tep_event *event, struct tep_record *record)
{
	switch (record_number(event, record, "how")) {
	case CHANGE_WITHIN:
		fputs("in ", stdout);
		print_place(live, event, record, "", true);
		return;
	case CHANGE_AFTER_ADD:
		fputs("after it was added", stdout);
		break;
	case CHANGE_UNKNOWN:
		fputs("somewhere", stdout);
		break;
	case CHANGE_AFTER_STORE:
		fputs("after ", stdout);
		print_address(live, record_number(event, record, "ip"));
		break;
	case CHANGE_AFTER_RETURN:
		fputs("after the return of ", stdout);
		print_place(live, event, record, "", true);
		break;
	default:
		fputs("after ", stdout);
		print_place(live, event, record, "", true);
	}
	fputs(", seen at ", stdout);
	print_place(live, event, record, "seen_", false);
}

static void print_add(struct live *live, struct tep_event *event, struct tep_record *record)
{
	int value = value_of_add(live, event, record);
	struct object *object;
	bool is_new;

	object = add_object(live, event, record, value, &is_new);
	if (!object)
		return;
	object->id[value] = record_number(event, record, "id");
	live->nr_added++;
	begin_line(live, object, record->ts, is_new);
	print_values(live, value, event, record, NULL, NULL);
	printf("added at %s\n", live->view.source);
}

static void print_value(struct live *live, struct object *object, int value,
			struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	print_values(live, value, event, record, NULL, NULL);
	fputs("at ", stdout);
	print_place(live, event, record, "", true);
	putchar('\n');
}

static void print_change(struct live *live, struct object *object, int value,
			 struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	print_values(live, value, event, record, "old", "old_fault");
	print_suspect(live, event, record);
	puts(record_number(event, record, "unsure") ? " (or a call in it)" : "");
}

static void print_return(struct live *live, struct object *object, int value,
			 struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	print_values(live, value, event, record, "old", "old_fault");
	fputs("in ", stdout);
	print_place(live, event, record, "", true);
	printf(", returns 0x%llx%s\n", record_number(event, record, "ret"),
	       record_number(event, record, "unsure") ? " (or a call in it)" : "");
}

static void print_write(struct live *live, struct object *object, int value,
			struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	print_values(live, value, event, record, "old", NULL);
	fputs("stored by ", stdout);
	print_address(live, record_number(event, record, "ip"));
	putchar('\n');
}

static void print_watch(struct live *live, struct object *object, int value,
			struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	printf("all %llu CPUs report stores now, the last one since +%.6f\n",
	       record_number(event, record, "cpus"),
	       record_number(event, record, "window") / 1e9);
}

static void print_after_free(struct live *live, struct object *object, int value,
			     struct tep_event *event, struct tep_record *record)
{
	begin_line(live, object, record->ts, false);
	printf("%safter it was freed%s: ", colour(live, RED), colour(live, PLAIN));
	print_place(live, event, record, "", true);
	printf(", freed by %s (hint)\n",
	       function_name(live, record_number(event, record, "freed_by")));
}

static const char *plural(unsigned long long nr)
{
	return nr == 1 ? "" : "s";
}

static void print_freed(struct live *live, struct tep_event *event, struct tep_record *record)
{
	unsigned long long by = record_number(event, record, "by");
	unsigned long long ip = record_number(event, record, "ip");

	printf("freed by %s%s%s", colour(live, YELLOW), function_name(live, by ?: ip),
	       colour(live, PLAIN));
	if (by && ip)
		printf(" <- %s", function_name(live, ip));
}

static void print_del(struct live *live, struct object *object, int value,
		      struct tep_event *event, struct tep_record *record)
{
	unsigned long long hits = record_number(event, record, "hits");
	bool is_freed = record_number(event, record, "reason") == REASON_FREE;

	if (hits > object->hits)
		object->hits = hits;
	/* One line, although each value has a record.  The end of a trigger has no stack. */
	live->shows_stack = is_freed && !object->has_ended;
	if (object->has_ended)
		return;
	object->has_ended = true;
	begin_line(live, object, record->ts, false);
	if (is_freed)
		print_freed(live, event, record);
	else
		fputs("not freed yet", stdout);
	printf(", %llu hit%s\n", hits, plural(hits));
}

static const struct printer {
	const char	*event;
	void		(*print)(struct live *live, struct object *object, int value,
				 struct tep_event *event, struct tep_record *record);
} printers[] = {
	{ "objtrace_value",	 print_value },
	{ "objtrace_change",	 print_change },
	{ "objtrace_return",	 print_return },
	{ "objtrace_write",	 print_write },
	{ "objtrace_watch",	 print_watch },
	{ "objtrace_after_free", print_after_free },
	{ "objtrace_del",	 print_del },
};

static void print_stack(struct live *live, struct tep_event *event, struct tep_record *record)
{
	struct tep_format_field *callers = tep_find_field(event, "caller");
	struct tep_format_field *size = tep_find_field(event, "size");
	unsigned long long nr, i, ip;

	if (!callers || !size || !live->shows_stack)
		return;
	nr = tep_read_number(live->tep, (char *)record->data + size->offset, size->size);
	for (i = 0; i < nr; i++) {
		size_t at = callers->offset + i * sizeof(long);

		if (at + sizeof(long) > (size_t)record->size)
			break;
		ip = tep_read_number(live->tep, (char *)record->data + at, sizeof(long));
		if (ip == ~0ULL)
			break;
		printf("               %s\n", function_name(live, ip));
	}
}

static void print_record(struct live *live, struct tep_event *event, struct tep_record *record)
{
	const struct printer *p = printers;
	struct object *object;
	int value;

	if (!strcmp(event->name, "kernel_stack")) {
		print_stack(live, event, record);
		return;
	}
	live->shows_stack = true;
	if (!strcmp(event->name, "objtrace_add")) {
		print_add(live, event, record);
		return;
	}
	for (; p < printers + sizeof(printers) / sizeof(*printers); p++) {
		if (strcmp(event->name, p->event))
			continue;
		object = find_object(live, record_number(event, record, "id"), &value);
		if (object)
			p->print(live, object, value, event, record);
	}
}

static int keep_record(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	struct live *live = data;
	struct pending *p;
	void *copy;

	if (strcmp(event->system, "objtrace") && strcmp(event->name, "kernel_stack"))
		return 0;
	copy = malloc(record->size);
	if (!copy || !make_room(&live->pending, live->nr_pending, &live->max_pending, sizeof(*p))) {
		free(copy);
		return -1;
	}
	memcpy(copy, record->data, record->size);
	p = live->pending + live->nr_pending++;
	*p = (struct pending){ .ts = record->ts, .nr = live->nr_read++, .event = event };
	p->record = (struct tep_record){ .ts = record->ts, .size = record->size, .data = copy,
					 .cpu = cpu };
	return 0;
}

static int compare_pending(const void *a, const void *b)
{
	const struct pending *one = a, *two = b;

	if (one->ts != two->ts)
		return one->ts < two->ts ? -1 : 1;
	return one->nr < two->nr ? -1 : 1;
}

static unsigned long long now(void)
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
	unsigned long long limit = is_last ? ~0ULL : now() - SLACK_NS;
	struct pending *p = live->pending;
	size_t nr = 0;
	int ret;

	ret = tracefs_iterate_raw_events(live->tep, live->view.session->records, NULL, 0,
					 keep_record, live);
	p = live->pending;
	if (live->nr_pending)
		qsort(p, live->nr_pending, sizeof(*p), compare_pending);
	for (; nr < live->nr_pending && p[nr].ts < limit; nr++) {
		print_record(live, p[nr].event, &p[nr].record);
		free(p[nr].record.data);
	}
	live->nr_pending -= nr;
	if (nr) {
		memmove(p, p + nr, live->nr_pending * sizeof(*p));
		fflush(stdout);
	}
	return ret;
}

/* Is this count one of records that are missing, or of objects that were not tracked? */
static void add_loss(struct live *live, const char *name, unsigned long long count)
{
	if (strstr(name, ".lost_"))
		live->lost += count;
	if (!strcmp(name, "fired.table_full") || !strcmp(name, "fired.slots_busy"))
		live->untracked += count;
}

/**
 * live_read_losses() - read from objtrace/stats how many records are missing
 * @live: the view
 *
 * The triggers must be set still.
 */
void live_read_losses(struct live *live)
{
	char *stats = tracefs_instance_file_read(NULL, "objtrace/stats", NULL);
	char head[100], name[64], *line, *save = NULL;
	unsigned long long count;
	bool is_ours = false;

	snprintf(head, sizeof(head), "trigger: %s ", live->view.session->name);
	for (line = stats ? strtok_r(stats, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (*line != ' ')
			is_ours = !strncmp(line, head, strlen(head));
		else if (is_ours && sscanf(line, " %63[^:]: %llu", name, &count) == 2)
			add_loss(live, name, count);
	}
	free(stats);
}

/**
 * live_read_overruns() - read how many records the ring buffer overwrote or dropped
 * @live: the view
 *
 * The session must be stopped, and its instance must exist: trace-cmd can remove the instance.
 */
void live_read_overruns(struct live *live)
{
	long cpu, nr_cpus = sysconf(_SC_NPROCESSORS_CONF);
	unsigned long long count;
	char path[40], *stats, *line;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%ld/stats", cpu);
		stats = tracefs_instance_file_read(live->view.session->records, path, NULL);
		line = stats ? strstr(stats, "\noverrun: ") : NULL;
		if (line && sscanf(line, " overrun: %llu", &count) == 1)
			live->lost += count;
		free(stats);
	}
}

static void print_losses(struct live *live)
{
	if (!live->lost && !live->untracked) {
		puts("nothing lost");
	} else {
		printf("%slost: %llu record%s, %llu object%s%s\n", colour(live, RED), live->lost,
		       plural(live->lost), live->untracked, plural(live->untracked),
		       colour(live, PLAIN));
	}
	fflush(stdout);
}

/**
 * live_recorded() - print the last line of a session whose records are in a file
 * @live: the view
 * @file: path of the file
 */
void live_recorded(struct live *live, const char *file)
{
	printf("%s has the records for `objtrace report', ", file);
	print_losses(live);
}

/**
 * live_summary() - print the last line
 * @live: the view
 */
void live_summary(struct live *live)
{
	unsigned long long hits = 0;
	size_t i;

	for (i = 0; i < live->nr_objects; i++)
		hits += live->objects[i].hits;
	printf("%zu object%s, %zu function%s, %llu hit%s, ", live->nr_objects,
	       plural(live->nr_objects), live->nr_functions, plural(live->nr_functions), hits,
	       plural(hits));
	print_losses(live);
}

/**
 * live_open() - prepare to read the records of a session
 * @view: what is printed
 *
 * Return: the view, or NULL.
 */
struct live *live_open(const struct live_view *view)
{
	static const char * const systems[] = { "objtrace", "ftrace", NULL };
	struct live *live = calloc(1, sizeof(*live));

	if (!live)
		return NULL;
	live->view = *view;
	live->tep = tracefs_local_events_system(NULL, systems);
	live->symbols.tep = live->tep;
	live->is_terminal = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
	if (!live->tep) {
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
	while (live->nr_pending)
		free(live->pending[--live->nr_pending].record.data);
	tep_free(live->tep);
	free(live->pending);
	free(live->objects);
	free(live->functions);
	free(live);
}

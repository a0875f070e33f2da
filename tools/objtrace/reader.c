// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a file of trace-cmd with libtracecmd.
 *
 * libtracecmd can crash or loop on a damaged file.  report.c therefore reads in a child process,
 * and the child's timer ends a loop.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <trace-cmd/trace-cmd.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/objects.h"
#include "tools/objtrace/progress.h"
#include "tools/objtrace/reader.h"

/* Seconds of CPU time in which libtracecmd must deliver the next records */
#define LOOP_SECONDS	60
/* Records between two looks at the clock */
#define LOOK_RECORDS	8192

static const char magic[] = "\027\010Dtracing";

static int open_checked(const char *path)
{
	char begin[sizeof(magic) - 1];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -refusal("%s cannot be read: %s", path, strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		refusal("%s is no file; name a file that `trace-cmd record' wrote", path);
	} else if (pread(fd, begin, sizeof(begin), 0) != sizeof(begin) ||
		   memcmp(begin, magic, sizeof(begin))) {
		refusal("%s does not begin as a file of trace-cmd does; name a file that `trace-cmd record' wrote",
			path);
	} else {
		return fd;
	}
	close(fd);
	return -EXIT_REFUSED;
}

/* Redirect a descriptor to a file, and return a copy of the descriptor before. */
static int redirect(int fd, int to)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	if (to >= 0)
		dup2(to, fd);
	return copy;
}

static void restore(int fd, int copy)
{
	if (copy < 0)
		return;
	dup2(copy, fd);
	close(copy);
}

/* libtracecmd prints complaints itself, among the lines of the report */
static struct tracecmd_input *open_quietly(int fd)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct tracecmd_input *input;
	int out, err;

	fflush(stdout);
	out = redirect(STDOUT_FILENO, null);
	err = redirect(STDERR_FILENO, null);
	tracecmd_set_loglevel(TEP_LOG_NONE);
	input = tracecmd_open_fd(fd, TRACECMD_FL_LOAD_NO_PLUGINS);
	fflush(stdout);
	restore(STDOUT_FILENO, out);
	restore(STDERR_FILENO, err);
	if (null >= 0)
		close(null);
	return input;
}

static bool add_instances(struct reader *reader, struct tracecmd_input *top)
{
	int i, nr = tracecmd_buffer_instances(top);

	if (nr < 0 || nr > 4096)
		return false;
	reader->input = calloc(nr + 1, sizeof(*reader->input));
	reader->names = calloc(nr + 1, sizeof(*reader->names));
	if (!reader->input || !reader->names)
		return false;
	reader->input[reader->nr++] = top;
	for (i = 0; i < nr; i++) {
		struct tracecmd_input *input = tracecmd_buffer_instance_handle(top, i);

		if (!input)
			return false;
		reader->names[reader->nr] = tracecmd_buffer_instance_name(top, i);
		tracecmd_set_private(input, (void *)reader->names[reader->nr]);
		reader->input[reader->nr++] = input;
	}
	return true;
}

static void guard(int seconds)
{
	struct itimerval timer = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

/**
 * reader_open() - open a file of trace-cmd
 * @reader: the result
 * @path: path of the file; it must outlive @reader
 *
 * Return: EXIT_DONE, or EXIT_REFUSED after a message.
 */
int reader_open(struct reader *reader, const char *path)
{
	struct tracecmd_input *top;
	char mistake[300];
	int fd;

	memset(reader, 0, sizeof(*reader));
	reader->path = path;
	fd = open_checked(path);
	if (fd < 0)
		return -fd;
	guard(LOOP_SECONDS);
	top = open_quietly(fd);
	if (!top) {
		close(fd);
		return refusal("%s is damaged or cut off; record it again", path);
	}
	if (!add_instances(reader, top)) {
		reader_close(reader);
		return refusal("%s has instances that cannot be read; record it again", path);
	}
	reader->tep = tracecmd_get_tep(top);
	reader->decoder = decoder_new(reader->tep, mistake, sizeof(mistake));
	stacks_init(&reader->stacks, reader->tep);
	contexts_find(&reader->contexts, reader->tep);
	guard(0);
	if (reader->decoder)
		return EXIT_DONE;
	reader_close(reader);
	return refusal("%s cannot be reported: %s", path, mistake);
}

/**
 * reader_close() - close the file
 * @reader: the file
 */
void reader_close(struct reader *reader)
{
	stacks_free(&reader->stacks);
	decoder_free(reader->decoder);
	while (reader->nr)
		tracecmd_close(reader->input[--reader->nr]);
	free(reader->input);
	free(reader->names);
}

struct reading {
	struct reader	*reader;
	struct objects	*objects;
	struct progress	progress;
	u64		seen;
	bool		no_memory;
};

static void look(struct reading *reading)
{
	guard(LOOP_SECONDS);
	progress_show(&reading->progress, reading->seen);
}

static int take_event(struct reading *reading, const struct tep_record *raw)
{
	const struct contexts *contexts = &reading->reader->contexts;
	struct record record;
	char *text;
	u64 address;
	int i = 0, ret = 0;

	while (!ret && contexts_next(contexts, raw, &i, &address)) {
		if (!objects_at(reading->objects, address))
			continue;
		text = contexts_text(contexts, raw);
		if (!text)
			return -ENOMEM;
		decode_event(reading->reader->decoder, raw, &record, text);
		free(text);
		ret = objects_add_event(reading->objects, &record, address);
	}
	return ret;
}

/* Lost events of other objects are no gaps in the records of an object */
static bool has_records(struct tracecmd_input *input)
{
	const char *name = tracecmd_get_private(input);
	const char *end = name ? strrchr(name, '.') : NULL;

	return !end || strcmp(end, CONTEXT_INSTANCE);
}

static int take_record(struct tracecmd_input *input, struct tep_record *raw, int cpu, void *data)
{
	struct reading *reading = data;
	struct stacks *stacks = &reading->reader->stacks;
	struct record_owner owner;
	struct record record;

	if (reading->seen++ % LOOK_RECORDS == 0)
		look(reading);
	if (raw->missed_events && has_records(input))
		objects_lose(reading->objects, raw->missed_events);
	switch (decode(reading->reader->decoder, raw, &record, &owner)) {
	case DECODED:
		reading->no_memory = objects_add(reading->objects, &record, &owner,
						 tracecmd_get_private(input)) ||
				     stacks_expect(stacks, input, raw->cpu,
						   reading->objects->last_record);
		break;
	case DECODED_DAMAGED:
		reading->objects->nr_damaged++;
		break;
	default:
		reading->no_memory = stacks_take(stacks, input, raw) || take_event(reading, raw);
	}
	return reading->no_memory ? -1 : 0;
}

/**
 * reader_read() - read all records of objtrace
 * @reader: the file
 * @objects: gets the records
 *
 * Return: EXIT_DONE, or EXIT_REFUSED after a message.
 */
int reader_read(struct reader *reader, struct objects *objects)
{
	struct reading reading = { .reader = reader, .objects = objects };
	int ret;

	progress_start(&reading.progress, "records of", reader->path, "read");
	guard(LOOP_SECONDS);
	ret = tracecmd_iterate_events_multi(reader->input, reader->nr, take_record, &reading);
	guard(0);
	progress_end(&reading.progress);
	objects_end(objects);
	if (reading.no_memory)
		return refusal("%s needs more memory than there is; record fewer objects, or only changes",
			       reader->path);
	if (ret < 0)
		return refusal("%s is damaged; record it again", reader->path);
	return EXIT_DONE;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reading of `objtrace follow' ends although records are written without end.
 */
#include <stdlib.h>
#include <string.h>

#include <tracefs.h>

#include "tools/objtrace/drain.h"
#include "tap.h"

#define RECORD_SIZE	64
#define SIZE_KB		4
/* The records that fill the buffers */
#define CAPACITY	(SIZE_KB * 1024 / RECORD_SIZE)

/* The instance; the pointer is only compared */
static char body;
static struct tracefs_instance *const instance = (void *)&body;
static bool is_on;
static bool never_empty;
static int nr_waiting;
static int nr_off, nr_on;

/* The receiver */
static int nr_kept;
static int nr_wanted;

/*
 * These functions replace those of libtracefs.  Each record that is read makes room for the next.
 */
int tracefs_instance_file_read_number(struct tracefs_instance *i, const char *file, long long *res)
{
	*res = SIZE_KB;
	return i == instance && !strcmp(file, "buffer_total_size_kb") ? 0 : -1;
}

int tracefs_trace_off(struct tracefs_instance *i)
{
	is_on = false;
	nr_off++;
	return 0;
}

int tracefs_trace_on(struct tracefs_instance *i)
{
	is_on = true;
	nr_on++;
	return 0;
}

int tracefs_iterate_raw_events(struct tep_handle *tep, struct tracefs_instance *i,
			       cpu_set_t *cpus, int size,
			       int (*callback)(struct tep_event *, struct tep_record *, int, void *),
			       void *data)
{
	struct tep_record raw = { .record_size = RECORD_SIZE };

	while (nr_waiting && nr_kept < 10 * CAPACITY) {
		if (!never_empty || !is_on)
			nr_waiting--;
		if (callback(NULL, &raw, 0, data))
			break;
	}
	return 0;
}

static int keep(struct tep_event *event, struct tep_record *raw, int cpu, void *data)
{
	return ++*(int *)data == nr_wanted;
}

static unsigned long long read_all(int waiting, bool busy)
{
	const struct drain_sink sink = { keep, &nr_kept };
	unsigned long long nr_pauses = 0;

	is_on = true;
	never_empty = busy;
	nr_waiting = waiting;
	nr_kept = nr_off = nr_on = 0;
	if (drain(NULL, instance, &sink, &nr_pauses))
		return -1;
	return nr_pauses;
}

int main(void)
{
	unsigned long long nr_pauses = read_all(CAPACITY, false);

	ok(!nr_pauses && nr_kept == CAPACITY && !nr_off && !nr_on,
	   "full buffers are read without a pause: %d records", nr_kept);
	nr_pauses = read_all(CAPACITY, true);
	ok(nr_pauses == 1 && is_on && nr_off == 1 && nr_on == 1,
	   "a reading without end makes one pause");
	/* The record that ends the limit makes room for another one, too */
	ok(nr_kept == CAPACITY + 1 + CAPACITY,
	   "a pause loses no record that was written before: %d records", nr_kept);
	nr_wanted = 3;
	nr_pauses = read_all(CAPACITY, true);
	ok(!nr_pauses && nr_kept == 3 && !nr_off,
	   "the receiver can end the reading: %d records", nr_kept);
	return tap_done();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * libtracefs reads the buffers of all CPUs until they are empty, and a buffer that was empty at the
 * beginning is not read at all.  If one CPU writes records faster than they are read, this would
 * never end.  So tracing pauses when as many bytes were read as the buffers hold.
 */
#include <tracefs.h>

#include "tools/objtrace/drain.h"

/*
 * @limit: bytes of records after which tracing pauses
 * @nr_read: bytes of records that were read
 */
struct reading {
	struct tracefs_instance	*instance;
	const struct drain_sink	*sink;
	unsigned long long	limit;
	unsigned long long	nr_read;
	bool			is_paused;
};

static int take(struct tep_event *event, struct tep_record *raw, int cpu, void *data)
{
	struct reading *reading = data;

	reading->nr_read += raw->record_size;
	if (!reading->is_paused && reading->nr_read > reading->limit)
		reading->is_paused = !tracefs_trace_off(reading->instance);
	return reading->sink->keep(event, raw, cpu, reading->sink->data);
}

/**
 * drain() - read records until there are none
 * @tep: the formats of the events
 * @instance: the instance
 * @sink: gets the records
 * @nr_pauses: becomes larger by one if tracing paused, so that the kernel wrote no records
 *
 * Return: 0, or -1 if the records cannot be read.
 */
int drain(struct tep_handle *tep, struct tracefs_instance *instance,
	  const struct drain_sink *sink, unsigned long long *nr_pauses)
{
	struct reading reading = { .instance = instance, .sink = sink };
	long long size_kb;
	int ret;

	if (tracefs_instance_file_read_number(instance, "buffer_total_size_kb", &size_kb))
		return -1;
	reading.limit = size_kb * 1024;
	ret = tracefs_iterate_raw_events(tep, instance, NULL, 0, take, &reading);
	if (reading.is_paused) {
		++*nr_pauses;
		tracefs_trace_on(instance);
	}
	return ret;
}

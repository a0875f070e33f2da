// SPDX-License-Identifier: GPL-2.0-only
/*
 * kshark - print the entries that libkshark, the library of KernelShark, reads from a file
 *
 *	kshark FILE
 *
 * The output has the form of `trace-cmd report'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkshark.h>
#include <libkshark-tepdata.h>

#define NS_PER_US	1000
#define US_PER_S	1000000

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "kshark: %s: %s\n", what, which);
	exit(1);
}

/* libkshark puts the system before the name of an event */
static const char *without_system(const char *event)
{
	const char *slash = strchr(event, '/');

	return slash ? slash + 1 : event;
}

/* The pointers of an entry are not freed: the program ends soon */
static void print_entry(struct kshark_context *context, const struct kshark_entry *entry)
{
	struct kshark_data_stream *stream = kshark_get_data_stream(context, entry->stream_id);
	long long us = (entry->ts + NS_PER_US / 2) / NS_PER_US;
	char event[100];

	if (!kshark_tep_is_top_stream(stream))
		printf("%s: ", stream->name);
	snprintf(event, sizeof(event), "%s:", without_system(kshark_get_event_name(entry)));
	printf("%16s-%-5d [%03d] %5lld.%06lld: %-22s%s\n", kshark_get_task(entry), entry->pid,
	       entry->cpu, us / US_PER_S, us % US_PER_S, event, kshark_get_info(entry));
}

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries;
	ssize_t i, nr;
	int top;

	if (argc != 2)
		fail("usage", "kshark FILE");
	if (!kshark_instance(&context))
		fail("no memory", argv[1]);
	top = kshark_open(context, argv[1]);
	if (top < 0)
		fail("cannot open", argv[1]);
	if (kshark_tep_init_all_buffers(context, top) < 0)
		fail("cannot open the instances of", argv[1]);
	nr = kshark_load_all_entries(context, &entries);
	if (nr < 0)
		fail("cannot load the entries of", argv[1]);
	printf("cpus=%d\n", kshark_get_data_stream(context, top)->n_cpus);
	for (i = 0; i < nr; i++)
		print_entry(context, entries[i]);
	return 0;
}

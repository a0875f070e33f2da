// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child process of `objtrace report': it reads the file, and prints the report.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/objects.h"
#include "tools/objtrace/output.h"
#include "tools/objtrace/reader.h"
#include "tools/objtrace/report.h"
#include "tools/objtrace/symbols.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

static bool shows_colours(int fd)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb");
}

static int select_object(const struct report_options *options, struct objects *objects)
{
	if (!objects->nr)
		return refusal("%s has no record of objtrace; set a trigger of objtrace before the record ends",
			       options->file);
	if (!options->object_word ||
	    objects_select(objects, options->by_address, options->object))
		return EXIT_DONE;
	if (options->by_address)
		return usage_error_at(options->object_word, 0, "%s has no object at this address; `objtrace report' lists its objects",
				      options->file);
	return usage_error_at(options->object_word, 0, "%s has no object %llu; its objects are 1 to %u",
			      options->file, options->object, objects->nr);
}

static int open_names(const struct report_options *options, struct report *report)
{
	int ret = btfnames_open(options->btf, report->symbols, &report->btf);

	if (!ret)
		return EXIT_DONE;
	return refusal("%s has no BTF that can be read: %s; name the vmlinux of the kernel, or a copy of /sys/kernel/btf/vmlinux",
		       options->btf, strerror(-ret));
}

static int print_view(const struct report_options *options, struct report *report)
{
	if (options->view(report))
		return refusal("%s needs more memory than there is; choose one object with --object",
			       options->file);
	if (report->objects->nr_damaged)
		fprintf(stderr, "objtrace: damaged records of %s, which are left out: %lu\n",
			options->file, report->objects->nr_damaged);
	if (!fflush(report->out) && !ferror(report->out))
		return EXIT_DONE;
	return refusal("%s cannot be written: %s", options->output ?: "the report",
		       strerror(errno));
}

static int print_report(const struct report_options *options, struct reader *reader,
			struct objects *objects, FILE *out)
{
	struct report report = {
		.out = out,
		.file = options->file,
		.colour = shows_colours(fileno(out)),
		.all = options->all,
		.objects = objects,
		.symbols = symbols_new(reader->tep),
		.tep = reader->tep,
		.decoder = reader->decoder,
		.stacks = &reader->stacks,
	};
	int ret;

	if (!report.symbols)
		return refusal("there is no memory for the symbols of %s", options->file);
	ret = open_names(options, &report);
	if (!ret)
		ret = print_view(options, &report);
	btf__free(report.btf);
	symbols_free(report.symbols);
	return ret;
}

/**
 * report_run() - read the file, and print the report
 * @options: the command line
 * @out_fd: descriptor of the output, which is closed
 *
 * Return: enum exit_code.
 */
int report_run(const struct report_options *options, int out_fd)
{
	FILE *out = output_open(out_fd, options->output ?: "the report");
	struct objects objects = {};
	struct reader reader;
	int ret;

	if (!out)
		return refusal("the report cannot be written: %s", strerror(errno));
	ret = reader_open(&reader, options->file);
	if (!ret) {
		ret = reader_read(&reader, &objects);
		ret = ret ?: select_object(options, &objects);
		ret = ret ?: print_report(options, &reader, &objects, out);
		objects_free(&objects);
		reader_close(&reader);
	}
	fclose(out);
	return ret;
}

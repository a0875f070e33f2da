// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command line of `objtrace report'.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/mistake.h"
#include "tools/objtrace/report.h"
#include "tools/objtrace/views.h"

/* The views are OPT_VIEW and the numbers after it, in the order of views[] */
enum option_code {
	OPT_ALL = 256,
	OPT_OBJECT,
	OPT_BTF,
	OPT_VIEW,
};

static int (* const views[])(struct report *report) = {
	view_changes, view_timeline, view_graph, view_functions, view_refs, view_json,
	view_perfetto, view_html, view_svg,
};

static const struct option long_options[] = {
	{ "changes",	no_argument,	   NULL, OPT_VIEW },
	{ "timeline",	no_argument,	   NULL, OPT_VIEW + 1 },
	{ "graph",	no_argument,	   NULL, OPT_VIEW + 2 },
	{ "functions",	no_argument,	   NULL, OPT_VIEW + 3 },
	{ "refs",	no_argument,	   NULL, OPT_VIEW + 4 },
	{ "json",	no_argument,	   NULL, OPT_VIEW + 5 },
	{ "perfetto",	required_argument, NULL, OPT_VIEW + 6 },
	{ "html",	required_argument, NULL, OPT_VIEW + 7 },
	{ "svg",	required_argument, NULL, OPT_VIEW + 8 },
	{ "all",	no_argument,	   NULL, OPT_ALL },
	{ "object",	required_argument, NULL, OPT_OBJECT },
	{ "btf",	required_argument, NULL, OPT_BTF },
	{ "output",	required_argument, NULL, 'o' },
	{ "help",	no_argument,	   NULL, 'h' },
	{ NULL },
};

static const char usage[] =
"usage: objtrace report FILE [VIEW] [OPTION...]\n"
"\n"
"FILE is the trace.dat of `trace-cmd record -e objtrace'.\n"
"\n"
"Views:\n"
"      --changes        the changes of each object's value: the default\n"
"      --timeline       the changes of all objects, in the order of time\n"
"      --graph          the calls that receive each object, as a tree\n"
"      --functions      the functions that receive the objects, and how often\n"
"      --refs           the functions that raise and lower a counter\n"
"      --json           each record as JSON, one on each line\n"
"      --perfetto FILE  write trace events for Perfetto to FILE\n"
"      --html FILE      write a page for a browser, with a picture of each object, to FILE\n"
"      --svg FILE       write a still picture of the object, or of several objects, to FILE\n"
"\n"
"Options:\n"
"      --all            each record, for --changes and --timeline\n"
"      --object OBJECT  only the object with this number or 0xADDRESS\n"
"      --btf FILE       the vmlinux of the kernel, for the names of types\n"
"  -o, --output FILE    write the report to FILE\n";

/* argv[optind - 1] is the argument of an option, or the option with "=" and its argument */
static int take_argument(const char *what, const char **argument)
{
	if (*argument)
		return usage_error_at(optarg, 0, "the %s is %s already; give one %s", what, *argument,
				      what);
	*argument = optarg;
	return EXIT_DONE;
}

static int parse_object(struct report_options *options)
{
	const char *word = options->object_word;
	char *end;

	options->by_address = !strncmp(word, "0x", 2);
	errno = 0;
	options->object = strtoull(word, &end, options->by_address ? 16 : 10);
	if (!isdigit((unsigned char)*word) || end == word || (options->by_address && end < word + 3))
		end = (char *)word;
	if (end == word || *end)
		return usage_error_at(word, end - word, "an object is a number from the report, or an address such as 0xffff888012345678");
	if (errno)
		return usage_error_at(word, 0, "the number of the object has more than 64 bits; copy it from the report");
	return EXIT_DONE;
}

static int choose_view(struct report_options *options, unsigned int nr, const char *word)
{
	const char *name = long_options[nr].name;

	if (options->view_name && options->view != views[nr])
		return usage_error_at(word, 0, "--%s and --%s are two views; choose one",
				      options->view_name, name);
	options->view = views[nr];
	options->view_name = name;
	options->view_word = word;
	if (long_options[nr].has_arg == no_argument)
		return EXIT_DONE;
	return take_argument("output", &options->output);
}

static int set_option(int code, const char *word, struct report_options *options)
{
	int ret;

	switch (code) {
	case OPT_ALL:
		options->all = true;
		return EXIT_DONE;
	case OPT_OBJECT:
		ret = take_argument("object", &options->object_word);
		return ret ?: parse_object(options);
	case OPT_BTF:
		return take_argument("BTF", &options->btf);
	case 'o':
		return take_argument("output", &options->output);
	default:
		return choose_view(options, code - OPT_VIEW, word);
	}
}

static int parse_options(int argc, char **argv, struct report_options *options)
{
	int code, ret;

	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":o:h", long_options, NULL)) >= 0) {
		if (code == 'h') {
			fputs(usage, stdout);
			exit(EXIT_DONE);
		}
		if (code == '?' || code == ':')
			return mistake_in_option("report", long_options, code, argv);
		ret = set_option(code, argv[optind - 1], options);
		if (ret)
			return ret;
	}
	return EXIT_DONE;
}

/**
 * report_parse() - parse the command line of `objtrace report'
 * @argc: number of words
 * @argv: the words; the first is the command; their order changes
 * @options: the result; it points into the words
 *
 * Return: EXIT_DONE, or EXIT_USAGE after a message.
 */
int report_parse(int argc, char **argv, struct report_options *options)
{
	int ret;

	memset(options, 0, sizeof(*options));
	ret = parse_options(argc, argv, options);
	if (ret)
		return ret;
	if (optind == argc)
		return usage_error("report needs a file that `trace-cmd record' wrote: objtrace report trace.dat");
	options->file = argv[optind];
	if (optind + 1 < argc)
		return usage_error_at(argv[optind + 1], 0, "report reads one file, and that is %s; report %s by itself",
				      options->file, argv[optind + 1]);
	if (!options->view)
		options->view = view_changes;
	if (options->all && options->view != view_changes && options->view != view_timeline)
		return usage_error_at(options->view_word, 0, "--all is for --changes and --timeline, not for --%s; remove --all",
				      options->view_name);
	return options->view == view_html ? view_html_can() : EXIT_DONE;
}

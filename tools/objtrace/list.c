// SPDX-License-Identifier: GPL-2.0-only
/*
 * `objtrace list': the names that `objtrace follow' takes.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/list.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/mistake.h"

enum list_option {
	OPT_STRUCT = 256,
	OPT_TAKING,
	OPT_EVENTS,
};

static const struct option long_options[] = {
	{ "struct",	required_argument, NULL, OPT_STRUCT },
	{ "taking",	required_argument, NULL, OPT_TAKING },
	{ "events",	no_argument,	   NULL, OPT_EVENTS },
	{ "help",	no_argument,	   NULL, 'h' },
	{ NULL },
};

static const char usage[] =
"usage: objtrace list [PATTERN] [--taking STRUCT]\n"
"       objtrace list --struct STRUCT [PATTERN]\n"
"       objtrace list --events [PATTERN]\n"
"\n"
"PATTERN can have *, ? and [], as in a shell.\n"
"\n"
"      --taking STRUCT  only functions that receive a pointer to this struct\n"
"      --struct STRUCT  the members of a struct\n"
"      --events         the fields of events that are pointers\n";

static int check_together(int nr_words, char **words, const struct list_options *o)
{
	if (nr_words > 1)
		return usage_error_at(words[1], 0, "list takes one PATTERN");
	if (o->struct_name && (o->taking || o->events))
		return usage_error("--struct and %s exclude each other",
				   o->taking ? "--taking" : "--events");
	if (o->taking && o->events)
		return usage_error("--taking and --events exclude each other");
	if (o->pattern && !*o->pattern)
		return usage_error("PATTERN is empty; without it, all names are listed");
	return EXIT_DONE;
}

static int list_parse(int argc, char **argv, struct list_options *o)
{
	int code;

	*o = (struct list_options){};
	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":h", long_options, NULL)) >= 0) {
		switch (code) {
		case OPT_STRUCT:
			o->struct_name = optarg;
			break;
		case OPT_TAKING:
			o->taking = optarg;
			break;
		case OPT_EVENTS:
			o->events = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(EXIT_DONE);
		default:
			return mistake_in_option("list", long_options, code, argv);
		}
	}
	if (optind < argc)
		o->pattern = argv[optind];
	return check_together(argc - optind, argv + optind, o);
}

/**
 * list_main() - `objtrace list'
 * @argc: the number of arguments
 * @argv: the arguments, the name of the command first
 *
 * Return: the exit code of the program.
 */
int list_main(int argc, char **argv)
{
	struct list_options o;
	struct kbtf k;
	int ret = list_parse(argc, argv, &o);

	if (ret)
		return ret;
	if (kbtf_open(&k))
		ret = refusal("the kernel has no BTF: it needs CONFIG_DEBUG_INFO_BTF");
	else if (o.struct_name)
		ret = list_members(&k, &o);
	else if (o.events)
		ret = list_events(&k, &o);
	else
		ret = list_functions(&k, &o);
	kbtf_close(&k);
	if (!ret && fflush(stdout))
		return refusal("the list cannot be written: %s", strerror(errno));
	return ret;
}

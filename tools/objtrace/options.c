// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words after "--" are CMD.  All words before are options, WHAT and members, in any order.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/mistake.h"
#include "tools/objtrace/options.h"

/* TASK_COMM_LEN of the kernel, without the zero */
#define MAX_COMM	15

enum option_code {
	OPT_ALL = 256,
	OPT_CHANGES,
	OPT_RETURNS,
	OPT_WATCH,
	OPT_TYPED,
	OPT_SIZE,
	OPT_AFTER_FREE,
	OPT_STACK,
	OPT_NAME,
	OPT_ENUM,
	OPT_TYPE,
	OPT_IF,
	OPT_FOR,
	OPT_NO_EVENTS,
};

static const struct option long_options[] = {
	{ "objects",	required_argument, NULL, 'n' },
	{ "pid",	required_argument, NULL, 'p' },
	{ "comm",	required_argument, NULL, 'c' },
	{ "if",		required_argument, NULL, OPT_IF },
	{ "for",	required_argument, NULL, OPT_FOR },
	{ "output",	required_argument, NULL, 'o' },
	{ "changes",	no_argument,	   NULL, OPT_CHANGES },
	{ "all",	no_argument,	   NULL, OPT_ALL },
	{ "returns",	no_argument,	   NULL, OPT_RETURNS },
	{ "watch",	no_argument,	   NULL, OPT_WATCH },
	{ "typed",	no_argument,	   NULL, OPT_TYPED },
	{ "size",	no_argument,	   NULL, OPT_SIZE },
	{ "after-free",	no_argument,	   NULL, OPT_AFTER_FREE },
	{ "stack",	required_argument, NULL, OPT_STACK },
	{ "name",	required_argument, NULL, OPT_NAME },
	{ "enum",	required_argument, NULL, OPT_ENUM },
	{ "type",	required_argument, NULL, OPT_TYPE },
	{ "no-events",	no_argument,	   NULL, OPT_NO_EVENTS },
	{ "help",	no_argument,	   NULL, 'h' },
	{ NULL },
};

static const char usage[] =
"usage: objtrace follow WHAT [MEMBER...] [OPTION...] [-- CMD [ARGUMENT...]]\n"
"\n"
"WHAT is FUNCTION(ARGUMENT), FUNCTION(), SYSTEM:EVENT.FIELD or 0xADDRESS.\n"
"\n"
"  -n, --objects N   follow N objects at most\n"
"  -p, --pid PID     only objects of this process and its children\n"
"  -c, --comm COMM   only objects of tasks with this name\n"
"      --if FILTER   only if the filter of the event is true\n"
"      --for TIME    end after TIME: seconds, or with the unit ms, s, m or h\n"
"  -o, --output FILE write the records to FILE, for `objtrace report'\n"
"      --changes     changes of the members: the default with a member\n"
"      --all         each function that receives the object: else the default\n"
"      --returns     name the call in which the member changed\n"
"      --watch       each store to the member, with the instruction\n"
"      --typed       only functions with a parameter for the struct\n"
"      --size        also pointers into the object\n"
"      --after-free  also calls with the address of a freed object\n"
"      --stack N     N functions of the stack after each record\n"
"      --name FILE   only files with this name\n"
"      --enum NAME   show the values by the names of this enum\n"
"      --type STRUCT the struct of the object, if the kernel does not tell\n"
"      --no-events   no events of the kernel among the records\n";

/* The word is at argv[optind - 1], or is the argument of the option there. */
static int parse_number(const char *text, long max, const char *what, long *number)
{
	char *end;

	errno = 0;
	*number = strtol(text, &end, 10);
	if (end == text || *end)
		return usage_error_at(text, end - text, "%s must be a number", what);
	if (errno || *number < 1 || *number > max)
		return usage_error_at(text, 0, "%s must be 1 to %ld", what, max);
	return EXIT_DONE;
}

static int parse_time(const char *text, double *seconds)
{
	static const struct {
		const char	*name;
		double		seconds;
	} units[] = { { "", 1 }, { "ms", 0.001 }, { "s", 1 }, { "m", 60 }, { "h", 3600 } };
	size_t i;
	char *end;

	*seconds = strtod(text, &end);
	if (end == text || !(*seconds > 0) || *seconds > 1e6)
		return usage_error_at(text, 0, "the time must be a positive number");
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(end, units[i].name)) {
			*seconds *= units[i].seconds;
			return EXIT_DONE;
		}
	}
	return usage_error_at(text, end - text, "the unit of a time is ms, s, m or h");
}

/* One line of the trigger file has the whole filter, see leftovers.c */
static int parse_filter(const char *text, const char **filter)
{
	*filter = text;
	if (strchr(text, '\n'))
		return usage_error("the filter has a line break; write it on one line");
	return EXIT_DONE;
}

/* Names become a part of a filter, in quotes.  @max: the most characters that a name can have */
static int parse_name(const char *text, const char *what, size_t max, const char **name)
{
	size_t len = strcspn(text, "\"\\\n");

	*name = text;
	if (!*text)
		return usage_error("%s is empty", what);
	if (text[len])
		return usage_error_at(text, len, "%s cannot have this character", what);
	if (len > max)
		return usage_error_at(text, max, "%s has at most %zu characters; remove the rest",
				      what, max);
	return EXIT_DONE;
}

static int set_option(int code, char *argument, struct follow_options *o)
{
	long number;
	int ret;

	switch (code) {
	case 'n':
		ret = parse_number(argument, 1000000, "the number of objects", &number);
		o->objects = number;
		return ret;
	case 'p':
		return parse_number(argument, 1 << 22, "the PID", &o->pid);
	case 'c':
		return parse_name(argument, "the name of a task", MAX_COMM, &o->comm);
	case OPT_IF:
		return parse_filter(argument, &o->filter);
	case 'o':
		o->output = argument;
		break;
	case OPT_FOR:
		return parse_time(argument, &o->seconds);
	case OPT_STACK:
		return parse_number(argument, 64, "the number of functions", &o->stack);
	case OPT_NAME:
		return parse_name(argument, "the name of the file", NAME_MAX, &o->file);
	case OPT_ENUM:
		o->enum_name = argument;
		break;
	case OPT_TYPE:
		o->type = argument;
		break;
	}
	return EXIT_DONE;
}

static bool *flag_of(int code, struct follow_options *o)
{
	switch (code) {
	case OPT_ALL:		return &o->all;
	case OPT_CHANGES:	return &o->changes;
	case OPT_RETURNS:	return &o->returns;
	case OPT_WATCH:		return &o->watch;
	case OPT_TYPED:		return &o->typed;
	case OPT_SIZE:		return &o->size;
	case OPT_AFTER_FREE:	return &o->after_free;
	case OPT_NO_EVENTS:	return &o->no_events;
	}
	return NULL;
}

/* getopt moves WHAT and the members behind the options */
static int parse_options(int argc, char **argv, struct follow_options *o)
{
	bool *flag;
	int code, ret;

	opterr = 0;
	optind = 0;
	while ((code = getopt_long(argc, argv, ":n:p:c:o:h", long_options, NULL)) >= 0) {
		if (code == 'h') {
			fputs(usage, stdout);
			exit(EXIT_DONE);
		}
		if (code == '?' || code == ':')
			return mistake_in_option("follow", long_options, code, argv);
		flag = flag_of(code, o);
		ret = flag ? EXIT_DONE : set_option(code, optarg, o);
		if (flag)
			*flag = true;
		if (ret)
			return ret;
	}
	return EXIT_DONE;
}

static int parse_what(const char *text, struct follow_options *o)
{
	struct what_error error;

	o->text = text;
	if (what_parse(text, &o->what, &error))
		return usage_error_at(text, error.place, "%s", error.message);
	return EXIT_DONE;
}

static int check_together(const struct follow_options *o)
{
	if (o->nr_members > SESSION_MAX_VALUES)
		return usage_error("at most %d members can be followed together",
				   SESSION_MAX_VALUES);
	if (o->all && o->changes)
		return usage_error("--all and --changes exclude each other");
	if (o->command && o->pid)
		return usage_error("-p and a command exclude each other; a command is followed with its children");
	if (!o->nr_members && (o->changes || o->returns || o->watch || o->enum_name))
		return usage_error("%s needs a MEMBER; name one after %s",
				   o->changes ? "--changes" : o->returns ? "--returns" :
				   o->watch ? "--watch" : "--enum", o->text);
	return EXIT_DONE;
}

/**
 * follow_parse() - parse the command line of `objtrace follow'
 * @argc: the number of words
 * @argv: the words, "follow" first; their order changes
 * @o: the result, whose texts are those of @argv
 *
 * Return: EXIT_DONE, or EXIT_USAGE with a message.
 */
int follow_parse(int argc, char **argv, struct follow_options *o)
{
	int i, ret, nr_words = argc;

	*o = (struct follow_options){};
	for (i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		nr_words = i;
		if (!argv[i + 1])
			return usage_error("a command is expected after --");
		o->command = argv + i + 1;
		break;
	}
	ret = parse_options(nr_words, argv, o);
	if (ret)
		return ret;
	if (optind >= nr_words)
		return usage_error("follow needs WHAT: FUNCTION(ARGUMENT), FUNCTION(), SYSTEM:EVENT.FIELD or 0xADDRESS");
	ret = parse_what(argv[optind], o);
	if (ret)
		return ret;
	o->members = argv + optind + 1;
	o->nr_members = nr_words - optind - 1;
	return check_together(o);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random steps, see step.h.
 */
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include "selftests/fuzz/command.h"
#include "selftests/fuzz/step.h"

/* Each value is as frequent as the others of the file */
struct knob {
	const char *path;
	bool is_per_instance;
	const char *reset;	/* at the end, in the top directory; NULL: nothing to reset */
	const char *values[10];
	bool appends;		/* keep the contents of the file */
};

/*
 * options/record-tgid is left out.  A write in one instance makes the kernel count the events of all
 * instances, and some were never counted.  Together with options/record-cmd, the kernel then
 * registers its probe for names of tasks twice, and warns (Linux 6.12).
 */
static const struct knob knobs[] = {
	{ "tracing_on", true, "1", { "0", "1", "1", "1" } },
	{ "current_tracer", true, "nop", { "nop", "nop", "function", "function_graph", "blk" } },
	/* Without any function, tracers trace all functions, which is slow */
	{ "set_ftrace_filter", true, STEP_TRACED, { STEP_TRACED, "vfs_open ott_take", "*task* ott_*" } },
	/* Truncation would leave no function in the filter */
	{ "set_ftrace_filter", true, NULL,
	  { "ott_take:traceoff:2", "ott_add:snapshot:1", "!ott_take:traceoff:0", "!ott_add:snapshot:0",
	    "ott_add:stacktrace:3" }, true },
	{ "set_ftrace_notrace", true, "", { "ott_add", "nothing", "!ott_add" } },
	{ "trace_clock", true, "local", { "local", "global", "counter", "mono", "boot" } },
	{ "buffer_size_kb", true, "1408", { "4", "64", "512", "1408" } },
	{ "tracing_cpumask", true, STEP_ALL_CPUS, { "1", "2", "3" } },
	{ "snapshot", true, "0", { "0", "1", "1", "2" } },
	{ "set_event", true, "",
	  { "objtrace:*", "!objtrace:*", "ott:*", "!ott:*", "objtrace_target:*", "sched:*",
	    "!sched:*", "objtrace:objtrace_change" } },
	{ "set_event_pid", true, " ", { "1", "1 2 3", " " } },
	{ "set_ftrace_pid", true, " ", { "1", "1 2 3", " " } },
	{ "events/objtrace/enable", true, NULL, { "0", "1" } },
	{ "events/ott/enable", true, NULL, { "0", "1" } },
	{ "events/objtrace/objtrace_value/filter", true, NULL,
	  { "0", "hits > 3", "common_pid == 1", "object != 0", "value & 1", "value ==" } },
	{ "events/objtrace/objtrace_add/filter", true, NULL, { "0", "object == 0", "value > 8" } },
	{ "options/stacktrace", true, "0", { "0", "1" } },
	{ "options/userstacktrace", true, "0", { "0", "1" } },
	{ "options/overwrite", true, "1", { "0", "1" } },
	{ "options/hash-ptr", true, "1", { "0", "1" } },
	{ "options/sym-addr", true, "0", { "0", "1" } },
	{ "options/raw", true, "0", { "0", "1" } },
	{ "options/hex", true, "0", { "0", "1" } },
	{ "options/bin", true, "0", { "0", "1" } },
	{ "options/fields", true, "0", { "0", "1" } },
	{ "options/latency-format", true, "0", { "0", "1" } },
	{ "options/record-cmd", true, "1", { "0", "1" } },
	{ "options/event-fork", true, "0", { "0", "1" } },
	{ "options/function-fork", true, "0", { "0", "1" } },
	{ "options/function-trace", false, "1", { "0", "1" } },
	{ "options/pause-on-trace", true, "0", { "0", "1" } },
	{ "max_graph_depth", false, "0", { "0", "1", "4" } },
	{ "saved_cmdlines_size", false, "128", { "1", "16", "128" } },
	{ "trace_marker", true, NULL, { "marker", "" } },
	{ "trace", true, "", { "" } },
	{ "error_log", true, "", { "" } },
	{ "/sys/kernel/debug/kprobes/enabled", false, "1", { "0", "1", "1" } },
	{ "/proc/sys/debug/kprobes-optimization", false, NULL, { "0", "1" } },
	{ "/sys/devices/system/cpu/cpu1/online", false, "1", { "0", "1", "1" } },
	{ "/sys/module/objtrace_target/parameters/points_to", false, NULL,
	  { "0", "1", "0xffffffffffffffff", "0x7fff00000000", "0x8000000000000000",
	    "0xffff888000001000", "0xffffc90000000000", "0xffffffff81000000" } },
};

/* No event probe: if it begins while another trigger fires, it can warn (Linux 6.12) */
static const char *const probes[] = {
	"p:ott/add objtrace_target:ott_add obj=$arg1",
	"p:ott/add objtrace_target:ott_add obj=$arg1",
	"p:ott/drop objtrace_target:ott_drop obj=$arg1",
	"p:ott/taken objtrace_target:ott_take+4 obj=$arg1",
	"r:ott/got objtrace_target:ott_get obj=$retval",
	"f:ott/through ott_take obj=$arg1",
	"p:ott/file vfs_open obj=$arg2",
	"p:ott/task wake_up_new_task obj=$arg1",
	"s:ott_made u64 obj",
	"-:ott/add", "-:ott/drop", "-:ott/taken", "-:ott/got", "-:ott/through",
	"-:ott/file", "-:ott/task", "-:ott_made",
};

/* Scenarios of objtrace_target, each with the largest number that it accepts */
static const struct {
	const char *name;
	unsigned int max;
} scenarios[] = {
	{ "chain" }, { "args" }, { "two" }, { "none" }, { "stale" }, { "types" }, { "again" },
	{ "touch" }, { "inside" }, { "twice" }, { "faults" }, { "point" }, { "place" }, { "ret" },
	{ "leaps" }, { "middle" }, { "parent" }, { "static", 10 }, { "mark", 10 }, { "show", 9 },
	{ "parts" }, { "end" }, { "reject" }, { "user" }, { "wrap" }, { "nmi" },
	{ "nmi_storm", 20 },
	{ "life" }, { "churn", 300 }, { "through" },
	{ "one", 4000 }, { "many", 4000 }, { "drop_many", 4000 },
	{ "race_distinct", 500 }, { "race_same", 500 }, { "race_drop", 500 }, { "race_both", 100 },
	{ "loop", 1 }, { "loop", 1 }, { "stop" }, { "stop" },
	{ "free" }, { "free_cached" }, { "free_around" }, { "free_large" }, { "free_bulk" },
	{ "free_typesafe" }, { "free_nolock" }, { "free_rcu_cb" }, { "free_in_tracers" },
	{ "renew" }, { "reuse" }, { "reuse_bulk" }, { "race_free", 50 }, { "race_after_free", 40 },
	{ "visit", 64 }, { "haunt" }, { "take_left" },
	{ "returns" }, { "deep", 40 }, { "ends_inside" }, { "returns_irq" }, { "sleep" }, { "wake" },
	{ "stores" }, { "kinds" }, { "store_irq" }, { "start", 3 }, { "store_there", 1 },
	{ "after_end" }, { "three" }, { "steps" }, { "bits" }, { "odd" }, { "repeated" },
	{ "exclusives" }, { "clear" }, { "equal", 100 }, { "increments", 100 }, { "rearm", 100 },
};

/* Files to read and to keep open.  "format" is not here: reading it after rmmod crashes 6.1. */
static const struct {
	const char *path;
	bool is_per_instance;
} files[] = {
	{ "objtrace/stats" }, { "objtrace/objects" }, { "objtrace/set_filter" },
	{ "objtrace/set_notrace" }, { "objtrace/stats" }, { "objtrace/objects" },
	{ "objtrace" }, { "events/objtrace" },
	{ "events/ott/add/trigger", true }, { "events/objtrace_target/ott_event/trigger", true },
	{ "events/ott/add/hist", true }, { "events/objtrace_target/ott_event/hist", true },
	{ "events/objtrace/objtrace_value/trigger", true },
	{ "events/objtrace/objtrace_value/enable", true },
	{ "events/objtrace/objtrace_add/filter", true },
	{ "events/objtrace/objtrace_add/id", true },
	{ "trace", true }, { "trace_pipe", true }, { "per_cpu/cpu0/trace_pipe_raw", true },
	{ "per_cpu/cpu1/trace_pipe_raw", true }, { "per_cpu/cpu0/trace", true },
	{ "per_cpu/cpu1/snapshot", true }, { "snapshot", true }, { "per_cpu/cpu0/stats", true },
	{ "error_log", true }, { "set_event", true }, { "enabled_functions" },
	{ "touched_functions" }, { "dynamic_events" }, { "kprobe_events" },
	{ "/sys/kernel/debug/kprobes/list" }, { "/proc/objtrace_target" },
	{ "/sys/module/objtrace_target/parameters/objects" }, { "trace_marker_raw", true },
};

static const char *const objtrace_params[] = {
	"", "", "", "max_objects=1", "max_objects=16", "max_objects=100000", "trampoline=0",
	"after_free_ms=1", "max_returns=1", "max_objects=0", "max_objects=8 after_free_ms=60000",
	"trampoline=maybe",
};

/* Append the path of an instance, which is the top directory most of the time */
static void add_instance(struct random *r, struct text *t)
{
	if (one_in(r, 3))
		text_add(t, "instances/f%u/", random_below(r, STEP_INSTANCES));
}

static void set_path(struct step *s, const char *path)
{
	struct text t = text_start(s->path, sizeof(s->path));

	text_add(&t, "%s", path);
}

static void set_data(struct step *s, const char *data)
{
	struct text t = text_start(s->data, sizeof(s->data));

	text_add(&t, "%s", data);
	s->len = t.len;
}

/*
 * The kernel keeps the line breaks of a filter.  The trigger file then has two lines for one trigger,
 * and neither line removes a hist trigger.  objtrace itself refuses a line break.
 */
static void join_lines(struct text *t)
{
	char *c = t->buf;

	while ((c = memchr(c, '\n', t->buf + t->len - c)))
		*c = ' ';
}

/*
 * parse_assignment() of the kernel's trace_events_hist.c leaks the first value of a parameter that a
 * hist trigger has twice.  The text ends before the second one.
 */
static void drop_repeated(struct text *t)
{
	static const char *const parameters[] = { "key", "val", "sort" };
	unsigned int i;
	char *c;

	for (i = 0; i < ARRAY_SIZE(parameters); i++) {
		c = strstr(t->buf, parameters[i]);
		if (c)
			c = strstr(c + 1, parameters[i]);
		if (c) {
			*c = '\0';
			t->len = c - t->buf;
		}
	}
}

static void make_command(struct random *r, struct step *s)
{
	bool is_other = one_in(r, 8);
	struct text path = text_start(s->path, sizeof(s->path));
	struct text data = text_start(s->data, sizeof(s->data));
	const struct fuzz_event *event = command_event(r);

	s->op = STEP_WRITE;
	s->flags = one_in(r, 12) ? O_TRUNC : O_APPEND;
	add_instance(r, &path);
	text_add(&path, "events/%s/trigger", event->path);
	if (is_other)
		command_make_other(r, &data);
	else
		command_make(r, event, &data);
	if (one_in(r, 3))
		command_mutate(r, &data);
	if (is_other) {
		join_lines(&data);
		drop_repeated(&data);
	}
	s->len = data.len;
}

static void make_clear(struct random *r, struct step *s)
{
	struct text path = text_start(s->path, sizeof(s->path));

	s->op = STEP_CLEAR;
	add_instance(r, &path);
	text_add(&path, "events/%s/trigger", command_event(r)->path);
}

static void make_disable_ftrace(struct random *r, struct step *s)
{
	struct text data = text_start(s->data, sizeof(s->data));

	s->op = STEP_DISABLE_FTRACE;
	command_make_pattern(r, &data);
	s->len = data.len;
}

static void make_probe(struct random *r, struct step *s)
{
	struct text data = text_start(s->data, sizeof(s->data));

	s->op = STEP_WRITE;
	s->flags = one_in(r, 30) ? O_TRUNC : O_APPEND;
	set_path(s, "dynamic_events");
	text_add(&data, "%s", PICK(r, probes));
	if (one_in(r, 8))
		command_mutate(r, &data);
	s->len = data.len;
}

static void make_instance(struct random *r, struct step *s)
{
	struct text path = text_start(s->path, sizeof(s->path));

	s->op = one_in(r, 3) ? STEP_RMDIR : STEP_MKDIR;
	text_add(&path, "instances/f%u", random_below(r, STEP_INSTANCES));
}

static void make_knob(struct random *r, struct step *s)
{
	struct text path = text_start(s->path, sizeof(s->path));
	const struct knob *knob = &PICK(r, knobs);
	unsigned int nr = 0;

	s->op = STEP_WRITE;
	s->flags = knob->appends ? O_APPEND : O_TRUNC;
	if (knob->is_per_instance)
		add_instance(r, &path);
	text_add(&path, "%s", knob->path);
	while (knob->values[nr])
		nr++;
	set_data(s, knob->values[random_below(r, nr)]);
}

static void make_module(struct random *r, struct step *s)
{
	bool is_target = one_in(r, 2);

	s->op = one_in(r, 3) ? STEP_UNLOAD : STEP_LOAD;
	set_path(s, is_target ? "objtrace_target" : "objtrace");
	if (s->op == STEP_UNLOAD)
		s->number = random_below(r, 2);
	else if (!is_target)
		set_data(s, PICK(r, objtrace_params));
}

/* An empty set_filter means all functions, which take seconds: so it is rare */
static void make_filter(struct random *r, struct step *s)
{
	struct text data = text_start(s->data, sizeof(s->data));

	s->op = STEP_WRITE;
	s->flags = one_in(r, 2) ? O_APPEND : O_TRUNC;
	set_path(s, one_in(r, 3) ? "objtrace/set_notrace" : "objtrace/set_filter");
	if (one_in(r, 100))
		return;
	command_make_pattern(r, &data);
	if (s->flags == O_APPEND && one_in(r, 3))
		command_mutate(r, &data);
	s->len = data.len;
}

static void make_scenario(struct random *r, struct step *s)
{
	struct text data = text_start(s->data, sizeof(s->data));
	unsigned int nr = random_below(r, ARRAY_SIZE(scenarios));

	s->op = STEP_WRITE;
	set_path(s, "/sys/module/objtrace_target/parameters/run");
	text_add(&data, "%s %u", scenarios[nr].name, random_below(r, scenarios[nr].max + 1));
	s->len = data.len;
}

static void choose_file(struct random *r, struct step *s)
{
	struct text path = text_start(s->path, sizeof(s->path));
	unsigned int nr = random_below(r, ARRAY_SIZE(files));

	if (files[nr].is_per_instance)
		add_instance(r, &path);
	text_add(&path, "%s", files[nr].path);
}

static void make_read(struct random *r, struct step *s)
{
	s->op = STEP_READ;
	s->number = 1 + random_below(r, 65536);
	choose_file(r, s);
}

static void make_open(struct random *r, struct step *s)
{
	static const int modes[] = {
		O_RDONLY, O_RDONLY, O_RDONLY, O_RDWR, O_WRONLY, O_WRONLY | O_APPEND,
		O_RDWR | O_TRUNC, O_PATH,
	};

	s->op = STEP_OPEN;
	s->slot = random_below(r, STEP_SLOTS);
	s->flags = PICK(r, modes);
	choose_file(r, s);
}

static void make_held(struct random *r, struct step *s)
{
	static const enum step_op ops[] = {
		STEP_HELD_READ, STEP_HELD_READ, STEP_HELD_WRITE, STEP_HELD_WRITE, STEP_HELD_SEEK,
		STEP_HELD_SPLICE, STEP_HELD_MAP, STEP_REOPEN, STEP_CLOSE, STEP_CLOSE,
	};
	struct text data = text_start(s->data, sizeof(s->data));

	s->op = PICK(r, ops);
	s->slot = random_below(r, STEP_SLOTS);
	if (s->op == STEP_HELD_READ || s->op == STEP_HELD_SEEK)
		s->number = random_below(r, one_in(r, 2) ? 64 : 65536);
	/* The file trace_pipe_raw takes whole pages only */
	if (s->op == STEP_HELD_SPLICE)
		s->number = 4096 * (1 + random_below(r, 8));
	if (s->op != STEP_HELD_WRITE)
		return;
	if (one_in(r, 3))
		command_make_pattern(r, &data);
	else
		command_make(r, command_event(r), &data);
	if (one_in(r, 3))
		command_mutate(r, &data);
	s->len = data.len;
}

static void make_perf(struct random *r, struct step *s)
{
	s->op = STEP_PERF;
	s->slot = random_below(r, STEP_SLOTS);
	s->number = random_below(r, 8);
}

static void make_work(struct random *r, struct step *s)
{
	static const enum step_op ops[] = { STEP_RENAME, STEP_FORK, STEP_MAP, STEP_PAUSE };
	struct text data = text_start(s->data, sizeof(s->data));

	s->op = PICK(r, ops);
	s->number = 1 + random_below(r, s->op == STEP_PAUSE ? 20000 : 64);
	if (s->op == STEP_RENAME)
		text_add(&data, "fuzz_%u", random_below(r, 1000));
	s->len = data.len;
}

/**
 * step_set_len() - fill the data of a step up to a length, or cut it
 * @s: the step; a mutated command can be longer than @len
 * @len: the new length in bytes, below STEP_DATA
 * @fill: the character to fill with
 */
void step_set_len(struct step *s, size_t len, char fill)
{
	if (s->len < len)
		memset(s->data + s->len, fill, len - s->len);
	s->data[len] = '\0';
	s->len = len;
}

/* A write of 4095, 4096 or more bytes */
static void make_long(struct random *r, struct step *s)
{
	static const size_t lens[] = { 4094, 4095, 4096, 5000 };
	size_t len;

	make_command(r, s);
	len = PICK(r, lens);
	step_set_len(s, len, one_in(r, 2) ? ' ' : '(');
}

static const struct {
	unsigned int weight;
	void (*make)(struct random *r, struct step *s);
} kinds[] = {
	{ 300, make_command },
	{ 40, make_clear },
	{ 60, make_probe },
	{ 25, make_instance },
	{ 100, make_knob },
	{ 3, make_disable_ftrace },
	{ 30, make_module },
	{ 30, make_filter },
	{ 250, make_scenario },
	{ 40, make_read },
	{ 60, make_open },
	{ 120, make_held },
	{ 20, make_perf },
	{ 80, make_work },
	{ 5, make_long },
};

/**
 * step_make() - make the next step of a thread
 * @r: the sequence of the thread
 * @s: receives the step
 */
void step_make(struct random *r, struct step *s)
{
	unsigned int i, total = 0, left;

	memset(s, 0, offsetof(struct step, data) + 1);
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		total += kinds[i].weight;
	left = random_below(r, total);
	for (i = 0; left >= kinds[i].weight; i++)
		left -= kinds[i].weight;
	kinds[i].make(r, s);
}

static const char *const names[NR_STEP_OPS] = {
	[STEP_WRITE]		= "write",
	[STEP_READ]		= "read",
	[STEP_OPEN]		= "open",
	[STEP_REOPEN]		= "reopen",
	[STEP_HELD_WRITE]	= "held-write",
	[STEP_HELD_READ]	= "held-read",
	[STEP_HELD_SEEK]	= "held-seek",
	[STEP_HELD_SPLICE]	= "held-splice",
	[STEP_HELD_MAP]		= "held-map",
	[STEP_CLOSE]		= "close",
	[STEP_MKDIR]		= "mkdir",
	[STEP_RMDIR]		= "rmdir",
	[STEP_LOAD]		= "load",
	[STEP_UNLOAD]		= "unload",
	[STEP_CLEAR]		= "clear",
	[STEP_DISABLE_FTRACE]	= "disable-ftrace",
	[STEP_PERF]		= "perf",
	[STEP_RENAME]		= "rename",
	[STEP_FORK]		= "fork",
	[STEP_MAP]		= "map",
	[STEP_PAUSE]		= "pause",
};

/**
 * step_op_name() - look up the name of an action
 * @op: the action
 *
 * Return: the name.
 */
const char *step_op_name(enum step_op op)
{
	return names[op];
}

static const char *flags_name(int flags)
{
	if (flags & O_PATH)
		return " path";
	if (flags & O_TRUNC)
		return " truncate";
	return flags & O_APPEND ? " append" : "";
}

static const char *mode_name(const struct step *s)
{
	static const char *const modes[] = {
		[O_RDONLY] = " r", [O_WRONLY] = " w", [O_RDWR] = " rw",
	};

	return s->op == STEP_OPEN ? modes[s->flags & O_ACCMODE] : "";
}

/* Print each byte that is not a printable character as \xHH */
static void print_data(const struct step *s, struct text *t)
{
	size_t i;

	text_add(t, " \"");
	for (i = 0; i < s->len; i++) {
		unsigned char c = s->data[i];

		text_add(t, c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\x%02x" : "%c", c);
	}
	text_add(t, "\"");
}

/**
 * step_print() - append a line about a step, without a newline
 * @s: the step
 * @t: the text
 */
void step_print(const struct step *s, struct text *t)
{
	text_add(t, "%s", names[s->op]);
	if (s->op == STEP_OPEN || s->op == STEP_PERF || s->op == STEP_REOPEN ||
	    s->op == STEP_CLOSE || !strncmp(names[s->op], "held-", strlen("held-")))
		text_add(t, " %u", s->slot);
	if (s->path[0])
		text_add(t, " %s", s->path);
	text_add(t, "%s%s", mode_name(s), flags_name(s->flags));
	if (s->number || s->op == STEP_PERF)
		text_add(t, " %u", s->number);
	if (s->len)
		print_data(s, t);
}

/**
 * step_reset() - look up a file that has to be written before and after all steps
 * @nr: number of the file, from 0
 * @reset: receives the file and its contents
 *
 * Return: false if there are no more files.
 */
bool step_reset(unsigned int nr, struct step_reset *reset)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(knobs); i++) {
		if (!knobs[i].reset || nr--)
			continue;
		reset->path = knobs[i].path;
		reset->data = knobs[i].reset;
		return true;
	}
	return false;
}

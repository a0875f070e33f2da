// SPDX-License-Identifier: GPL-2.0-only
/*
 * The names on the command line are looked up in BTF and in the formats of events.  A name that
 * does not exist is a mistake of the user, and gets a suggestion.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tracefs.h>

#include "tools/objtrace/commands.h"
#include "tools/objtrace/fields.h"
#include "tools/objtrace/formats.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/nosuch.h"
#include "tools/objtrace/resolve.h"
#include "tools/objtrace/suggest.h"

#define HINT_SIZE	160

static char *word_text(const struct what_word *word)
{
	return strndup(word->start, word->len);
}

static size_t place_of(const struct follow_options *o, const struct what_word *word)
{
	return word->start - o->text;
}

static int unknown_word(const struct follow_options *o, const struct what_word *word,
			const char *what, const struct suggestion *s)
{
	char hint[HINT_SIZE];

	return usage_error_at(o->text, place_of(o, word), "%s%s", what,
			      suggest_text(s, hint, sizeof(hint)));
}

static int find_function(struct kbtf *k, const struct follow_options *o, const char *name,
			 struct kbtf_type *proto)
{
	struct suggestion s;

	if (kbtf_function(k, name, proto))
		return EXIT_DONE;
	suggest_init(&s, o->what.function.start, o->what.function.len);
	kbtf_similar_functions(k, &s);
	return unknown_word(o, &o->what.function, "the kernel has no such function", &s);
}

static int unknown_param(const struct follow_options *o, const struct kbtf_type *proto)
{
	char list[HINT_SIZE] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < kbtf_nr_params(proto) && len < sizeof(list) - 1; i++)
		len += snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "",
				kbtf_param_name(proto, i));
	return usage_error_at(o->text, o->what.arg.start ? place_of(o, &o->what.arg) :
			      o->what.function.len + 1,
			      "the function has no such argument; it has (%s)", list);
}

static int find_param(const struct follow_options *o, const struct kbtf_type *proto, int *index)
{
	const struct what_word *arg = &o->what.arg;
	const char *name;
	int i;

	*index = o->what.arg_nr - 1;
	if (o->what.arg_nr)
		return *index < kbtf_nr_params(proto) ? EXIT_DONE : unknown_param(o, proto);
	for (i = 0; i < kbtf_nr_params(proto); i++) {
		name = kbtf_param_name(proto, i);
		if (strlen(name) == arg->len && !memcmp(name, arg->start, arg->len)) {
			*index = i;
			return EXIT_DONE;
		}
	}
	return unknown_param(o, proto);
}

/* The struct of the objects, by --type or by the type of the pointer */
static int set_struct(struct kbtf *k, const struct follow_options *o, const char *name,
		      struct resolved *r)
{
	if (o->type)
		name = o->type;
	if (!name || !*name)
		return EXIT_DONE;
	if (kbtf_struct(k, name, &r->type)) {
		r->struct_name = name;
		return EXIT_DONE;
	}
	if (!o->type)
		return EXIT_DONE;
	return nosuch_struct(k, o->type);
}

static int set_pointer(struct kbtf *k, const struct follow_options *o,
		       const struct kbtf_type *type, size_t place, struct resolved *r)
{
	const char *name = kbtf_pointee(type);

	if (!name)
		return usage_error_at(o->text, place, "this is no pointer, so it is no object");
	return set_struct(k, o, name, r);
}

static int set_place(const char *function, const struct kbtf_type *proto, struct resolved *r)
{
	int len = proto->module ? asprintf(&r->plan.place, "%s:%s", proto->module, function) :
				  asprintf(&r->plan.place, "%s", function);

	return len < 0 ? refusal("out of memory") : EXIT_DONE;
}

/* Where the name of a file is, seen from a struct: the offsets of the pointers on the way */
static bool name_offsets(struct kbtf *k, const char *struct_name, char *text, size_t size,
			 const char *base)
{
	const char *to_dentry = !strcmp(struct_name, "file") ? "f_path.dentry" :
				!strcmp(struct_name, "path") ? "dentry" : NULL;
	struct kbtf_type dentry, type;
	struct kbtf_path first = {}, name;

	if (!kbtf_struct(k, "dentry", &dentry) || !kbtf_member(&dentry, "d_name.name", &name))
		return false;
	if (!strcmp(struct_name, "dentry")) {
		snprintf(text, size, " name=+0(+%u(%s)):string", name.offset, base);
		return true;
	}
	if (!to_dentry || !kbtf_struct(k, struct_name, &type) ||
	    !kbtf_member(&type, to_dentry, &first))
		return false;
	snprintf(text, size, " name=+0(+%u(+%u(%s))):string", name.offset, first.offset, base);
	return true;
}

/* A path or a dentry has its name already when the file is opened.  The file does not. */
static int add_file_name(struct kbtf *k, const struct follow_options *o,
			 const struct kbtf_type *proto, char *text, size_t size)
{
	static const char * const structs[] = { "path", "dentry", "file" };
	struct kbtf_type type;
	const char *name;
	char base[24];
	size_t s;
	int i;

	for (s = 0; s < sizeof(structs) / sizeof(*structs); s++) {
		for (i = 0; i < kbtf_nr_params(proto); i++) {
			type = kbtf_param_type(proto, i);
			name = kbtf_pointee(&type);
			snprintf(base, sizeof(base), "$arg%d", i + 1);
			if (name && !strcmp(name, structs[s]) &&
			    name_offsets(k, name, text, size, base))
				return EXIT_DONE;
		}
	}
	return usage_error_at(o->text, 0, "--name needs a function that receives a struct path, dentry or file");
}

static int set_args(struct kbtf *k, const struct follow_options *o,
		    const struct kbtf_type *proto, const char *object, struct resolved *r)
{
	char name[80] = "";
	int ret = EXIT_DONE;

	if (o->file && o->what.kind == WHAT_RETURNED &&
	    !name_offsets(k, r->struct_name ?: "", name, sizeof(name), object))
		return usage_error_at(o->text, 0, "--name needs a function that returns a struct path, dentry or file");
	if (o->file && o->what.kind == WHAT_ARGUMENT)
		ret = add_file_name(k, o, proto, name, sizeof(name));
	if (ret)
		return ret;
	if (asprintf(&r->plan.args, "object=%s%s", object, name) < 0)
		return refusal("out of memory");
	return EXIT_DONE;
}

static int resolve_argument(struct kbtf *k, const struct follow_options *o, const char *function,
			    struct resolved *r)
{
	struct kbtf_type proto, type;
	char object[24];
	int index, ret = find_function(k, o, function, &proto);

	if (!ret)
		ret = find_param(o, &proto, &index);
	if (!ret && !kbtf_is_in_register(&proto, index))
		ret = usage_error_at(o->text, o->what.function.len + 1,
				     "the register of this argument is unknown: there are too many arguments or a struct before it");
	if (ret)
		return ret;
	type = kbtf_param_type(&proto, index);
	ret = set_pointer(k, o, &type, o->what.function.len + 1, r);
	snprintf(object, sizeof(object), "$arg%d", index + 1);
	if (!ret)
		ret = set_args(k, o, &proto, object, r);
	return ret ?: set_place(function, &proto, r);
}

static int resolve_returned(struct kbtf *k, const struct follow_options *o, const char *function,
			    struct resolved *r)
{
	struct kbtf_type proto, type;
	int ret = find_function(k, o, function, &proto);

	if (ret)
		return ret;
	type = kbtf_return_type(&proto);
	if (!type.id)
		return usage_error_at(o->text, 0, "the function returns nothing");
	r->plan.is_return = true;
	ret = set_pointer(k, o, &type, 0, r);
	if (!ret)
		ret = set_args(k, o, &proto, "$retval", r);
	return ret ?: set_place(function, &proto, r);
}

static int resolve_function(struct kbtf *k, const struct follow_options *o, struct resolved *r)
{
	char *function = word_text(&o->what.function);
	int ret;

	if (!function)
		return refusal("out of memory");
	ret = o->what.kind == WHAT_ARGUMENT ? resolve_argument(k, o, function, r) :
					      resolve_returned(k, o, function, r);
	free(function);
	return ret;
}

static struct tep_event *find_event(struct tep_handle **tep, const char *system, const char *event)
{
	*tep = formats_new();
	return *tep ? formats_read(*tep, system, event) : NULL;
}

static int unknown_event(const struct follow_options *o, const char *system)
{
	struct suggestion s;
	char **names = tracefs_system_events(NULL, system), **name;
	const struct what_word *word = names ? &o->what.event : &o->what.system;
	int ret;

	if (!names)
		names = tracefs_event_systems(NULL);
	suggest_init(&s, word->start, word->len);
	for (name = names; name && *name; name++)
		suggest_consider(&s, *name);
	ret = unknown_word(o, word, word == &o->what.event ? "the system has no such event" :
			   "there is no such system of events", &s);
	tracefs_list_free(names);
	return ret;
}

static int check_field(const struct follow_options *o, struct tep_event *event, const char *name)
{
	struct tep_format_field *field = tep_find_field(event, name), *other;
	struct suggestion s;

	if (field && field->size == sizeof(long) && !(field->flags & TEP_FIELD_IS_ARRAY))
		return EXIT_DONE;
	if (field)
		return usage_error_at(o->text, place_of(o, &o->what.field),
				      "the field has no pointer: it is '%s'", field->type);
	suggest_init(&s, name, strlen(name));
	for (other = event->format.fields; other; other = other->next)
		suggest_consider(&s, other->name);
	return unknown_word(o, &o->what.field, "the event has no such field", &s);
}

static int resolve_field(struct kbtf *k, const struct follow_options *o, struct resolved *r)
{
	struct session_plan *plan = &r->plan;
	struct tep_handle *tep = NULL;
	struct tep_event *event;
	int ret;

	if (o->file)
		return usage_error_at(o->text, 0, "--name needs FUNCTION(ARGUMENT) or FUNCTION()");
	plan->system = word_text(&o->what.system);
	plan->event = word_text(&o->what.event);
	plan->field = word_text(&o->what.field);
	if (!plan->system || !plan->event || !plan->field)
		return refusal("out of memory");
	event = find_event(&tep, plan->system, plan->event);
	ret = event ? check_field(o, event, plan->field) : unknown_event(o, plan->system);
	if (!ret)
		ret = set_struct(k, o, fields_struct(k, plan->event,
						     tep_find_field(event, plan->field)), r);
	tep_free(tep);
	return ret;
}

static int resolve_address(struct kbtf *k, const struct follow_options *o, struct resolved *r)
{
	if (o->comm || o->filter || o->file || o->pid)
		return usage_error_at(o->text, 0, "an address is one object: -p, -c, --if and --name cannot select it");
	r->plan.address = o->what.address;
	return set_struct(k, o, NULL, r);
}

static int check_member(const struct resolved *r, const char *path)
{
	struct kbtf_path end;

	if (!r->struct_name)
		return usage_error_at(path, 0, "the struct of the object is unknown; name it with --type");
	if (kbtf_member(&r->type, path, &end))
		return EXIT_DONE;
	if (*end.suggestion)
		return usage_error_at(path, end.place, "struct %s has no such member; did you mean '%s'?",
				      r->struct_name, end.suggestion);
	return usage_error_at(path, end.place, "struct %s has no such member", r->struct_name);
}

/* The text of a trigger after "objtrace:add:" */
static int set_trigger(const struct follow_options *o, struct resolved *r, const char *member)
{
	char object[24] = "object", **trigger = &r->plan.triggers[r->plan.nr_values];
	size_t size;
	FILE *text = open_memstream(trigger, &size);

	if (!text)
		return refusal("out of memory");
	if (r->plan.address)
		snprintf(object, sizeof(object), "0x%llx", r->plan.address);
	else if (r->plan.system)
		snprintf(object, sizeof(object), "object");
	if (r->struct_name)
		fprintf(text, "(%s)", r->struct_name);
	fputs(object, text);
	if (member)
		fprintf(text, "->%s", member);
	if (o->objects || r->plan.address)
		fprintf(text, ":%lu", o->objects ?: 1);
	if (member && !o->all)
		fputs(":changes", text);
	if (o->returns)
		fputs(":returns", text);
	if (o->size)
		fputs(":size=auto", text);
	if (o->typed)
		fputs(":typed", text);
	if (o->after_free)
		fputs(":after-free", text);
	if (o->enum_name)
		fprintf(text, ":enum=%s", o->enum_name);
	if (o->stack)
		fprintf(text, ":stack=%ld", o->stack);
	if (o->watch)
		fputs(":watch", text);
	r->plan.nr_values++;
	return fclose(text) ? refusal("out of memory") : EXIT_DONE;
}

static int set_triggers(const struct follow_options *o, struct resolved *r)
{
	int i, ret = EXIT_DONE;

	for (i = 0; !ret && i < o->nr_members; i++) {
		ret = check_member(r, o->members[i]);
		if (!ret)
			ret = set_trigger(o, r, o->members[i]);
	}
	if (!o->nr_members)
		ret = set_trigger(o, r, NULL);
	return ret;
}

static int set_filter(const struct follow_options *o, struct resolved *r)
{
	const char *and = "";
	size_t size;
	FILE *text;

	if (!o->comm && !o->file && !o->filter)
		return EXIT_DONE;
	text = open_memstream(&r->plan.filter, &size);
	if (!text)
		return refusal("out of memory");
	if (o->comm) {
		fprintf(text, "comm == \"%s\"", o->comm);
		and = " && ";
	}
	if (o->file) {
		fprintf(text, "%sname == \"%s\"", and, o->file);
		and = " && ";
	}
	if (o->filter)
		fprintf(text, *and ? "%s(%s)" : "%s%s", and, o->filter);
	return fclose(text) ? refusal("out of memory") : EXIT_DONE;
}

/**
 * resolve() - make the plan of a session
 * @k: the BTF of the kernel
 * @o: the command line
 * @r: the result; free it with resolve_free(), also after a failure
 *
 * Return: EXIT_DONE, or another exit code with a message.
 */
int resolve(struct kbtf *k, const struct follow_options *o, struct resolved *r)
{
	int ret;

	*r = (struct resolved){};
	switch (o->what.kind) {
	case WHAT_ARGUMENT:
	case WHAT_RETURNED:
		ret = resolve_function(k, o, r);
		break;
	case WHAT_FIELD:
		ret = resolve_field(k, o, r);
		break;
	default:
		ret = resolve_address(k, o, r);
	}
	if (!ret)
		ret = set_triggers(o, r);
	if (!ret && !o->no_events)
		context_plan(k, &r->type, &r->plan.context);
	r->plan.pid = o->pid;
	return ret ?: set_filter(o, r);
}

/**
 * resolve_free() - free the plan of a session
 * @r: what resolve() made
 */
void resolve_free(struct resolved *r)
{
	int i;

	for (i = 0; i < SESSION_MAX_VALUES; i++)
		free(r->plan.triggers[i]);
	free(r->plan.system);
	free(r->plan.event);
	free(r->plan.field);
	free(r->plan.place);
	free(r->plan.args);
	free(r->plan.filter);
	context_plan_free(&r->plan.context);
}

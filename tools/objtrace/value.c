// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record has the number of a value and how it is shown.  The names of enumerators are in BTF,
 * the names of functions in /proc/kallsyms.
 */
#include <ctype.h>
#include <stdlib.h>

#include <tracefs.h>

#include "tools/objtrace/records.h"
#include "tools/objtrace/value.h"

static void read_symbols(struct symbols *symbols)
{
	FILE *file = fopen("/proc/kallsyms", "r"), *copy;
	char *text = NULL, part[1 << 16];
	size_t size, n;

	symbols->are_read = true;
	copy = file ? open_memstream(&text, &size) : NULL;
	while (copy && (n = fread(part, 1, sizeof(part), file)))
		fwrite(part, 1, n, copy);
	if (copy && !fclose(copy))
		tep_parse_kallsyms(symbols->tep, text);
	free(text);
	if (file)
		fclose(file);
}

/**
 * symbol_name() - the name of the function or data at an address
 * @symbols: the symbols
 * @address: an address in the function
 *
 * Return: the name, or "?".
 */
const char *symbol_name(struct symbols *symbols, unsigned long long address)
{
	if (!symbols->are_read)
		read_symbols(symbols);
	return tep_find_function(symbols->tep, address) ?: "?";
}

/**
 * record_number() - the number in a field of a record
 * @event: the type of the record
 * @record: the record
 * @field: the name of the field
 *
 * Return: the number, or 0 if the record has no such field.
 */
unsigned long long record_number(struct tep_event *event, struct tep_record *record,
				 const char *field)
{
	unsigned long long number = 0;

	tep_get_field_val(NULL, event, field, record, &number, 0);
	return number;
}

static void symbol_text(FILE *out, struct symbols *symbols, unsigned long long value)
{
	const char *name = symbol_name(symbols, value);
	unsigned long long start = tep_find_function_address(symbols->tep, value);

	if (!value || *name == '?')
		fprintf(out, "0x%llx", value);
	else if (start == value)
		fputs(name, out);
	else
		fprintf(out, "%s+0x%llx", name, value - start);
}

static void enum_text(FILE *out, struct btf *btf, int id, long long value)
{
	const char *name = btf ? kbtf_enumerator(btf, id, value) : NULL;

	if (name)
		fputs(name, out);
	else
		fprintf(out, "%lld", value);
}

/**
 * value_text() - print a value
 * @out: the text
 * @symbols: the symbols
 * @k: the BTF of the kernel
 * @type: the struct of the object, whose BTF has the enums that the kernel's BTF lacks
 * @event: the type of the record
 * @record: the record
 * @field: the field with the value
 * @fault: the field that says why the value was not read, or NULL
 */
void value_text(FILE *out, struct symbols *symbols, const struct kbtf *k,
		const struct kbtf_type *type, struct tep_event *event, struct tep_record *record,
		const char *field, const char *fault)
{
	unsigned long long value = record_number(event, record, field);
	struct btf *btf = record_number(event, record, "btf") ? type->btf : k->kernel;
	unsigned int why = fault ? record_number(event, record, fault) : NO_FAULT;

	if (why) {
		fputs(record_fault_name(why), out);
		return;
	}
	switch (record_number(event, record, "format")) {
	case FORMAT_SIGNED:
		fprintf(out, "%lld", (long long)value);
		break;
	case FORMAT_CHAR:
		fprintf(out, isprint((int)(value & 0xff)) && value < 128 ? "'%c'" : "0x%x",
			(int)(value & 0xff));
		break;
	case FORMAT_SYMBOL:
		symbol_text(out, symbols, value);
		break;
	case FORMAT_ENUM:
		enum_text(out, btf, record_number(event, record, "enum_id"), value);
		break;
	default:
		fprintf(out, "0x%llx", value);
	}
}

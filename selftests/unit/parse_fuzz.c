// SPDX-License-Identifier: GPL-2.0-only
/*
 * For libFuzzer: check_text() accepts the parsed command for any text, and check_pattern() accepts
 * the pattern for any text.
 */
#include <linux/kernel.h>

#include "command/parse.h"
#include "parse_check.h"
#include "patterns_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct objtrace_error error;
	struct objtrace_spec spec;
	const char *complaint;
	char *text;

	/* A text ends at its first NUL, and the sanitizer guards the memory after the NUL */
	text = strndup((const char *)data, size);
	complaint = check_text(text, &spec, &error) ?: check_pattern(text);
	free(text);
	if (!complaint)
		return 0;
	fprintf(stderr, "parse_fuzz: %s\n", complaint);
	abort();
}

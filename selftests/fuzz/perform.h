/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Performs steps in the running kernel.
 */
#ifndef _FUZZ_PERFORM_H
#define _FUZZ_PERFORM_H

#include "selftests/fuzz/step.h"

void perform_start(const char *tracefs, const char *modules);
bool perform(const struct step *s);
void perform_end(void);

#endif /* _FUZZ_PERFORM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of the steps: a file that is mapped, so that a line costs no system call.  The file can
 * be the memory of a device, which the host keeps after the guest died.
 */
#ifndef _FUZZ_LOG_H
#define _FUZZ_LOG_H

#include "selftests/fuzz/step.h"

/* The last steps of each thread, in bytes */
#define LOG_RING	65536

bool log_open(const char *path, unsigned int threads);
void log_begin(unsigned int thread, unsigned int nr, const struct step *s);
void log_end(unsigned int thread, bool is_done, double seconds);

#endif /* _FUZZ_LOG_H */

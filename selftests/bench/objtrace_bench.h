/* SPDX-License-Identifier: GPL-2.0-only */
/* Traced functions, which are not static, so that the compiler does not change their calls. */
#ifndef _OBJTRACE_BENCH_H
#define _OBJTRACE_BENCH_H

void otb_add(void *object);
void otb_take(void *object);
void otp_add(void *object);
void otp_take(void *object);

#endif /* _OBJTRACE_BENCH_H */

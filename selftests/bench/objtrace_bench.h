/* SPDX-License-Identifier: GPL-2.0-only */
/* What is called to be traced: not static, so that no pass of the compiler changes how. */
#ifndef _OBJTRACE_BENCH_H
#define _OBJTRACE_BENCH_H

void otb_add(void *object);
void otb_take(void *object);
void otp_add(void *object);
void otp_take(void *object);

#endif /* _OBJTRACE_BENCH_H */

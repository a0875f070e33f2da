#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-load-cost.sh ROW ARCH VERDICT-LOG
#
# Compare costs that grow with the kernel, in instructions, with budgets. A guest of
# check-bench.sh measured them. selftests/qemu/job-load-cost measured look-ups in the kernel's BTF:
#	- the module is loaded, and walks once over all types
#	- the first trigger builds the table of functions
#	- a trigger is set that names a struct
# selftests/qemu/job-live measured the start of `objtrace follow', which reads the kernel's symbols.
# Two loads in two boots differed by less than 0.1 % on x86_64, and by 2.6 % on arm64.

. "$(dirname "$0")/lib.sh"

# The budget of a load, in thousands: the highest measured value and a tenth. The cost grows
# with the kernel.
budget() {	# budget ARCH
	case $1 in
	x86_64)	echo 21000 ;;	# 19.1 million on 6.12.117
	arm64)	echo 25800 ;;	# 23.4 million on 6.12.117, whose BTF is a sixth larger
	esac
}

# The budgets of the table of functions, which the first trigger builds; of a trigger with a
# member of a struct; of a trigger with a struct in no BTF; of the start of `objtrace follow'
step_budgets() {	# step_budgets ARCH
	case $1 in
	x86_64)	echo 268300 4060 53500 1038600 ;;	# 243.9, 3.7, 48.6, 944.2 million on 6.12.117
	arm64)	echo 209400 4900 61800 896200 ;;	# 190.4, 4.4, 56.2, 814.7 million on 6.12.117
	esac
}

[ $# -eq 3 ] || die "usage: check-load-cost.sh ROW ARCH VERDICT-LOG"
ARCH=$(arch_name "$2")
BUDGET=$(budget "$ARCH")
mapfile -t walks < <(sed -n 's/^walk //p' "$3")
say "  $1 $ARCH: ${walks[*]} thousand instructions"
result "$([ ${#walks[@]} -eq 2 ] || echo "${#walks[@]} loads were measured, not 2")" "two loads, each with one walk over the BTF"
for i in "${!walks[@]}"; do
	result "$([ "${walks[i]}" -gt 0 ] && [ "${walks[i]}" -le "$BUDGET" ] ||
		echo "${walks[i]} thousand instructions, the budget is $BUDGET")" \
		"load $((i + 1)) is within its budget"
done
mapfile -t steps < <(sed -n -E 's/^(known|path|start) //p' "$3")
read -ra budgets < <(step_budgets "$ARCH")
names=("the table of functions" "a trigger with a member" "a trigger with an unknown struct" "the start of objtrace follow")
say "  $1 $ARCH: ${steps[*]} thousand instructions"
for i in "${!names[@]}"; do
	result "$([ "${steps[i]:-0}" -gt 0 ] && [ "${steps[i]}" -le "${budgets[i]}" ] ||
		echo "${steps[i]:-no} thousand instructions, the budget is ${budgets[i]}")" \
		"${names[i]} is within its budget"
done

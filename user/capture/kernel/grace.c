// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/grace.h"

#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/host/cpus.h"

/*
 * The longest busy wait. A program takes microseconds, but much longer if a hypervisor takes its
 * CPU away.
 */
#define SPIN_NS 10000000ULL

int grace__open(struct grace *grace, int map, size_t nr_cpus, const struct cpus *cpus,
		struct error *err)
{
	void *rows = mmap(NULL, nr_cpus * sizeof(*grace->rows), PROT_READ | PROT_WRITE, MAP_SHARED,
			  map, 0);
	size_t cpu;

	if (rows == MAP_FAILED)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot map the programs' passages");
	grace->rows = rows;
	grace->nr_rows = nr_cpus;
	for (cpu = 0; cpu < nr_cpus; cpu++)
		grace->rows[cpu].is_closed = !cpus__is_wanted(cpus, cpu);
	return 0;
}

void grace__close(struct grace *grace)
{
	if (grace->rows)
		munmap(grace->rows, grace->nr_rows * sizeof(*grace->rows));
	*grace = (struct grace){0};
}

/*
 * Returns true if no program is inside. Exits are read before entries: each exit read has an entry
 * that is read later. So equal sums mean that no program was inside in between.
 */
static bool is_over(const struct grace *grace, uint32_t generation)
{
	uint64_t nr_left = 0, nr_entered = 0;
	size_t i;

	for (i = 0; i < grace->nr_rows; i++)
		nr_left += __atomic_load_n(&grace->rows[i].left[generation], __ATOMIC_ACQUIRE);
	for (i = 0; i < grace->nr_rows; i++)
		nr_entered +=
			__atomic_load_n(&grace->rows[i].entered[generation], __ATOMIC_ACQUIRE);
	return nr_left == nr_entered;
}

/* Returns true on x86-64, where the atomic add of a program orders its later reads. */
static bool can_spin(void)
{
#ifdef __x86_64__
	return true;
#else
	return false;
#endif
}

int grace__wait(const struct grace *grace, uint32_t generation, struct error *err)
{
	const uint64_t start_ns = monotonic_ns();

	if (!grace->rows)
		return 0;
	__atomic_thread_fence(
		__ATOMIC_SEQ_CST); /* orders the change of generations before our reads */
	while (can_spin() && monotonic_ns() - start_ns < SPIN_NS)
		if (is_over(grace, generation))
			return 0;
	/* Wait for all code with preemption disabled, which includes these programs: some 10 ms. */
	if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0))
		return error__set(err, EXIT_INTERNAL, -errno, "cannot wait for the BPF programs");
	return 0;
}

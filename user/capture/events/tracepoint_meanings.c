// SPDX-License-Identifier: GPL-2.0-only
/* Words for tracepoints that many look for, from what the kernel's own sources say of them. */
#include "capture/events/tracepoint.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct {
	const char *name, *meaning;
} meanings[] = {
	{"block:block_bio_queue", "a file system or a program hands over a piece of input or output"},
	{"block:block_rq_complete", "a device has done a request, or part of it; weight=nr_sector"},
	{"block:block_rq_insert", "a request waits for its device; weight=bytes"},
	{"block:block_rq_issue", "a request goes to its device; weight=bytes"},
	{"block:block_rq_requeue", "a request has to wait again"},
	{"compaction:mm_compaction_begin", "the kernel moves pages, to have large pieces of memory"},
	{"cgroup:cgroup_attach_task", "a task moves to another cgroup"},
	{"exceptions:page_fault_kernel", "the kernel touched memory that was not mapped yet"},
	{"exceptions:page_fault_user", "a program touched memory that was not mapped yet"},
	{"ext4:ext4_da_write_begin", "ext4: a write begins; weight=len"},
	{"ext4:ext4_sync_file_enter", "ext4: a program waits until a file is on its disk"},
	{"filelock:posix_lock_inode", "a program locks a file, or unlocks it"},
	{"filemap:mm_filemap_add_to_page_cache", "a page of a file is read into memory"},
	{"filemap:mm_filemap_delete_from_page_cache", "a page of a file leaves memory"},
	{"huge_memory:mm_collapse_huge_page", "small pages become a huge one"},
	{"irq:irq_handler_entry", "the handler of a device's interrupt begins"},
	{"irq:softirq_entry", "work that an interrupt left behind begins; vec says which"},
	{"irq:softirq_raise", "an interrupt leaves work behind"},
	{"kmem:kfree", "the kernel gives back a piece of its memory"},
	{"kmem:kmalloc", "the kernel takes a piece of memory; weight=bytes_alloc"},
	{"kmem:kmem_cache_alloc", "the kernel takes an object of a cache of its own; weight=bytes_alloc"},
	{"kmem:kmem_cache_free", "the kernel gives back an object of a cache"},
	{"kmem:mm_page_alloc", "pages of memory are taken, 2 to the power of order of them"},
	{"kmem:mm_page_free", "pages of memory are given back"},
	{"kmem:rss_stat", "the memory of a process grows or shrinks to so many bytes"},
	{"lock:contention_begin", "a thread begins to wait for a lock of the kernel's"},
	{"lock:contention_end", "a thread has got a lock of the kernel's that it waited for"},
	{"migrate:mm_migrate_pages", "pages move to other memory"},
	{"napi:napi_poll", "a network device is asked for packets; weight=work"},
	{"net:net_dev_queue", "a packet waits for its network device; weight=len"},
	{"net:net_dev_start_xmit", "a packet goes to its network device; weight=len"},
	{"net:net_dev_xmit", "a network device has taken a packet; weight=len"},
	{"net:netif_receive_skb", "a packet came in; weight=len"},
	{"net:netif_rx", "a packet came in, by the slow path; weight=len"},
	{"oom:mark_victim", "memory is short: a process is to be killed"},
	{"power:cpu_frequency", "a CPU changes its frequency"},
	{"power:cpu_idle", "a CPU goes idle, or is woken"},
	{"raw_syscalls:sys_enter", "any system call begins; id says which"},
	{"raw_syscalls:sys_exit", "any system call returns; ret says what"},
	{"sched:sched_migrate_task", "a thread moves to another CPU"},
	{"sched:sched_process_exec", "a process executes a program"},
	{"sched:sched_process_exit", "a thread ends"},
	{"sched:sched_process_fork", "a process or a thread is made"},
	{"sched:sched_stat_runtime", "a thread has run; weight=runtime"},
	{"sched:sched_switch", "a thread is put off its CPU, whose stack it is"},
	{"sched:sched_wakeup", "a thread is woken, not always by whose stack it is"},
	{"sched:sched_wakeup_new", "a new thread is woken for the first time"},
	{"sched:sched_waking", "a thread wakes another one"},
	{"signal:signal_deliver", "a signal reaches its process"},
	{"signal:signal_generate", "a signal is sent"},
	{"skb:consume_skb", "a packet has done its duty"},
	{"skb:kfree_skb", "a packet is dropped"},
	{"sock:inet_sock_set_state", "a connection changes its state"},
	{"sock:sock_rcvqueue_full", "a socket's queue is full: a packet is dropped"},
	{"task:task_newtask", "a process or a thread is made"},
	{"task:task_rename", "a thread gets another name"},
	{"tcp:tcp_probe", "a segment of TCP came in; weight=data_len"},
	{"tcp:tcp_receive_reset", "the other side resets a connection"},
	{"tcp:tcp_retransmit_skb", "TCP sends a segment again"},
	{"tcp:tcp_send_reset", "we reset a connection"},
	{"timer:hrtimer_expire_entry", "a precise timer is due"},
	{"timer:timer_expire_entry", "a timer is due"},
	{"tlb:tlb_flush", "a CPU forgets translations of addresses"},
	{"vmscan:mm_vmscan_direct_reclaim_begin", "memory is short: a thread has to look for some itself"},
	{"vmscan:mm_vmscan_kswapd_wake", "memory is short: the kernel's own thread looks for some"},
	{"workqueue:workqueue_execute_start", "a worker of the kernel's begins its work"},
	{"workqueue:workqueue_queue_work", "work is left to a worker of the kernel's"},
	{"writeback:writeback_dirty_folio", "a page of a file was changed, and is to be written"},
	{"writeback:writeback_start", "changed pages begin to be written; weight=nr_pages"},
	{"xdp:xdp_exception", "an XDP program failed"},
};
/* clang-format on */

const char *tracepoint__meaning(const char *name, char *text, size_t size)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";
	size_t i;

	for (i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	if (!strncmp(name, enter, sizeof(enter) - 1))
		snprintf(text, size, "the system call %s begins", name + sizeof(enter) - 1);
	else if (!strncmp(name, leave, sizeof(leave) - 1))
		snprintf(text, size, "the system call %s returns ret", name + sizeof(leave) - 1);
	else
		return NULL;
	return text;
}

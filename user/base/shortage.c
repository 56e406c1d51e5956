// SPDX-License-Identifier: GPL-2.0-only
#include "base/shortage.h"

bool shortage__is(int code)
{
	return code == -EMFILE || code == -ENFILE || code == -EUSERS || code == -ENOBUFS ||
	       code == -ECHILD || code == -ECONNREFUSED;
}

/* Too many descriptors in flight to other processes also count as too many of ours. */
int shortage__of_descriptor(int error)
{
	switch (error) {
	case ETOOMANYREFS:
		return -EMFILE;
	case ENOMEM:
		return -ENOBUFS;
	default:
		return -error;
	}
}

int shortage__of_process(int error)
{
	switch (error) {
	case EAGAIN:
		return -EUSERS;
	case ENOMEM:
		return -ENOBUFS;
	default:
		return -error;
	}
}

int shortage__of_call(int code)
{
	switch (code) {
	case -EPERM:
	case -EACCES:
	case -ENOSYS:
		return -ECONNREFUSED;
	case -ENOMEM:
		return -ENOBUFS;
	default:
		return code;
	}
}

// SPDX-License-Identifier: GPL-2.0-only
#include "profile/share_error.h"

#include <math.h>

#define Z 1.959963984540054 /* of the normal distribution, for 95 % */

struct share_error share_error__of(uint64_t count, uint64_t total)
{
	const double n = (double)total;
	double share, middle, half, scale;

	if (!total)
		return (struct share_error){0, 1};
	share = count < total ? (double)count / n : 1;
	scale = 1 + Z * Z / n;
	middle = (share + Z * Z / (2 * n)) / scale;
	half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / scale;
	return (struct share_error){fmax(middle - half, 0), fmin(middle + half, 1)};
}

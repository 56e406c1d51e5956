// SPDX-License-Identifier: GPL-2.0-only
#include "commands/version.h"

#include "capture/kernel/kernel.h"
#include "readers/instruction.h"

#include "commit.h"

#ifdef TOPSTACKS_STATIC
#define IS_STATIC true
#else
#define IS_STATIC false
#endif

#ifdef __SANITIZE_ADDRESS__
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

void version__print(void)
{
	printf("topstacks %s\n", TOPSTACKS_VERSION);
	printf("commit %s\n", TOPSTACKS_COMMIT);
	printf("libbpf %s\n", loader__version());
	const struct {
		const char *name;
		bool is_there;
	} features[] = {
		{"static", IS_STATIC},	     {"shared", !IS_STATIC},
		{"sanitized", IS_SANITIZED}, {"instruction-decoder", instruction__has_decoder()},
		{"demangler", true},	     {"mini-debuginfo", true},
		{"debuginfod", !IS_STATIC},  {"slices", true},
	};

	printf("features");
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		if (features[i].is_there)
			printf(" %s", features[i].name);
	printf("\n");
}

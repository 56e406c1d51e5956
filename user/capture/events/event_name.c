// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/event_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const signs[] = {
	[EVENT_OP_NONE] = "",	  [EVENT_OP_SET] = "=",
	[EVENT_OP_EQUAL] = "==",  [EVENT_OP_NOT_EQUAL] = "!=",
	[EVENT_OP_LESS] = "<",	  [EVENT_OP_LESS_EQUAL] = "<=",
	[EVENT_OP_GREATER] = ">", [EVENT_OP_GREATER_EQUAL] = ">=",
	[EVENT_OP_BITS] = "&",
};

static bool is_condition(const struct event_term *term)
{
	return term->op > EVENT_OP_SET;
}

/* Terms of a PMU stay where they are, which is before all conditions. */
static int compare_terms(const void *a, const void *b)
{
	const struct event_term *left = a, *right = b;
	int order = (int)is_condition(left) - (int)is_condition(right);

	if (!order && !is_condition(left))
		return (left->key > right->key) - (left->key < right->key); /* as said */
	if (!order)
		order = strcmp(left->key, right->key);
	if (!order)
		order = (int)left->op - (int)right->op;
	return order ? order : (left->number > right->number) - (left->number < right->number);
}

static void print_term(FILE *out, const struct event_term *term)
{
	fprintf(out, "%s%s", term->key, signs[term->op]);
	if (!is_condition(term))
		fputs(term->text ? term->text : "", out);
	else if (term->is_negative)
		fprintf(out, "%" PRId64, (int64_t)term->number);
	else
		fprintf(out, "%" PRIu64, term->number);
}

static void print(FILE *out, const struct event_words *words, const char *name, const char *weight)
{
	const char *modifiers = !words->in_user ? "k" : !words->in_kernel ? "u" : "";
	struct event_term terms[EVENT_MAX_TERMS];
	size_t i;

	memcpy(terms, words->terms, sizeof(terms));
	qsort(terms, words->nr_terms, sizeof(*terms), compare_terms);
	fputs(name, out);
	if (weight)
		fprintf(out, "/weight=%s", weight);
	for (i = 0; i < words->nr_terms; i++) {
		fputc(i || weight ? ',' : '/', out);
		print_term(out, &terms[i]);
	}
	if (weight || words->nr_terms)
		fprintf(out, "/%s", modifiers);
	else if (*modifiers)
		fprintf(out, ":%s", modifiers);
}

static char *make(const struct event_words *words, const char *name, const char *weight)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int failed;

	if (!out)
		return NULL;
	print(out, words, name, weight);
	failed = ferror(out);
	if (!fclose(out) && !failed)
		return text;
	free(text);
	return NULL;
}

char *event_name__make(const struct event_words *words, const char *name)
{
	return make(words, name, words->weight);
}

char *event_name__make_count(const struct event_words *words, const char *name)
{
	return make(words, name, NULL);
}

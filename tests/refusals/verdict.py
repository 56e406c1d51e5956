# SPDX-License-Identifier: GPL-2.0-only
"""What came of a refusal, in a word, from the gravest on."""

import dataclasses
import json
import os
import re

import words

BAD = ("crash", "hang", "leftover", "unbalanced", "undocumented", "silent", "lines", "vague", "false")
GOOD = ("ok", "says", "refused")
NOT_REACHED = "not reached"

MEANT = {
    "ok": "went on with right results, without a word",
    "says": "went on, and said something that is no contradiction",
    "refused": "ended with one true sentence",
    NOT_REACHED: "the call did not come as often this time",
    "crash": "it, or a process of its own, was ended by a signal",
    "hang": "it did not end in time",
    "leftover": "it left a process or a file behind",
    "unbalanced": "the ledger does not add up, or not to its samples",
    "undocumented": "an exit status that docs/exit-codes.md does not have",
    "silent": "it failed, or lacks results, without a word",
    "lines": "it failed with more than one line",
    "vague": "it failed, and does not say why, or what was refused",
    "false": "what was said is not so: it is of another error",
}

FAILURES = {1, 2, 3, 4}
COMMAND_FAILURES = {125, 126, 127}
LOOSE_ENDS = ("unread", "unread_descriptors", "unread_processes", "unread_refused", "processes_unlisted")


@dataclasses.dataclass(frozen=True)
class Usual:
    """Of a run to which nothing was refused: its lines and files, and how it walked stacks."""

    lines: frozenset = frozenset()
    files: frozenset = frozenset()
    unwinding: frozenset = frozenset()

    @classmethod
    def of(cls, run, outcome):
        return cls(
            frozenset(normal(line) for line in said_by(run, outcome)),
            frozenset(normal(file) for file in outcome.files),
            frozenset(interval.get("unwinding") for interval in intervals(outcome)),
        )


def normal(text):
    """Without what differs between runs: numbers, and where a run has its directory."""
    return re.sub(r"\d+(\.\d+)?", "N", re.sub(r"topstacks-refusals\.[\w/]*", "DIR", text))


def lost_abilities(run, outcome):
    """Why an ability is lost, as results tell: that is no lack of theirs, and has to be as true as any sentence."""
    results = intervals(outcome) if run.output == "json" else []
    results += [json.loads(text) for status, text, _ in outcome.profiles if not status]
    return sorted({lost["why"] for result in results for lost in result.get("lost_abilities", [])})


def said_by(run, outcome):
    text = outcome.err + (outcome.out if run.output == "report" else "")
    return [line.strip() for line in text.splitlines() if line.strip()] + lost_abilities(run, outcome)


def intervals(outcome):
    """A command prints between them."""
    return [json.loads(line) for line in outcome.out.splitlines() if line.startswith('{"schema"')]


def ledgers_of(run, outcome):
    """(ledger, its samples, frames) of every event of every interval, or file."""
    if run.output == "json":
        for interval in intervals(outcome):
            for event in interval.get("events") or [{}]:  # the one that is shown has its values beside them
                of_event = {**interval, **event}
                yield of_event["ledger"], of_event["samples"]
    for status, text, _ in outcome.profiles:
        if not status:
            profile = json.loads(text)
            yield profile["ledger"], profile["samples"]


def unbalanced(run, outcome):
    """The reason, or ""."""
    try:
        for ledger, samples in ledgers_of(run, outcome):
            if not ledger["balanced"]:
                return "the ledger says that it is not balanced"
            if sum(sample["count"] for sample in samples) != ledger["counted"]:
                return f"counted {ledger['counted']}, and samples are others"
            parts = [ledger[key] for key in ("counted", "idle", "filtered", "lost")]
            if sum(parts) != ledger["events"]:
                return f"{ledger['events']} events are not {parts}"
    except (ValueError, KeyError, TypeError) as error:
        return f"no JSON of ours: {error!r}"
    for events, *parts in re.findall(
        r"^ledger +([\d,]+) events = ([\d,]+) counted \+ ([\d,]+) idle \+ ([\d,]+) filtered \+ ([\d,]+) lost", outcome.out, re.M
    ):
        if int(events.replace(",", "")) != sum(int(part.replace(",", "")) for part in parts):
            return f"{events} events are not {parts}"
    unreadable = [error for status, _, error in outcome.profiles if status]
    return f"the file cannot be read: {unreadable[0].strip()}" if unreadable else ""


def lacking(run, outcome, usual):
    """What results lack that nothing in them accounts for, or ""."""
    if run.output == "report":
        return ""
    if run.output == "text":
        return "" if f"({run.named})" in outcome.out else "no names"
    if run.output == "spool" and not outcome.profiles:
        return "" if not usual.files else "no file"
    ledgers = list(ledgers_of(run, outcome))
    if not ledgers:
        return "no results"
    if not any(ledger["counted"] for ledger, _ in ledgers):
        return "nothing counted"
    if usual.unwinding and any(each.get("unwinding") not in usual.unwinding for each in intervals(outcome)):
        return "stacks walked in another way"
    text = outcome.out + "".join(text for _, text, _ in outcome.profiles)
    told = any(ledger.get(key) for ledger, _ in ledgers for key in LOOSE_ENDS)
    if run.named and not told and not re.search(rf'"function":\s*"[^"]+",\s*"module":\s*"{run.named}"', text):
        return "no names"
    return ""


def tells_of(refusal, outcome, files):
    """A sentence names all of them, and why they are there."""
    return any(
        words.means(refusal.error, line) and all(words.names_file(os.path.join(outcome.directory, file), line) for file in files)
        for line in outcome.err.splitlines()
    )


def may_be_busy(word, run, outcome, usual):
    """Whether it is bad only in that it lacks results, which a machine that is busy may not give."""
    return word in ("silent", "vague") and outcome.status in (0, "SIGTERM") and bool(lacking(run, outcome, usual))


def judge_sentences(refusal, hits, lines, failed, lack):
    """
    (verdict, reason). A run that failed has to tell why, and what was refused; one that lacks results, why; any other only
    must not be wrong.
    """
    for line in lines:
        if wrong := words.contradicts(refusal.error, line):
            return "false", f'"{wrong}" of {refusal.error}'
    if not failed and not lack:
        return "says", ""
    text = " ".join(lines)
    if not words.means(refusal.error, text):
        return "vague", f"without the meaning of {refusal.error}"
    if not failed:
        return "says", ""
    if not any(words.names(hit, text) for hit in hits):
        return "vague", "without what was refused"
    return "refused", ""


def judge(run, refusal, outcome, usual=Usual()):
    """(verdict, reason). A file that cannot be removed stays, which has to be told of."""
    if outcome.trace.crashes:
        return "crash", outcome.trace.crashes[0]
    stopped = run.until_stopped and outcome.status in ("SIGTERM", -15, 143)
    if not stopped and (isinstance(outcome.status, str) or outcome.status is None or outcome.status < 0):
        return ("hang", "") if outcome.hung else ("crash", f"ended by {outcome.status}")
    if outcome.hung:
        return "hang", ""
    if outcome.processes:
        return "leftover", "processes " + ", ".join(outcome.processes)
    files = [file for file in outcome.files if normal(file) not in usual.files]
    if files and not tells_of(refusal, outcome, files):
        return "leftover", "files " + ", ".join(files)
    if reason := unbalanced(run, outcome):
        return "unbalanced", reason
    hits = outcome.trace.refused
    if not hits:
        return NOT_REACHED, ""
    failures = COMMAND_FAILURES if run.has_command else FAILURES
    if outcome.status and not stopped and outcome.status not in failures:
        return "undocumented", f"exit status {outcome.status}"
    lines = [line for line in said_by(run, outcome) if normal(line) not in usual.lines]
    failed = bool(outcome.status) and not stopped
    lack = "" if failed else lacking(run, outcome, usual)
    if not lines:
        return ("silent", lack or f"exit status {outcome.status}") if failed or lack else ("ok", "")
    if failed and run.output != "report" and len(lines) > 1:
        return "lines", ""
    return judge_sentences(refusal, hits, lines, failed, lack)

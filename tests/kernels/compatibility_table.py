#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of kernels and their settings.

compatibility_table.py kernels|settings     the words of its columns, or of its rows
compatibility_table.py write FILE CELLS     writes those cells of the table in FILE anew that CELLS has, and keeps the others

It stands between two comments in FILE. A cell says which abilities run, which of them with a loss, and which are refused.
"""

import collections
import dataclasses
import json
import pathlib
import re
import sys

KERNELS = {"5.10": "5.10", "6.1": "6.1", "6.12": "6.12", "sid": "7.2 (sid)", "6.12-rt": "6.12, PREEMPT_RT", "hardened": "hardened"}

SETTINGS = {
    "as-booted": "as it is booted",
    "preempt=full": "`preempt=full`",
    "lockdown=integrity": "`lockdown=integrity`",
    "lockdown=confidentiality": "`lockdown=confidentiality`",
    "no-jit": "`net.core.bpf_jit_enable=0`",
    "perf_event_paranoid=4": "`kernel.perf_event_paranoid=4`",
    "kptr_restrict=2": "`kernel.kptr_restrict=2`",
    "no-btf": "no `/sys/kernel/btf`",
    "no-securityfs": "no securityfs",
    "six-capabilities": "a user with six capabilities, at `kernel.perf_event_paranoid=2`",
    "six-capabilities-paranoid": "the same, at `kernel.perf_event_paranoid=4`",
}

ABILITIES = ("cpu", "off-cpu", "wall", "alloc", "tracepoint", "uprobe")
WAITS = ("off-cpu", "wall")
PROBES = ("alloc", "uprobe")

BEGIN = "<!-- make compatibility: from here -->"
END = "<!-- make compatibility: to here -->"
ABSENT = "—"
NOT_RUN = "not run"


@dataclasses.dataclass
class Place:
    """Where an ability is tried."""

    kernel: str
    version: tuple  # (6, 12)
    setting: str
    ability: str


@dataclasses.dataclass
class Reason:
    """Why an ability is refused: the sentences that say so, of which "…" stands for any words, and where that is true."""

    label: str
    sentences: tuple
    holds: collections.abc.Callable

    def matches(self, sentence):
        return any(re.fullmatch(".+".join(map(re.escape, one.split("…"))), sentence) for one in self.sentences)


@dataclasses.dataclass
class Loss:
    """What a run may lack, as its JSON tells it (name and why), and where that is true."""

    label: str
    name: str
    why: str
    holds: collections.abc.Callable


def is_confidential(place):
    return place.setting == "lockdown=confidentiality"


def is_user(place):
    return place.setting.startswith("six-capabilities")


REASONS = (
    Reason("5.15", ("probes need Linux 5.15 or later", "allocations are sampled on Linux 5.15 or later"),
           lambda place: place.version < (5, 15) and place.ability in PROBES),
    Reason("5.19", ("waits are sampled on Linux 5.19 or later, which tells what threads do that leave a CPU",),
           lambda place: place.version < (5, 19) and place.ability in WAITS),
    Reason("confidentiality",
           ("cannot load the BPF program …: invalid argument; the kernel's lockdown (confidentiality) may forbid it",),
           lambda place: is_confidential(place) and place.version < (5, 13)),
    Reason("tracefs", ("cannot read the kernel's tracepoints: tracefs is empty, as lockdown (confidentiality) leaves it",),
           lambda place: is_confidential(place) and place.ability == "tracepoint"),
    Reason("not built in", ('this kernel has no tracepoint "syscalls:sys_exit_read"',),
           lambda place: place.kernel == "hardened" and place.ability == "tracepoint"),
    Reason("JIT", ("waits are sampled only where the JIT compiler of BPF is on, which programs with callbacks "
                   "need: sudo sysctl net.core.bpf_jit_enable=1",),
           lambda place: place.setting == "no-jit" and place.ability in WAITS),
    Reason("BTF", ("cannot read /sys/kernel/btf/vmlinux: this kernel has no BTF (/sys/kernel/btf/vmlinux); topstacks needs "
                   "CONFIG_DEBUG_INFO_BTF",),
           lambda place: place.setting == "no-btf"),
    Reason("CAP_SYS_ADMIN", ("cannot put the probe into its target: this kernel wants CAP_SYS_ADMIN for that: run as root",
                             "cannot put probes where blocks are told of: this kernel wants CAP_SYS_ADMIN for that: run as root"),
           lambda place: is_user(place) and place.ability in PROBES),
    Reason("locked memory", ("cannot make the BPF map …: operation not permitted; the limit of locked memory (64 kB) may be too low: "
                             "ulimit -l unlimited as root, or LimitMEMLOCK=infinity in a systemd unit",),
           lambda place: is_user(place) and place.version < (5, 11)),
    Reason("paranoid", ("cannot …: permission denied; kernel.perf_event_paranoid is above 2, which may take CAP_SYS_ADMIN: "
                        "sudo sysctl kernel.perf_event_paranoid=2",),
           lambda place: place.setting == "six-capabilities-paranoid"),
)

LOSSES = (
    Loss("frame pointers", "unwind tables", "only Linux 5.17 and later have bpf_loop()", lambda place: place.version < (5, 17)),
    Loss("frame pointers", "unwind tables", "the JIT compiler of BPF is off", lambda place: place.setting == "no-jit"),
    Loss("lists of mappings", "mappings in the kernel", "the kernel's lockdown is confidentiality", is_confidential),
    Loss("no names in the kernel", "names of kernel functions", "run with CAP_SYSLOG, or lower kernel.kptr_restrict",
         lambda place: place.setting == "kptr_restrict=2" and place.version < (5, 14)),
)


def joined(groups):
    """{label: [ability, …]}: what is refused, and why."""
    return [f"not {', '.join(abilities)}: {label}" for label, abilities in groups.items()]


def cell_text(found):
    """Of {ability: verdict}, in one cell."""
    if None in found:
        return ABSENT
    verdicts = {ability: found[ability] for ability in ABILITIES if ability in found}
    runs = [ability for ability, one in verdicts.items() if one["verdict"] == "ok"]
    losses = list(dict.fromkeys(label for ability in runs for label in verdicts[ability]["labels"]))
    refused = {}
    for ability, one in verdicts.items():
        if one["verdict"] == "refused":
            refused.setdefault(one["labels"][0], []).append(ability)
    wrong = [ability for ability, one in found.items() if one["verdict"] == "wrong"]
    parts = []
    if runs:
        parts.append(("all" if len(runs) == len(ABILITIES) else ", ".join(runs)) + (f" ({', '.join(losses)})" if losses else ""))
    if len(refused) == 1 and not runs and not wrong:
        parts.append(f"none: {next(iter(refused))}")
    else:
        parts += joined(refused)
    if wrong:
        parts.append(f"**wrong: {', '.join(wrong)}**")
    return "; ".join(parts)


def read_cells(text):
    """{(setting, kernel): cell} of a table that is there."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]
    kernels = {title: word for word, title in KERNELS.items()}
    settings = {title: word for word, title in SETTINGS.items()}
    columns = next((row for row in rows if row[0] == "setting"), [""])
    return {(settings[row[0]], kernels[column]): cell for row in rows if row[0] in settings
            for column, cell in zip(columns[1:], row[1:]) if column in kernels}


def notes(cells):
    """What the labels of these cells stand for."""
    used = {label for label in [one.label for one in REASONS + LOSSES] if any(label in cell for cell in cells.values())}
    lines = ["| there | what topstacks says |", "|---|---|"]
    for one in REASONS:
        if one.label in used:
            lines.append(f"| {one.label} | {'; or '.join(f'`{sentence}`' for sentence in one.sentences)} |")
    lost = collections.defaultdict(list)
    for one in LOSSES:
        if one.label in used:
            lost[one.label].append(f"`{one.name}` is lost: `{one.why}`")
    return "\n".join(lines + [f"| {label} | {'; or '.join(texts)} |" for label, texts in lost.items()])


def table_text(cells):
    lines = ["| setting | " + " | ".join(KERNELS.values()) + " |", "|---" * (len(KERNELS) + 1) + "|"]
    for setting, title in SETTINGS.items():
        lines.append("| " + " | ".join([title] + [cells.get((setting, kernel), NOT_RUN) for kernel in KERNELS]) + " |")
    return "\n".join(lines) + "\n\n" + notes(cells)


def write(path, found):
    whole = path.read_text(encoding="utf-8")
    before, rest = whole.split(BEGIN)
    old, after = rest.split(END)
    cells = read_cells(old)
    groups = collections.defaultdict(dict)
    for one in found:
        groups[one["setting"], one["kernel"]][one["ability"]] = one
    cells.update({where: cell_text(group) for where, group in groups.items()})
    path.write_text(f"{before}{BEGIN}\n{table_text(cells)}\n{END}{after}", encoding="utf-8")


def main():
    if sys.argv[1] == "kernels":
        print(*KERNELS)
    elif sys.argv[1] == "settings":
        print(*SETTINGS)
    else:
        lines = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8").splitlines()
        write(pathlib.Path(sys.argv[2]), [json.loads(line) for line in lines])


if __name__ == "__main__":
    main()

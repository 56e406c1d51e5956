# SPDX-License-Identifier: GPL-2.0-only
"""bcc's tools as Debian has them: they are compiled as they start, with headers of some kernel."""

import glob
import os
import shutil
import tempfile

# Debian's headers are in two directories, and bcc looks into one: it gets both, where nobody else sees it; and tracefs,
# which it wants when the kernel refuses it a probe at first.
_WITH_HEADERS = """
mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing
mount -t overlay -o "lowerdir=$1" none "$2"
export BCC_KERNEL_SOURCE="$2"
shift 2
exec "$@"
"""


def tool(name):
    """The path of a tool; None: it is not installed."""
    return shutil.which(f"{name}-bpfcc") or shutil.which(name)


def _headers():
    """The directories of the newest headers, for overlayfs; None: those of the running kernel are there, or none."""
    if os.path.exists(f"/lib/modules/{os.uname().release}/build"):
        return None
    parts = [part for part in sorted(glob.glob("/usr/src/linux-headers-*")) if not part.endswith("-common")]
    version = parts[-1].rsplit("-", 1)[0] if parts else ""
    return f"{parts[-1]}:{version}-common" if os.path.isdir(f"{version}-common") else None


def command(words):
    """The words of a command that runs a tool."""
    headers = _headers()
    if not headers:
        return words
    place = os.path.join(tempfile.gettempdir(), "bench-kernel-headers")
    os.makedirs(place, exist_ok=True)
    return ["unshare", "--mount", "sh", "-ec", _WITH_HEADERS, "sh", headers, place, *words]

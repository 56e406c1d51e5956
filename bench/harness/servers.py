# SPDX-License-Identifier: GPL-2.0-only
"""Programs of the distribution under load, each as `with redis() as pids`: what to sample."""

import contextlib
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

from .process import Failed

_QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def find(*names):
    """The first of these programs that is installed; patterns are allowed. None: none."""
    for name in names:
        path = shutil.which(name) or next(iter(sorted(glob.glob(name))[::-1]), None)
        if path:
            return path
    return None


@contextlib.contextmanager
def _running(command, **options):
    """A command and its descendants, which are a process group, until the end of the block."""
    child = subprocess.Popen(command, start_new_session=True, **{**_QUIET, **options})
    try:
        yield child
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(5)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _wait_for(condition, what, seconds=20):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failed(f"{what} did not start")
        time.sleep(0.05)


def family(pid):
    """A process and all its descendants."""
    children = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError):
            with open(path, encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(path.split("/")[2]))
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        waiting += children.get(one, [])
    return found


@contextlib.contextmanager
def redis():
    with tempfile.TemporaryDirectory() as directory:
        socket = f"{directory}/socket"
        server = [find("redis-server"), "--port", "0", "--unixsocket", socket, "--save", ""]
        load = [find("redis-benchmark"), "-s", socket, "-l", "-q", "-n", "100000", "-c", "20"]
        with _running(server, cwd=directory) as process:
            _wait_for(lambda: os.path.exists(socket), "redis-server")
            with _running([*load, "-t", "set,get,lpush,lrange_100,zadd,hset"]):
                time.sleep(1)
                yield [process.pid]


_NGINX = """
worker_processes 2; daemon off; master_process on; pid {0}/pid; error_log /dev/null;
events {{ worker_connections 256; }}
http {{ access_log off; client_body_temp_path {0}; proxy_temp_path {0}; fastcgi_temp_path {0};
uwsgi_temp_path {0}; scgi_temp_path {0}; gzip on; gzip_min_length 1; gzip_types *;
server {{ listen 127.0.0.1:{1}; root {0}; }} }}
"""


@contextlib.contextmanager
def nginx(port=18765):
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        with open(f"{directory}/conf", "w", encoding="ascii") as file:
            file.write(_NGINX.format(directory, port))
        shutil.copy(__file__, f"{directory}/index.html")
        url = f"http://127.0.0.1:{port}/index.html"
        load = [find("wrk"), "-t1", "-c16", "-d600", "-H", "Accept-Encoding: gzip", url]
        with _running([find("nginx", "/usr/sbin/nginx"), "-c", f"{directory}/conf"]) as process:
            _wait_for(lambda: os.path.exists(f"{directory}/pid"), "nginx")
            with _running(load):
                time.sleep(1)
                yield family(process.pid)


def _as_postgres(command):
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


def postgres_program(name):
    return find(f"/usr/lib/postgresql/*/bin/{name}", name)


@contextlib.contextmanager
def postgres():
    with tempfile.TemporaryDirectory() as directory:
        shutil.chown(directory, "postgres")
        data, where = f"{directory}/data", ["-h", directory]
        initdb = [postgres_program("initdb"), "-D", data, "-A", "trust", "--no-sync"]
        subprocess.run(_as_postgres(initdb), check=True, cwd="/", **_QUIET)
        server = [postgres_program("postgres"), "-D", data, "-k", directory, "-h", "", "-F"]
        ready = _as_postgres([postgres_program("pg_isready"), *where])
        pgbench = [postgres_program("pgbench"), *where]
        with _running(_as_postgres(server), cwd="/") as process:
            _wait_for(lambda: not subprocess.call(ready, **_QUIET), "postgres")
            subprocess.run(_as_postgres([*pgbench, "-i", "-q", "postgres"]), check=True, **_QUIET)
            with _running(_as_postgres([*pgbench, "-c4", "-T600", "postgres"]), cwd="/"):
                time.sleep(1)
                yield family(process.pid)


_PYTHON = """
import json, re
def build(depth): return {"a": [depth] * 20, "b": build(depth - 1)} if depth else {"end": "x" * 50}
def walk(tree): return sum(walk(v) if isinstance(v, dict) else len(v) for v in tree.values())
while True:
    text = json.dumps(build(12), indent=1)
    tree = json.loads(text, object_hook=lambda pairs: pairs)
    sorted(re.findall(r"[0-9]+", text), key=lambda word: (len(word), word))
    walk(tree)
"""


@contextlib.contextmanager
def python():
    with _running([find("python3"), "-S", "-c", _PYTHON]) as process:
        time.sleep(1)
        yield [process.pid]


def available():
    """Those whose programs are installed, by name."""
    needed = {
        "redis-server": (redis, ["redis-server"], ["redis-benchmark"]),
        "nginx": (nginx, ["nginx", "/usr/sbin/nginx"], ["wrk"]),
        "postgres": (postgres, ["/usr/lib/postgresql/*/bin/postgres"], ["setpriv"]),
        "python3": (python, ["python3"]),
    }
    return {
        name: start
        for name, (start, *programs) in needed.items()
        if all(find(*one) for one in programs)
    }

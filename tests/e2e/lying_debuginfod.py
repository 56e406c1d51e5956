# SPDX-License-Identifier: GPL-2.0-only
"""
A server that speaks debuginfod's protocol, and lies: lying_debuginfod.py FILE [RIGHT [BARE]], where FILE is what it sends as a debug
file of any build ID, RIGHT is one that is right, and BARE
has its build ID and nothing else of use. It prints the port that it has chosen. How it lies is the first part of a path:

    /other/buildid/…    FILE, whatever was asked for
    /half/…             half of RIGHT, as if that were all
    /bare/…             BARE
    /empty/…            200, and nothing
    /busy/…             503
    /endless/…          zeros for ever, of no length that it tells
    /huge/…             a length of a petabyte, and some zeros
    /bomb/…             80 MB of zeros, as 80 KB of gzip
    /short/…            half of FILE, with the length of all of it
    /slow/…             a megabyte, and then a byte each second
    /silent/…           nothing at all
    /none/…             404
"""
import gzip, http.server, sys, threading

content = open(sys.argv[1], "rb").read()
right = open(sys.argv[min(2, len(sys.argv) - 1)], "rb").read()
bare = open(sys.argv[-1], "rb").read()
zeros = bytes(1 << 20)


class Liar(http.server.BaseHTTPRequestHandler):
    def begin(self, length, encoding=None):
        self.send_response(200)
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Content-Type", "application/octet-stream")
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def send_bomb(self):
        bomb = gzip.compress(zeros * 80)
        self.begin(len(bomb), "gzip")
        self.wfile.write(bomb)

    def send(self, length, bytes_):
        self.begin(length)
        self.wfile.write(bytes_)

    def send_endless(self):
        self.begin(None)
        while True:
            self.wfile.write(zeros)

    def send_slowly(self):
        self.send(len(zeros) * 2, zeros)
        while not threading.Event().wait(1):
            self.wfile.write(zeros[:1])

    def do_GET(self):
        how = self.path.split("/")[1]
        print(self.path, flush=True)
        try:
            if how == "other":
                self.send(len(content), content)
            elif how == "half":
                self.send(len(right) // 2, right[: len(right) // 2])
            elif how == "bare":
                self.send(len(bare), bare)
            elif how == "empty":
                self.send(0, b"")
            elif how == "busy":
                self.send_error(503)
            elif how == "endless":
                self.send_endless()
            elif how == "slow":
                self.send_slowly()
            elif how == "bomb":
                self.send_bomb()
            elif how == "huge":
                self.send(1 << 50, zeros)
            elif how == "short":
                self.send(len(content), content[: len(content) // 2])
            elif how == "silent":
                threading.Event().wait()
            else:
                self.send_error(404)
        except OSError:
            pass  # whoever asked has had enough
        self.close_connection = True

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
server.daemon_threads = True
print("ready", server.server_port, flush=True)
server.serve_forever()

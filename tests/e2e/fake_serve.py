# SPDX-License-Identifier: GPL-2.0-only
"""fake_serve.py SOCKET LOG ANSWER: listens like topstacks serve, answers every request alike, and notes them.

ANSWER is a file with the bytes to send, or one of
  profile:FILE   200 with this file as it is
  silent         nothing, and the connection stays open
Prints "ready" when it listens.
"""

import os
import socket
import sys
import time


def answer_of(kind):
    if kind == "silent":
        return None
    if kind.startswith("profile:"):
        body = open(kind.split(":", 1)[1], "rb").read()
        return (b"HTTP/1.0 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n"
                % len(body)) + body
    return open(kind, "rb").read()


def main():
    path, log, answer = sys.argv[1], sys.argv[2], answer_of(sys.argv[3])
    listener = socket.socket(socket.AF_UNIX)
    if os.path.exists(path):
        os.unlink(path)
    listener.bind(path)
    listener.listen()
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        request = b""
        while b"\r\n\r\n" not in request:
            piece = connection.recv(65536)
            if not piece:
                break
            request += piece
        with open(log, "ab") as out:
            out.write(request)
        if answer is None:
            time.sleep(1000)
        try:
            connection.sendall(answer)
        except OSError:  # who asks may have gone
            pass
        connection.close()


main()

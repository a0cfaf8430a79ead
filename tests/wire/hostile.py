"""A core that greets well and then does one thing wrong, named by its first argument.

The second argument, if any, is a file that gets the numbers of its processes. It is also how a test
finds what is left of them.
"""
import json
import os
import sys
import time

MODE = sys.argv[1]
PIDS = sys.argv[2] if len(sys.argv) > 2 else None


def say(line):
    os.write(1, line if isinstance(line, bytes) else (json.dumps(line) + "\n").encode())


def result(request, **changes):
    answer = {"type": "result", "id": request["id"], "writes": [], "events": [], "next": None}
    answer.update(changes)
    return answer


def note(*pids):
    if PIDS:
        with open(PIDS, "a") as file:
            file.write("".join(f"{pid}\n" for pid in pids))


def stay(seconds=3600):
    time.sleep(seconds)


def grandchild():
    child = os.fork()
    if child == 0:
        stay()
    return child


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def answer(request):
    if MODE == "garbage":
        say(b"garbage\n")
    elif MODE == "wrong-id":
        say(result(request, id=request["id"] + 1))
    elif MODE == "half-line":
        say(b'{"type":"result",')
        stay()
    elif MODE == "long-line":
        write_all(1, b'{"type":"' + b"x" * (65 << 20) + b'"}\n')
    elif MODE == "ignores-input":
        stay()
    elif MODE == "grandchild":
        note(os.getpid(), grandchild())
        os._exit(0)
    elif MODE == "hangs-with-grandchild":
        note(os.getpid(), grandchild())
        stay()
    elif MODE == "loud":
        for _ in range(1 << 10):
            write_all(2, b"a line of the log\n" * (1 << 16))
        os._exit(4)
    elif MODE == "late":
        stay(3)
        say(result(request))
    elif MODE == "unknown-name":
        say(result(request, writes=[{"name": "AgentNotes", "value": "1"}]))
    elif MODE == "deletes-unloaded":
        writes = [{"name": "AgentMessageChunks", "key": "99", "delete": True}]
        say(result(request, writes=writes))
    elif MODE == "number-as-string":
        say(result(request, id=str(request["id"])))
    elif MODE == "not-utf8":
        say(b'{"type":"\xff\xfe"}\n')
    elif MODE == "closes-output":
        os.close(1)
        stay()
    elif MODE == "dies":
        sys.stderr.write("Traceback: it broke\n")
        os._exit(5)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            if MODE == "exits-at-hello":
                sys.stderr.write("cannot find its settings\n")
                sys.exit(9)
            if MODE == "silent-at-hello":
                stay()
            say({"type": "hello", "protocol": 1, "core": "hostile 1", "compaction": True})
        elif request["type"] == "open":
            line = (json.dumps({"type": "opened", "session": request["session"]}) + "\n").encode()
            say(line + line if MODE == "twice" else line)
        else:
            answer(request)


main()

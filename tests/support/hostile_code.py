"""Functions that try to leave the sandbox of models' code, and how each of them ends.

Each is the body of a function of `at`, the places and numbers that the test gives it. A body that
goes on after what it tried returns what it got.
"""

from __future__ import annotations

import platform
from typing import Final

PRELUDE: Final = """
import ctypes, os, platform, re, socket, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = libc.syscall.restype = ctypes.c_long
X86 = platform.machine() == "x86_64"
NUMBERS = {
    "clone3": 435, "openat2": 437, "pidfd_open": 434, "pidfd_send_signal": 424,
    "io_uring_setup": 425, "landlock_create_ruleset": 444, "fchmodat2": 452,
    "fork": 57 if X86 else 220, "vfork": 58 if X86 else 220, "clone": 56 if X86 else 220,
    "keyctl": 250 if X86 else 219, "bpf": 321 if X86 else 280, "tkill": 200 if X86 else 130,
    "perf_event_open": 298 if X86 else 241, "userfaultfd": 323 if X86 else 282,
    "kexec_load": 246 if X86 else 104, "init_module": 175 if X86 else 105,
    "seccomp": 317 if X86 else 277, "rt_sigqueueinfo": 129 if X86 else 138,
    "execveat": 322 if X86 else 281, "name_to_handle_at": 303 if X86 else 264,
    "pivot_root": 155 if X86 else 41, "chroot": 161 if X86 else 51,
}

def must(result):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return [result]

def call(name, *arguments):
    return must(libc.syscall(NUMBERS[name], *(ctypes.c_long(a) if isinstance(a, int) else a
                                               for a in arguments)))

def streams():
    found = []
    for number in range(64):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    return found

def number_of_request():
    frame = sys._getframe()
    while frame.f_code.co_name != "work":
        frame = frame.f_back
    return frame.f_locals["number"]

def answer(text):
    tell(f"{number_of_request()} {text}\\n")

def tell(text):
    for number in streams()[3:]:
        try:
            os.write(number, text.encode())
            return
        except OSError:
            pass
"""
_NO: Final = "PermissionError: "
_EPERM: Final = f"{_NO}[Errno 1]"
_EACCES: Final = f"{_NO}[Errno 13]"
_ENOSYS: Final = "OSError: [Errno 38]"
_SURPLUS: Final = "it wrote to the stream of its process's answers"

READS: Final = {
    "a file": ("open(at['secret']).read()", _EACCES),
    "a file by ctypes": ("must(libc.open(at['secret'].encode(), 0))", _EACCES),
    "a file by a link": ("os.symlink(at['secret'], 'link')", _EPERM),
    "a file by openat2": ("call('openat2', -100, at['secret'].encode(), 0, 24)", _ENOSYS),
    "a file by its handle": ("call('name_to_handle_at', -100, b'/', 0, 0, 0)", _EPERM),
    "a folder": ("os.listdir(at['outside'])", _EACCES),
    "passwd": ("open('/etc/passwd').read()", _EACCES),
    "environment of the checker": ("open(f\"/proc/{at['parent']}/environ\").read()", _EACCES),
    "memory of the checker": ("open(f\"/proc/{at['parent']}/mem\", 'rb').read(1)", _EACCES),
    "its own memory by name": ("open('/proc/self/mem', 'rb+').read(1)", _EACCES),
    "memory of the machine": ("must(libc.open(b'/dev/mem', 2))", "Error: [Errno "),
    "a terminal": ("must(libc.open(b'/dev/tty', 2))", _EACCES),
    "process_vm_readv": ("must(libc.process_vm_readv(at['parent'], None, 0, None, 0, 0))", _EPERM),
    "ptrace": ("must(libc.ptrace(16, at['parent'], None, None))", _EPERM),
    "pidfd": ("call('pidfd_open', at['parent'], 0)", _ENOSYS),
    "keys": ("call('keyctl', 0, -3, 0)", _EPERM),
}
WRITES: Final = {
    "a file": ("open(at['new'], 'w')", _EACCES),
    "a file by ctypes": ("must(libc.open(at['new'].encode(), 0o101, 0o600))", _EACCES),
    "a file by creat": ("must(libc.creat(at['new'].encode(), 0o600))", _NO),
    "a file that exists": ("open(at['secret'], 'a')", _EACCES),
    "a file of Python": ("open(os.__file__, 'a')", _EACCES),
    "an unnamed file": ("must(libc.open(b'.', 0o20200002, 0o600))", _EPERM),
    "a folder": ("must(libc.mkdir(b'folder', 0o700))", _EPERM),
    "a pipe with a name": ("must(libc.mkfifo(b'pipe', 0o600))", _EPERM),
    "another place": ("must(libc.rename(at['secret'].encode(), b'here'))", _EPERM),
    "another name": ("must(libc.link(at['secret'].encode(), b'here'))", _EPERM),
    "no file any more": ("must(libc.unlink(at['secret'].encode()))", _EPERM),
    "nothing left in a file": ("must(libc.truncate(at['secret'].encode(), 0))", _EPERM),
    "rights": ("must(libc.chmod(at['secret'].encode(), 0))", _EPERM),
    "rights by fchmodat2": ("call('fchmodat2', -100, at['secret'].encode(), 0, 0)", _ENOSYS),
    "the owner": ("must(libc.chown(at['secret'].encode(), 1, 1))", _EPERM),
    "times": ("must(libc.utimes(at['secret'].encode(), None))", _EPERM),
    "an attribute": ("must(libc.setxattr(at['secret'].encode(), b'user.a', b'', 0, 0))", _EPERM),
    "shared memory": ("must(libc.open(b'/dev/shm/pddl-pipeline-test', 0o102, 0o600))", _EACCES),
    "shared memory of System V": ("must(libc.shmget(0, 4096, 0o1600))", _EPERM),
    "a file in memory": ("must(libc.memfd_create(b'x', 0))", _EPERM),
    "process_vm_writev": (
        "must(libc.process_vm_writev(at['parent'], None, 0, None, 0, 0))",
        _EPERM,
    ),
}
STARTS: Final = {
    "fork": ("must(libc.fork())", _EPERM),
    "fork in Python": ("os.fork()", f"{_NO}os.fork is not allowed here"),
    "fork, raw": ("call('fork')", _EPERM),
    "vfork, raw": ("call('vfork')", _EPERM),
    "clone, raw": ("call('clone', 17, 0, 0, 0, 0)", _EPERM),
    "clone of a thread in a namespace": ("call('clone', 0x10010900, 0, 0, 0, 0)", _EPERM),
    "clone3": ("call('clone3', (ctypes.c_uint64 * 8)(), 64)", _ENOSYS),
    "execve": ("must(libc.execve(b'/bin/true', None, None))", _EPERM),
    "execveat": ("call('execveat', -100, b'/bin/true', 0, 0, 0)", _EPERM),
    "posix_spawn": (
        ("raise OSError(libc.posix_spawn(ctypes.byref(ctypes.c_int()), b'/bin/true', None, None, "
        "(ctypes.c_char_p * 2)(b'true', None), None), '')"), _EPERM,
    ),
    "system": ("raise OSError(1, '') if libc.system(b'true') else OSError(0, '')", "[Errno 1]"),
    "subprocess": ("subprocess.run(['true'])", f"{_NO}subprocess.Popen is not allowed here"),
    "multiprocessing": (
        "__import__('multiprocessing').get_context('fork').Process(target=print).start()", _NO,
    ),
    "a daemon": ("must(libc.daemon(1, 1))", _EPERM),
    "a session": ("must(libc.setsid())", _EPERM),
    "a group of processes": ("must(libc.setpgid(0, 0))", _EPERM),
}  # fmt: skip
SENDS: Final = {
    **{
        f"socket {family}, {kind}": (f"must(libc.socket({number}, {kind}, 0))", _EPERM)
        for family, number, kind in (
            ("AF_UNIX", 1, 1), ("AF_UNIX", 1, 2), ("AF_INET", 2, 1), ("AF_INET", 2, 2),
            ("AF_INET", 2, 3), ("AF_INET6", 10, 1), ("AF_INET6", 10, 2), ("AF_NETLINK", 16, 3),
            ("AF_PACKET", 17, 3), ("AF_ALG", 38, 5), ("AF_VSOCK", 40, 1),
        )
    },
    "socketpair": ("must(libc.socketpair(1, 1, 0, (ctypes.c_int * 2)()))", _EPERM),
    "a connection": ("socket.create_connection(('127.0.0.1', at['port']))", f"{_NO}socket."),
    "a name on the network": (
        "socket.getaddrinfo('localhost', 80)", f"{_NO}socket.getaddrinfo is not allowed here",
    ),
    "a name by ctypes": (
        ("raise OSError(-libc.getaddrinfo(b'example.org', None, None, "
        "ctypes.byref(ctypes.c_void_p())), 'no address')"), "no address",
    ),
    "connect": ("must(libc.connect(3, bytes(16), 16))", _EPERM),
    "io_uring": ("call('io_uring_setup', 8, bytes(120))", _ENOSYS),
    "a signal": ("must(libc.kill(at['parent'], 10))", _EPERM),
    "a signal in Python": ("os.kill(at['parent'], 10)", f"{_NO}os.kill is not allowed here"),
    "a signal to all": ("must(libc.kill(-1, 10))", _EPERM),
    "a signal to its group": ("must(libc.kill(0, 10))", _EPERM),
    "a signal to a thread": ("call('tkill', at['parent'], 10)", _EPERM),
    "a signal with a value": ("call('rt_sigqueueinfo', at['parent'], 10, bytes(128))", _EPERM),
    "a signal by a pidfd": ("call('pidfd_send_signal', 0, 10, 0, 0)", _ENOSYS),
    "a signal by an event": ("must(libc.fcntl(0, 8, at['parent']))", _EPERM),
    "a letter in a terminal": ("must(libc.ioctl(0, 0x5412, b'x'))", _EPERM),
    "a message queue": ("must(libc.msgget(0, 0o1600))", _EPERM),
}  # fmt: skip
GAINS: Final = {
    "no signal at the end of the parent": ("must(libc.prctl(1, 0, 0, 0, 0))", _EPERM),
    "another filter": ("call('seccomp', 0, 0, 0)", _EPERM),
    "another ruleset": ("call('landlock_create_ruleset', 0, 0, 1)", _ENOSYS),
    "a namespace": ("must(libc.unshare(0x10000000))", _EPERM),
    "the namespace of another": ("must(libc.setns(0, 0))", _EPERM),
    "a mount": ("must(libc.mount(b'none', b'.', b'tmpfs', 0, None))", _EPERM),
    "another root": ("call('chroot', b'.')", _EPERM),
    "another root by pivot_root": ("call('pivot_root', b'.', b'.')", _EPERM),
    "another user": ("must(libc.setuid(0))", _EPERM),
    "another user by setresuid": ("must(libc.setresuid(1, 1, 1))", _EPERM),
    "capabilities": ("must(libc.capset(bytes(8), bytes(24)))", _EPERM),
    "more memory": (
        "__import__('resource').setrlimit(9, (-1, -1))", "not allowed to raise maximum limit",
    ),
    "more memory by ctypes": ("must(libc.setrlimit(9, (ctypes.c_long * 2)(-1, -1)))", _EPERM),
    "other limits for others": (
        "must(libc.prlimit(at['parent'], 7, (ctypes.c_long * 2)(), None))", _EPERM,
    ),
    "priority": ("must(libc.nice(-5))", _EPERM),
    "another core": ("must(libc.sched_setaffinity(0, 8, bytes([255] * 8)))", _EPERM),
    "bpf": ("call('bpf', 0, 0, 0)", _EPERM),
    "perf": ("call('perf_event_open', 0, 0, 0, 0, 0)", _EPERM),
    "userfaultfd": ("call('userfaultfd', 0)", _EPERM),
    "a kernel": ("call('kexec_load', 0, 0, 0, 0)", _EPERM),
    "a module": ("call('init_module', 0, 0, 0)", _EPERM),
}  # fmt: skip
if platform.machine() == "x86_64":
    GAINS["system calls of x32"] = ("must(libc.syscall(0x40000000 + 39))", "signal 31")
REFUSED: Final = {
    f"{what}: {name}": case
    for what, cases in (
        ("reads", READS), ("writes", WRITES), ("starts", STARTS), ("sends", SENDS),
        ("gains", GAINS),
    )
    for name, case in cases.items()
}  # fmt: skip
"""Attempts that the kernel refuses: an expression, and the beginning of the fault."""

BOMBS: Final = {
    "memory": ("x = bytearray(2**40)", "MemoryError"),
    "memory in C": (
        "must(libc.mmap(None, ctypes.c_long(2**31), 3, 0x22, -1, ctypes.c_long(0)))",
        "OSError: [Errno 12]",
    ),
    "a file": (
        "f = open('big', 'wb')\n    while True: f.write(bytes(2**20))",
        "OSError: [Errno 27] File too large",
    ),
    "files": (
        ("for i in range(10**6):\n"
        "        open(f'big{i}', 'wb').write(bytes(2**23))"), "it wrote more than 64 MiB",
    ),
    "empty files": (
        "for i in range(10**6): open(f'empty{i}', 'w').close()",
        "it created more than 1000 files",
    ),
    "open files": (
        "x = [open(os.__file__) for _ in range(10**6)]", "OSError: [Errno 24] Too many open files",
    ),
    "threads": (
        ("threading.stack_size(2**16)\n"
        "    while True:\n"
        "        try: threading.Thread(target=time.sleep, args=(99,)).start()\n"
        "        except RuntimeError: time.sleep(1)"),  # memory may end before the count
        "it started more than 64 threads",
    ),
    "recursion": ("return succ(at)", "RecursionError: maximum recursion depth exceeded"),
    "recursion in C": (
        ("sys.setrecursionlimit(10**9)\n    x, y = [], []\n"
        "    for _ in range(10**5): x, y = [x], [y]\n"
        "    return [x == y]"), "its process ended with signal 11",
    ),
    "nesting": (
        ("sys.setrecursionlimit(10**5)\n    x = []\n    for _ in range(10**4): x = [x]\n"
        "    return x"), "",
    ),
    "a large result": ("return ['x' * 2**25]", "its result takes more than 16 MiB"),
    "the end of the process": ("os._exit(0)", "its process ended with exit status 0"),
    "the end of the interpreter": ("sys.exit(0)", "SystemExit: 0"),
    "a signal to itself": (
        "must(libc.kill(os.getpid(), 9))\n    time.sleep(1)", "its process ended with signal 9",
    ),
    "no memory at address 0": ("ctypes.string_at(0)", "its process ended with signal 11"),
}  # fmt: skip
"""Attempts that end at a limit: a body, and the beginning of the fault."""

ENDLESS: Final = {
    "a power": "return [3 ** (10 ** 9)]",
    "a regular expression": "return [bool(re.match('(a+)+$', 'a' * 40 + 'b'))]",
    "a sort": "return sorted([0] * 10**8 + list(range(10**7, 0, -1)))",
    "sleep in C": "libc.sleep(99)",
    "a stopped process": "libc.kill(os.getpid(), 19)",
    "a list without an end": "while True: yield 0",
    "caught exceptions": (
        "while True:\n        try:\n            while True: pass\n        except: pass"
    ),
    "an ignored signal": (
        "__import__('signal').signal(15, __import__('signal').SIG_IGN)\n    while True: pass"
    ),
    "closed streams": "for n in streams(): os.close(n)\n    time.sleep(99)",
}
"""Attempts that do not end: bodies."""

FORGERIES: Final = {
    "an answer without a number": ("tell('{\"result\": []}\\n')", _SURPLUS),
    "an answer with a wrong number": ("tell('0123456789abcdef {\"result\": []}\\n')", _SURPLUS),
    "the first line again": ("tell('ready\\n')", _SURPLUS),
    "an endless line": ("tell('x' * 2**25)", "its result takes more than 16 MiB"),
    "half a line, and the end": (
        "tell('x')\n    os._exit(0)", "its process ended with exit status 0",
    ),
    "two answers": ("answer('{\"dict\": [[\"result\", []]]}')\n    return []", _SURPLUS),
    "a fault in two lines": (
        ("answer('{\"dict\": [[\"error\", {\"dict\": [[\"kind\", \"a\\\\nb\"], '\n"
        "           '[\"message\", \"\\\\u001b[2J\"], [\"trace\", \"\"]]}]]}')\n    os._exit(0)"),
        r"a\nb: \x1b[2J",
    ),
    "a number that takes all memory": (
        "answer('{\"dict\": [[\"result\", {\"fraction\": [\"1e999999999\"]}]]}')\n    os._exit(0)",
        "its process has given no answer that can be read",
    ),
    "an answer of another kind": (
        "answer('{\"dict\": [[\"done\", true]]}')\n    os._exit(0)",
        "its process has given no answer that can be read",
    ),
    "nothing but noise": ("tell('\\x00\\xff\\n' * 1000)", _SURPLUS),
}  # fmt: skip
"""Attempts to speak for the worker: a body, and the beginning of the fault."""


def code_of(bodies: dict[str, str]) -> str:
    """Return code whose function `succ` does what its first argument names."""
    lines = [PRELUDE]
    for number, body in enumerate(bodies.values()):
        lines.append(f"def attempt_{number}(at):\n    {body}\n    return ['went on']\n")
    table = ", ".join(f"{name!r}: attempt_{number}" for number, name in enumerate(bodies))
    lines.append(f"ATTEMPTS = {{{table}}}\n")
    lines.append("def succ(at):\n    return ATTEMPTS[at['attempt']](at)\n")
    lines.append("def isgoal(at):\n    return False\n")
    return "\n".join(lines)

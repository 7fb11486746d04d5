"""The system calls that a sandboxed process may make, and their numbers.

Numbers: ``arch/x86/entry/syscalls/syscall_64.tbl`` and ``include/uapi/asm-generic/unistd.h`` of the
kernel. They never change. A call that an architecture lacks has no number there.

The list is what Python, NumPy, files that are open and threads need. All other calls are refused:
those that start or inspect processes, send signals, open sockets, change the owner, mode, times,
name or place of files, remove them, lock them, mount, load, trace, change limits, users, namespaces
or the clock, share memory, or wait for events of other kinds.
"""

from __future__ import annotations

from typing import Final

_X86_64: Final = """
read 0 write 1 close 3 fstat 5 lseek 8 mmap 9 munmap 11 mprotect 10 brk 12 futex 202
rt_sigaction 13 rt_sigprocmask 14 rt_sigreturn 15 rt_sigpending 127 rt_sigsuspend 130
rt_sigtimedwait 128 sigaltstack 131 pread64 17 pwrite64 18 readv 19 writev 20 access 21
madvise 28 mremap 25 dup 32 dup2 33 dup3 292 stat 4 lstat 6 newfstatat 262 statx 332
faccessat 269 faccessat2 439 readlink 89 readlinkat 267 getdents64 217 getcwd 79 ftruncate 77
fsync 74 fdatasync 75 poll 7 ppoll 271 select 23 pselect6 270 sched_yield 24
sched_getaffinity 204 getcpu 309 nanosleep 35 clock_nanosleep 230 clock_gettime 228
clock_getres 229 gettimeofday 96 time 201 times 100 getitimer 36 setitimer 38 alarm 37 pause 34
restart_syscall 219 getpid 39 getppid 110 gettid 186 getuid 102 geteuid 107 getgid 104
getegid 108 getpgrp 111 uname 63 sysinfo 99 getrusage 98 getrlimit 97 getrandom 318
set_robust_list 273 set_tid_address 218 rseq 334 membarrier 324 exit 60 exit_group 231
close_range 436 open 2 openat 257 fcntl 72 ioctl 16 prctl 157 prlimit64 302 clone 56 kill 62
tgkill 234
"""
_AARCH64: Final = """
read 63 write 64 close 57 fstat 80 lseek 62 mmap 222 munmap 215 mprotect 226 brk 214 futex 98
rt_sigaction 134 rt_sigprocmask 135 rt_sigreturn 139 rt_sigpending 136 rt_sigsuspend 133
rt_sigtimedwait 137 sigaltstack 132 pread64 67 pwrite64 68 readv 65 writev 66 madvise 233
mremap 216 dup 23 dup3 24 newfstatat 79 statx 291 faccessat 48 faccessat2 439 readlinkat 78
getdents64 61 getcwd 17 ftruncate 46 fsync 82 fdatasync 83 ppoll 73 pselect6 72 sched_yield 124
sched_getaffinity 123 getcpu 168 nanosleep 101 clock_nanosleep 115 clock_gettime 113
clock_getres 114 gettimeofday 169 times 153 getitimer 102 setitimer 103 restart_syscall 128
getpid 172 getppid 173 gettid 178 getuid 174 geteuid 175 getgid 176 getegid 177 uname 160
sysinfo 179 getrusage 165 getrlimit 163 getrandom 278 set_robust_list 99 set_tid_address 96
rseq 293 membarrier 283 exit 93 exit_group 94 close_range 436 openat 56 fcntl 25 ioctl 29
prctl 167 prlimit64 261 clone 220 kill 129 tgkill 131
"""


def _numbers(text: str) -> dict[str, int]:
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


NUMBERS: Final = {"x86_64": _numbers(_X86_64), "aarch64": _numbers(_AARCH64)}
"""Numbers of the allowed system calls, by architecture and name."""
INSTALL: Final = {"x86_64": 317, "aarch64": 277}
"""Number of ``seccomp(2)``, by architecture."""
FIRST_RECENT: Final = 424
"""From this number on, all architectures have the same numbers. Calls from here on, such as
``clone3`` and ``openat2``, are so new that libraries fall back to older ones without them."""

"""Run the project as on a platform that is not Linux: ``python other_platform.py FOLDER``.

What only Unix has is hidden after the libraries were imported, since they chose their own ways on
this platform. Every module of the project is then imported, and the commands that should work
everywhere run in FOLDER, which looks like a checkout. Prints what went wrong, else nothing.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import select
import signal
import sys
from pathlib import Path
from types import ModuleType

import filelock
from filelock import SoftFileLock

import pddl_pipeline

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
ATTRIBUTES: dict[ModuleType, str] = {
    os: "fork forkpty getegid geteuid getgid getloadavg getpgid getpgrp getuid killpg mkfifo nice"
    " pidfd_open register_at_fork sched_getaffinity setsid statvfs sysconf uname wait3 wait4 waitid"
    " O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK O_PATH P_PID WEXITED WNOHANG WNOWAIT",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGUSR1 SIGXCPU"
    " SIG_BLOCK SIG_SETMASK SIG_UNBLOCK pthread_sigmask setitimer sigtimedwait sigwait",
    select: "epoll poll",
}
# They import many libraries that run on Linux or not as they please.
LEFT_OUT = "pddl_pipeline.integrations."
TASK = [f"pddl_domains/ferry/{name}" for name in ("domain.pddl", "p01.pddl", "p01.plan")]
COMMANDS = {
    "validate": [*TASK],
    "translate": ["examples/ferry.jsonl", "-o", "pddl"],
    "generate": ["countdown", "--size", "4", "--count", "2", "-o", "new.jsonl"],
    "prompt": ["examples/ferry.jsonl", "-o", "prompts.jsonl"],
    "score": ["examples/ferry.jsonl", "answers.jsonl", "-j", "2", "-o", "scored.jsonl"],
    "show": [*TASK, "-o", "plan.html"],
}
STATUSES = {"score": 1}
REFUSED = ["solve", *TASK[:2]]


def names_of_modules() -> list[str]:
    """Return the modules that must be importable everywhere."""
    walked = pkgutil.walk_packages(pddl_pipeline.__path__, "pddl_pipeline.")
    names = [module.name for module in walked]
    return [each for each in names if not each.startswith(LEFT_OUT) and "__main__" not in each]


def hide() -> None:
    """Forget the project's modules, and hide what Windows lacks."""
    for name in [each for each in sys.modules if each.split(".")[0] == "pddl_pipeline"]:
        del sys.modules[name]
    sys.modules.update(dict.fromkeys(MODULES))
    for module, attributes in ATTRIBUTES.items():
        for attribute in attributes.split():
            if hasattr(module, attribute):
                delattr(module, attribute)
    sys.platform = "win32"
    filelock.FileLock = SoftFileLock  # which needs nothing of the platform


def status_of(arguments: list[str]) -> object:
    """Return the exit status of a command that runs in this process."""
    sys.argv = ["pddl-pipeline", *arguments]
    try:
        importlib.import_module("pddl_pipeline.cli.main").main()
    except SystemExit as error:
        return error.code or 0
    return 0


def run(folder: Path) -> None:
    """Import all modules and run all commands; write what goes wrong."""
    names = names_of_modules()
    for name in names:
        importlib.import_module(name)
    hide()
    for name in names:
        try:
            importlib.import_module(name)
        except (ImportError, AttributeError) as error:
            sys.stdout.write(f"{name}: {error}\n")
    os.chdir(folder)
    Path("answers.jsonl").write_text('{"id": "ferry-4-0", "answer": "(sail l1 l0)"}\n')
    for command, arguments in COMMANDS.items():
        status = status_of([command, *arguments])
        if status != STATUSES.get(command, 0):
            sys.stdout.write(f"{command}: exit status {status}\n")
    if status_of(REFUSED) == 0:
        sys.stdout.write("solve did not notice that this is not Linux\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]))

"""Isolate a process that runs untrusted players: limited memory, no writing of files, no network, no other processes.

A seccomp filter refuses system calls by number and arguments, for all threads of the process, until it ends. It needs Linux,
but no privileges. Capabilities are dropped, so the limits apply to the superuser too.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys

# System calls by name: numbers on x86-64 and on aarch64; None where there is none.
_FILES = {
    "chmod": (90, None), "chown": (92, None), "creat": (85, None), "fchmod": (91, 52), "fchmodat": (268, 53),
    "fchown": (93, 55), "fchownat": (260, 54), "fremovexattr": (199, 16), "fsetxattr": (190, 7),
    "futimesat": (261, None), "lchown": (94, None), "link": (86, None), "linkat": (265, 37),
    "lremovexattr": (198, 15), "lsetxattr": (189, 6), "memfd_create": (319, 279), "memfd_secret": (447, 447),
    "mkdir": (83, None), "mkdirat": (258, 34), "mknod": (133, None), "mknodat": (259, 33), "mq_open": (240, 180),
    "mq_unlink": (241, 181), "msgget": (68, 186), "removexattr": (197, 14), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "rmdir": (84, None), "semget": (64, 190), "setxattr": (188, 5),
    "shmget": (29, 194), "symlink": (88, None), "symlinkat": (266, 36), "truncate": (76, 45), "unlink": (87, None),
    "unlinkat": (263, 35), "utime": (132, None), "utimensat": (280, 88), "utimes": (235, None),
}  # fmt: skip
_PROCESSES = {
    "bpf": (321, 280), "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "io_uring_setup": (425, 425),
    "kill": (62, 129), "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "process_vm_writev": (311, 271), "ptrace": (101, 117), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "sched_setparam": (142, 118), "sched_setscheduler": (144, 119), "setns": (308, 268), "setpriority": (141, 140),
    "shmat": (30, 196), "tkill": (200, 130), "unshare": (272, 97), "userfaultfd": (323, 282), "vfork": (58, None),
}  # fmt: skip
_NETWORK = {"socket": (41, 198)}
_UNKNOWN = {"clone3": (435, 435), "openat2": (437, 437)}  # libraries fall back to calls whose arguments a filter sees
_NEWEST = 450  # later calls are unknown here
_REFUSED = ((_FILES, errno.EACCES), (_PROCESSES, errno.EPERM), (_NETWORK, errno.ENETDOWN), (_UNKNOWN, errno.ENOSYS))

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LOAD, _IF_EQUAL, _IF_ABOVE, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_MACHINES = {"x86_64": (0, 0xC000003E, 317), "aarch64": (1, 0xC00000B7, 277)}  # column, audit number, seccomp(2)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CLONE_THREAD, _TIOCSTI, _SETOWN = 0x10000, 0x5412, 8  # F_SETOWN and F_SETOWN_EX, which let a file send signals


def isolate(memory: int) -> None:
    """Isolate this process from now on; it may map *memory* bytes more than it has. ValueError where the system can't."""
    if sys.platform != "linux" or platform.machine() not in _MACHINES:
        raise ValueError(f"players can be isolated on Linux (x86-64, aarch64) only, not on {platform.platform()}")
    import resource

    with open("/proc/self/statm") as file:
        limit = int(file.read().split()[0]) * resource.getpagesize() + memory
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    libc = ctypes.CDLL(None, use_errno=True)
    column, audit, seccomp = _MACHINES[platform.machine()]
    program = b"".join(_filter(column, audit))
    code = ctypes.create_string_buffer(program)
    described = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(code))
    failed = (
        libc.capset(struct.pack("Ii", 0x20080522, 0), bytes(24))
        or libc.prctl(38, 1, 0, 0, 0)  # no new privileges
        or libc.syscall(seccomp, 1, 1, described)  # set a filter, for all threads
    )
    if failed:
        raise ValueError(f"players can't be isolated here: seccomp: {os.strerror(ctypes.get_errno())}")


def _filter(column: int, audit: int) -> list[bytes]:
    """The instructions of the filter."""
    numbers = [(calls[name][column], error) for calls, error in _REFUSED for name in calls]
    refused = [(number, error) for number, error in numbers if number is not None]
    # Number, argument, test of its lower half, its operand, answer if it holds, answer otherwise.
    conditions = [
        ((257, 56)[column], 2, _IF_ANY_BIT, _WRITING, errno.EACCES, 0),  # openat
        ((56, 220)[column], 0, _IF_ANY_BIT, _CLONE_THREAD, 0, errno.EPERM),  # clone
        ((234, 131)[column], 0, _IF_EQUAL, os.getpid(), 0, errno.EPERM),  # tgkill
        ((302, 261)[column], 0, _IF_EQUAL, 0, 0, errno.EPERM),  # prlimit64
        ((16, 29)[column], 1, _IF_EQUAL, _TIOCSTI, errno.EPERM, 0),  # ioctl
        ((72, 25)[column], 1, _IF_ANY_BIT, _SETOWN, errno.EPERM, 0),  # fcntl
    ]
    if column == 0:
        conditions.append((2, 1, _IF_ANY_BIT, _WRITING, errno.EACCES, 0))  # open
    lines = [(_LOAD, 0, 0, 4), (_IF_EQUAL, 1, 0, audit), _answer(errno.EPERM), (_LOAD, 0, 0, 0)]
    lines += [(_IF_ABOVE, 0, 1, _NEWEST), _answer(errno.ENOSYS)]
    for number, error in refused:
        lines += [(_IF_EQUAL, 0, 1, number), _answer(error)]
    for number, argument, test, operand, holds, otherwise in conditions:
        lines += [(_IF_EQUAL, 0, 4, number), (_LOAD, 0, 0, 16 + 8 * argument), (test, 0, 1, operand)]
        lines += [_answer(holds), _answer(otherwise)]
    return [struct.pack("HBBI", *line) for line in (*lines, _answer(0))]


def _answer(error: int) -> tuple[int, int, int, int]:
    """The instruction that refuses a call with *error*, or with 0 allows it."""
    return (_RETURN, 0, 0, _ERRNO | error if error else _ALLOW)

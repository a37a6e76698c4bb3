"""Tells of each process that writes into files of folders: a line of JSON with its process id, the path, and when the file was written
last (milliseconds, of the file system). fanotify(7), as inotify does not say who. Needs root.

usage: writes.py FOLDER..., or without any to find out whether it may
"""

import ctypes
import json
import os
import struct
import sys

FAN_MARK_ADD = 0x1
FAN_MODIFY = 0x2
FAN_EVENT_ON_CHILD = 0x08000000
AT_FDCWD = -100
EVENT = "=IBBHQii"  # fanotify_event_metadata

libc = ctypes.CDLL(None, use_errno=True)
libc.fanotify_mark.argtypes = [ctypes.c_int, ctypes.c_uint, ctypes.c_uint64, ctypes.c_int, ctypes.c_char_p]


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


group = checked(libc.fanotify_init(0, os.O_RDONLY))
for folder in sys.argv[1:]:
    checked(libc.fanotify_mark(group, FAN_MARK_ADD, FAN_MODIFY | FAN_EVENT_ON_CHILD, AT_FDCWD, os.fsencode(folder)))
print(json.dumps("ready"), flush=True)
while len(sys.argv) > 1:
    events = os.read(group, 65536)
    at = 0
    while at < len(events):
        length, _, _, _, _, file, pid = struct.unpack_from(EVENT, events, at)
        if file >= 0:
            path = os.readlink(f"/proc/self/fd/{file}")
            print(json.dumps({"pid": pid, "path": path, "atMs": os.fstat(file).st_mtime_ns / 1e6}), flush=True)
            os.close(file)
        at += length

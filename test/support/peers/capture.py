"""Packets that leave by an interface, a line of JSON for each; "ready" first. Ends with its standard input or by a signal.

Usage: capture.py INTERFACE
"""

import json
import os
import socket
import struct
import sys
import threading

ALL = 0x0003
OUTGOING = 4
NAMES = {1: "icmp", 6: "tcp", 17: "udp"}


def described(frame):
    (kind,) = struct.unpack("!H", frame[12:14])
    if kind == 0x0806:
        return {"kind": "arp", "to": socket.inet_ntoa(frame[38:42])}
    if kind != 0x0800:
        return {"kind": hex(kind), "to": ""}
    head = 14 + (frame[14] & 15) * 4
    protocol = NAMES.get(frame[23], str(frame[23]))
    port = struct.unpack("!H", frame[head + 2 : head + 4])[0] if protocol in ("tcp", "udp") else 0
    return {"kind": protocol, "to": f"{socket.inet_ntoa(frame[30:34])}:{port}"}


def end_with_input():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end_with_input, daemon=True).start()
capture = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
capture.bind((sys.argv[1], 0))
print(json.dumps("ready"), flush=True)
while True:
    frame, (_, _, direction, _, _) = capture.recvfrom(65535)
    if direction == OUTGOING:
        print(json.dumps(described(frame)), flush=True)

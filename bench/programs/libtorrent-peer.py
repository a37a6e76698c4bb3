"""A libtorrent session driven by JSON lines: a program to compare with, or the other end of every transfer.

Commands on standard input, reports on standard output, one JSON object a line; times are milliseconds of
CLOCK_MONOTONIC, which all processes of the bench share. Ends when standard input ends.
"""

import json
import queue
import sys
import threading
import time

import libtorrent as lt

POLL_S = 0.005


def report(event, **fields):
    print(json.dumps({"event": event, "t": time.monotonic() * 1000, **fields}), flush=True)


def read_commands(commands):
    for line in sys.stdin:
        commands.put(json.loads(line))
    commands.put({"do": "quit"})


def open_session(settings):
    categories = lt.alert.category_t
    return lt.session({
        **settings,
        "listen_interfaces": "127.0.0.1:0",
        "outgoing_interfaces": "127.0.0.1",
        "enable_dht": False,
        "enable_lsd": False,
        "enable_upnp": False,
        "enable_natpmp": False,
        "alert_mask": categories.status_notification
        | categories.storage_notification
        | categories.error_notification,
    })


def add(session, command):
    params = lt.add_torrent_params()
    params.ti = lt.torrent_info(command["torrent"])
    params.save_path = command["savePath"]
    params.storage_mode = lt.storage_mode_t.storage_mode_sparse
    flags = lt.torrent_flags
    params.flags = flags.update_subscribe
    if command["seedMode"]:
        params.flags |= flags.seed_mode
    params.max_connections = 1000
    return session.add_torrent(params)


class Watch:
    """Reports when the first payload byte has gone either way."""

    def __init__(self):
        self.handle = None
        self.moved = False

    def poll(self):
        if self.handle is None or self.moved:
            return
        status = self.handle.status()
        if status.total_payload_upload > 0 or status.total_payload_download > 0:
            self.moved = True
            report("first-byte")


def main():
    session = open_session(json.loads(sys.argv[1]))
    commands = queue.Queue()
    threading.Thread(target=read_commands, args=(commands,), daemon=True).start()
    while session.listen_port() == 0:
        time.sleep(POLL_S)
    report("ready", port=session.listen_port(), version=lt.version)
    watch = Watch()
    rechecking = False
    forgetting = False
    while True:
        session.wait_for_alert(int(POLL_S * 1000))
        for alert in session.pop_alerts():
            if isinstance(alert, lt.torrent_finished_alert):
                report("finished")
            elif isinstance(alert, lt.torrent_checked_alert) and rechecking:
                rechecking = False
                report("checked")
            elif isinstance(alert, lt.torrent_deleted_alert) and forgetting:
                forgetting = False
                report("forgotten")
            elif isinstance(alert, (lt.torrent_error_alert, lt.file_error_alert)):
                report("error", message=alert.message())
        watch.poll()
        while not commands.empty():
            command = commands.get()
            if command["do"] == "add":
                watch.handle = add(session, command)
                while watch.handle.status().state == lt.torrent_status.states.checking_resume_data:
                    time.sleep(POLL_S)
                report("added")
            elif command["do"] == "forget":
                session.remove_torrent(watch.handle, lt.session.delete_files)
                watch = Watch()
                forgetting = True
            elif command["do"] == "connect":
                watch.handle.connect_peer((command["host"], command["port"]))
            elif command["do"] == "recheck":
                session.pop_alerts()  # what is queued tells of the time before
                rechecking = True
                watch.handle.force_recheck()
            elif command["do"] == "quit":
                return


main()

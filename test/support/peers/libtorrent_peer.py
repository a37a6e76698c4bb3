"""One libtorrent session driven by JSON lines: requests on standard input, answers on standard output.

Each request is {"id": n, "op": ..., ...}; its answer {"id": n, "ok": {...}} or {"id": n, "error": "..."}.
Loopback only; DHT, LSD, UPnP, NAT-PMP and uTP are off, PEX unless it is asked for. Ends with its standard input.
"""

import base64
import json
import sys
import time

import libtorrent as lt

SETTINGS = {
    "listen_interfaces": "127.0.0.1:0",
    "outgoing_interfaces": "127.0.0.1",
    "enable_dht": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "enable_incoming_utp": False,
    "enable_outgoing_utp": False,
    "enable_ip_notifier": False,
    # All peers of a test share one address.
    "allow_multiple_connections_per_ip": True,
    "alert_mask": lt.alert.category_t.error_notification,
}

ENCRYPTION = {
    "plain": {
        "in_enc_policy": lt.enc_policy.pe_disabled,
        "out_enc_policy": lt.enc_policy.pe_disabled,
    },
    "required": {
        "in_enc_policy": lt.enc_policy.pe_forced,
        "out_enc_policy": lt.enc_policy.pe_forced,
        "allowed_enc_level": lt.enc_level.pe_rc4,
        "prefer_rc4": True,
    },
}


class Peer:
    def __init__(self):
        self.session = None
        self.handle = None
        self.pex = False
        self.upload_limit = 0

    def op_start(self, request):
        host = request.get("host", "127.0.0.1")
        listen = {"listen_interfaces": host + ":0", "outgoing_interfaces": host}
        self.session = lt.session({**SETTINGS, **listen, **ENCRYPTION.get(request.get("encryption"), {})})
        self.pex = request.get("pex", False)
        self.upload_limit = request.get("uploadBytesPerSec", 0)
        deadline = time.monotonic() + 10
        while self.session.listen_port() == 0:
            if time.monotonic() > deadline:
                raise RuntimeError("no listening port")
            time.sleep(0.01)
        return {"port": self.session.listen_port(), "version": lt.__version__}

    def op_add(self, request):
        if "magnet" in request:
            params = lt.parse_magnet_uri(request["magnet"])
        else:
            params = lt.add_torrent_params()
            params.ti = lt.torrent_info(lt.bdecode(base64.b64decode(request["torrent"])))
        params.save_path = request["directory"]
        params.flags &= ~(lt.torrent_flags.auto_managed | lt.torrent_flags.paused)
        if not self.pex:
            params.flags |= lt.torrent_flags.disable_pex
        self.handle = self.session.add_torrent(params)
        # Of the torrent: those of a session leave out peers on the same machine.
        if self.upload_limit:
            self.handle.set_upload_limit(self.upload_limit)
        return {}

    def op_connect(self, request):
        self.handle.connect_peer(("127.0.0.1", request["port"]))
        return {}

    def op_status(self, _request):
        status = self.handle.status()
        # `num_peers` counts those too whose handshake has not come yet, and may never come.
        unfinished = lt.peer_info.connecting | lt.peer_info.handshake
        encrypted = lt.peer_info.rc4_encrypted | lt.peer_info.plaintext_encrypted
        peers = [peer.flags for peer in self.handle.get_peer_info() if not peer.flags & unfinished]
        return {
            "state": str(status.state),
            "bytesDone": status.total_done,
            "totalBytes": status.total_wanted if status.has_metadata else 0,
            "isSeeding": status.is_seeding,
            "peers": len(peers),
            "encryptedPeers": sum(1 for flags in peers if flags & encrypted),
            "error": status.errc.message() if status.errc.value() else "",
        }

    def op_quit(self, _request):
        if self.handle is not None:
            self.session.remove_torrent(self.handle)
        # Destroying the session waits for the `stopped` announces.
        self.session = None
        return {}

    def answer(self, request):
        try:
            return {"id": request["id"], "ok": getattr(self, "op_" + request["op"])(request)}
        except Exception as error:  # the test is told, whatever it is
            return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}


def main():
    peer = Peer()
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(peer.answer(request)), flush=True)
        if request["op"] == "quit":
            break


main()

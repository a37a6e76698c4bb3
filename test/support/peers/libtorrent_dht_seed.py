"""A libtorrent seed that only the DHT tells of: python3 libtorrent_dht_seed.py TORRENT DIRECTORY HOST PORT.

Loopback only, no trackers, no LSD, no uTP. HOST and PORT name the first node of the DHT. Prints its listening port once
it seeds and knows the DHT. Ends with its standard input.
"""

import sys
import time

import libtorrent as lt

SETTINGS = {
    "listen_interfaces": "127.0.0.1:0",
    "outgoing_interfaces": "127.0.0.1",
    "enable_dht": True,
    # Every node is on loopback, and no id belongs to its address.
    "dht_restrict_routing_ips": False,
    "dht_restrict_search_ips": False,
    "dht_prefer_verified_node_ids": False,
    "enable_lsd": False,
    "enable_upnp": False,
    "enable_natpmp": False,
    "enable_incoming_utp": False,
    "enable_outgoing_utp": False,
    "enable_ip_notifier": False,
    "allow_multiple_connections_per_ip": True,
    # Whoever misses a round of unchoking waits for the next one: 15 s by default.
    "unchoke_interval": 1,
}

NODES_WANTED = 5


def wait_for(what, condition):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(what)
        time.sleep(0.05)


def main():
    torrent, directory, host, port = sys.argv[1:]
    bootstrap = {"dht_bootstrap_nodes": f"{host}:{port}"}
    session = lt.session({**SETTINGS, **bootstrap})
    wait_for("no listening port", lambda: session.listen_port() != 0)
    # An announce that finds nobody to tell is made again only a quarter of an hour later.
    wait_for("no nodes", lambda: session.status().dht_nodes >= NODES_WANTED)
    params = lt.add_torrent_params()
    params.ti = lt.torrent_info(torrent)
    params.save_path = directory
    params.flags &= ~(lt.torrent_flags.auto_managed | lt.torrent_flags.paused)
    handle = session.add_torrent(params)
    wait_for("not seeding", lambda: handle.status().is_seeding)
    handle.force_dht_announce()
    print(session.listen_port(), flush=True)
    sys.stdin.read()


main()

# A script as people write them: adds a torrent, waits for it, changes it, removes it. Arguments: port, user, password,
# torrent file, save path. Writes a line of JSON for each thing that it was told.
import base64
import json
import sys
import time

import transmissionrpc

PATIENCE_SECONDS = 90


def tell(what, value):
    print(json.dumps([what, value], sort_keys=True), flush=True)


def wait_for(client, hash_string, is_met):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        torrent = client.get_torrent(hash_string)
        if is_met(torrent):
            return torrent
        if time.monotonic() > deadline:
            raise SystemExit("not within %d s: %s" % (PATIENCE_SECONDS, torrent._fields))
        time.sleep(0.05)


def main(port, user, password, path, save_path):
    client = transmissionrpc.Client("127.0.0.1", port=int(port), user=user, password=password)
    tell("rpc version is known", client.rpc_version >= 15)
    session = client.get_session()
    tell("session", [session.download_dir, session.seedRatioLimited, session.start_added_torrents])
    with open(path, "rb") as file:
        metainfo = base64.b64encode(file.read()).decode("ascii")
    added = client.add_torrent(metainfo, download_dir=save_path)
    tell("added", [added.name, added.hashString])
    hash_string = added.hashString
    torrent = wait_for(client, hash_string, lambda one: one.status == "seeding" and one.percentDone == 1)
    tell("progress", [torrent.progress, torrent.ratio, torrent.leftUntilDone, torrent.sizeWhenDone])
    tell("files", [[one["name"], one["size"], one["selected"]] for one in torrent.files().values()])
    tell("dates", [torrent.date_added.year > 2000, torrent.downloadDir])

    client.change_torrent(hash_string, downloadLimit=200, downloadLimited=True)
    client.change_torrent(hash_string, seedRatioLimit=1.5, seedRatioMode=1)
    torrent = client.get_torrent(hash_string)
    tell("limits", [torrent.download_limit, torrent.seed_ratio_limit, torrent.seed_ratio_mode])
    client.set_files({torrent.id: {0: {"selected": True, "priority": "high"}, 1: {"selected": True, "priority": "normal"}}})
    files = client.get_files(torrent.id)[torrent.id]
    tell("set files", [[files[index]["selected"], files[index]["priority"]] for index in (0, 1)])

    client.set_files({torrent.id: {1: {"selected": False, "priority": "normal"}}})
    tell("not wanted", client.get_files(torrent.id)[torrent.id][1]["selected"])

    client.stop_torrent(hash_string)
    tell("stopped", wait_for(client, hash_string, lambda one: one.status == "stopped").status)
    client.start_torrent(hash_string)
    tell("started", wait_for(client, hash_string, lambda one: one.status == "seeding").status)
    client.verify_torrent(hash_string)
    tell("verified", wait_for(client, hash_string, lambda one: one.status == "seeding" and one.percentDone == 1).status)
    client.queue_top(hash_string)
    client.reannounce_torrent(hash_string)
    client.set_session(speed_limit_down=300, speed_limit_down_enabled=True)
    session = client.get_session()
    tell("speed limit", [session.speed_limit_down, session.speed_limit_down_enabled])
    client.set_session(speed_limit_down_enabled=False)
    tell("stats", [client.session_stats().torrentCount, client.session_stats().activeTorrentCount])
    tell("free space", client.free_space(save_path) > 0)
    client.rename_torrent_path(hash_string, "beta/film.bin", "movie.bin")
    torrent = wait_for(client, hash_string, lambda one: one.files()[0]["name"] == "beta/movie.bin")
    tell("renamed", torrent.files()[0]["name"])
    client.rename_torrent_path(hash_string, "beta/movie.bin", "film.bin")
    try:
        client.change_torrent(hash_string, files_wanted=[99])
        tell("a file that there is not", "taken")
    except transmissionrpc.TransmissionError as error:
        tell("a file that there is not", error.message)
    client.remove_torrent(hash_string, delete_data=True)
    tell("removed", len(client.get_torrents()))


main(*sys.argv[1:])

"""Reads a torrent file with libtorrent, and makes the same torrent of the same files with it; tells of both as JSON.

Arguments: the torrent file, the folder that its content lies in, and `pads` where it has pad files.
"""

import json
import sys

import libtorrent as lt

torrent, parent = sys.argv[1:3]
has_pads = "pads" in sys.argv[3:]
info = lt.torrent_info(torrent)
files = info.files()
paths = [files.file_path(i) for i in range(files.num_files())]
is_pad = [bool(files.file_flags(i) & lt.file_flags_t.flag_pad_file) for i in range(files.num_files())]
sizes = [files.file_size(i) for i in range(files.num_files())]

storage = lt.file_storage()
for path, pad, size in zip(paths, is_pad, sizes):
    if not pad:
        storage.add_file(path, size)
flags = lt.create_torrent.v1_only
if has_pads:
    flags |= lt.create_torrent.canonical_files_no_tail_padding
made = lt.create_torrent(storage, info.piece_length(), flags)
made.set_priv(info.priv())
lt.set_piece_hashes(made, parent)
entry = made.generate()
with open(torrent, "rb") as file:
    given = lt.bdecode(file.read())
# libtorrent has no call for it.
if b"source" in given[b"info"]:
    entry[b"info"][b"source"] = given[b"info"][b"source"]

print(
    json.dumps(
        {
            "read": str(info.info_hash()),
            "made": str(lt.torrent_info(entry).info_hash()),
            "files": [path for path, pad in zip(paths, is_pad) if not pad],
            "pads": sum(is_pad),
            "pieceLength": info.piece_length(),
            "private": info.priv(),
            "comment": info.comment(),
            "creator": info.creator(),
            "trackers": sorted([tracker.tier, tracker.url] for tracker in info.trackers()),
            "webSeeds": [seed["url"] for seed in info.web_seeds()],
        }
    )
)

// A state directory as qBittorrent writes it, for tests that need none of its judgement: a torrent file and resume data for each.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import type { MadeTorrent } from '../make-torrent.js';

export interface StatedTorrent {
  readonly made: MadeTorrent;
  readonly savePath: string;
  /** Entries of its resume data, beside or in place of the usual ones. */
  readonly resume?: Readonly<Record<string, unknown>>;
}

/** Written below `home`, each torrent as if all of its files were there. */
export async function writeQbittorrentState(
  home: string,
  pieceLength: number,
  torrents: readonly StatedTorrent[],
): Promise<void> {
  const backup = join(home, 'BT_backup');
  await mkdir(backup, { recursive: true });
  for (const { made, savePath, resume = {} } of torrents) {
    await writeFile(join(backup, `${made.infoHash}.torrent`), made.torrentBytes);
    const fields = {
      'file-format': 'libtorrent resume file',
      'file-version': 1,
      pieces: Buffer.alloc(Math.ceil(made.payload.length / pieceLength), 1),
      'qBt-savePath': savePath,
      ...resume,
    };
    await writeFile(join(backup, `${made.infoHash}.fastresume`), bencode.encode(fields));
  }
}

// A daemon of which `admin` is the administrator, and bob, who may add torrents: what one may do to the other by files.
import { join } from 'node:path';
import type { Test } from 'tap';
import { startDaemon, type DaemonUnderTest } from './daemon.js';
import { makeAccount, type AccountUnderTest } from './daemon-account.js';
import { makeTorrent, seededBytes, type MadeTorrent } from './make-torrent.js';
import { seedContent } from './peers/scripted-seed.js';

const TIMEOUT_MS = 60_000;
export const PIECE_LENGTH = 16_384;
/** Of each file that has any. */
export const FILE_BYTES = 40_000;

export interface BobsScene {
  readonly daemon: DaemonUnderTest;
  readonly bob: AccountUnderTest;
  /** A path below the save path. */
  readonly at: (...names: readonly string[]) => string;
}

export async function setBobsScene(t: Test): Promise<BobsScene> {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  return { daemon, bob: await makeAccount(daemon, 'bob'), at: (...names) => join(daemon.savePath, ...names) };
}

/** `film` of the seed's bytes, `extras/sound` of the next one's, and an empty file. */
export function madeFilm(name: string, seed: number, pieceLength = PIECE_LENGTH): MadeTorrent {
  const files = [
    { path: ['film'], bytes: seededBytes(seed, FILE_BYTES) },
    { path: ['extras', 'empty'], bytes: new Uint8Array() },
    { path: ['extras', 'sound'], bytes: seededBytes(seed + 1, FILE_BYTES) },
  ];
  return makeTorrent({ name, pieceLength, files });
}

/** Added by the account, and downloaded. */
export async function downloaded(
  daemon: DaemonUnderTest,
  client: Pick<DaemonUnderTest, 'addTorrentFile' | 'waitFor'>,
  made: MadeTorrent,
): Promise<string> {
  const id = await client.addTorrentFile(made.torrentBytes);
  const content = { bytes: made.payload, infoHash: made.infoHash, pieceLength: PIECE_LENGTH };
  const seed = await seedContent(content, daemon.peerPort, Infinity);
  await client.waitFor(id, ({ completed }) => completed, TIMEOUT_MS);
  seed.destroy();
  return id;
}

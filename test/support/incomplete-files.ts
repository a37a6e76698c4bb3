// A torrent of two files and an empty one of which as much is downloaded as a test wants, in order, and what lies on disk meanwhile.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient, DaemonUnderTest, TorrentView } from './daemon.js';
import { makeTorrent, seededBytes, type MadeTorrent } from './make-torrent.js';
import { TIMEOUT_MS } from './moves.js';
import { seedContent } from './peers/scripted-seed.js';
import { waitUntil } from './peers/wait-until.js';

export const PIECE_LENGTH = 16_384;
/** Three pieces and a part of the fourth. */
export const FILE_BYTES = 60_000;
/** With so many pieces in order the first file is complete, and the second has begun. */
export const FIRST_FILE_PIECES = 4;
export const SUFFIX = '.part';

export interface Show extends MadeTorrent {
  readonly name: string;
}

/** `name/film`, `name/sound` and `name/empty`. */
export function madeShow(name: string, seed: number): Show {
  const files = [
    { path: ['film'], bytes: seededBytes(seed, FILE_BYTES) },
    { path: ['sound'], bytes: seededBytes(seed + 1, FILE_BYTES) },
    { path: ['empty'], bytes: new Uint8Array(0) },
  ];
  return { name, ...makeTorrent({ name, pieceLength: PIECE_LENGTH, files }) };
}

export function madeFile(name: string, seed: number): Show {
  return { name, ...makeTorrent({ name, pieceLength: PIECE_LENGTH, files: seededBytes(seed, FILE_BYTES) }) };
}

type Client = Pick<ApiClient, 'api' | 'waitFor'> | Pick<DaemonUnderTest, 'api' | 'waitFor'>;

/** In order, with a suffix unless `fields` say otherwise. */
export async function addShow(client: Client, made: MadeTorrent, fields: Readonly<Record<string, string>> = {}) {
  const body = new FormData();
  body.set('sequential', 'true');
  body.set('incomplete_suffix', SUFFIX);
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  body.set('file', new Blob([made.torrentBytes]), 'test.torrent');
  return client.api<{ readonly id: string }>('POST', '/api/torrents/file', body);
}

const contentOf = ({ payload, infoHash }: MadeTorrent) => ({ bytes: payload, infoHash, pieceLength: PIECE_LENGTH });

/** So many pieces more are there when it resolves. */
export async function fetchPieces(
  daemon: Pick<DaemonUnderTest, 'peerPort'>,
  client: Client,
  made: MadeTorrent,
  pieces: number,
): Promise<void> {
  const bytes = async () => (await client.waitFor(made.infoHash, () => true, TIMEOUT_MS)).bytes_done;
  const before = await bytes();
  const seed = await seedContent(contentOf(made), daemon.peerPort, pieces);
  // The short last piece may be among them.
  const fewest = pieces * PIECE_LENGTH - (PIECE_LENGTH - (made.payload.length % PIECE_LENGTH || PIECE_LENGTH));
  const wanted = Math.min(before + fewest, made.payload.length);
  await client.waitFor(made.infoHash, ({ bytes_done: done }) => done >= wanted, TIMEOUT_MS);
  seed.destroy();
}

export async function complete(
  daemon: Pick<DaemonUnderTest, 'peerPort'>,
  client: Client,
  made: MadeTorrent,
): Promise<TorrentView> {
  const seed = await seedContent(contentOf(made), daemon.peerPort, Infinity);
  const view = await client.waitFor(made.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  seed.destroy();
  return view;
}

export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).sort();
}

/** Until exactly these lie in the folder; names change behind the answer. */
export async function untilThere(folder: string, ...names: readonly string[]): Promise<void> {
  const wanted = [...names].sort().join();
  let last = '';
  await waitUntil(
    `${wanted} in ${folder}`,
    TIMEOUT_MS,
    async () => ((last = (await namesIn(folder)).join()) === wanted ? true : undefined),
    () => last,
  );
}

/** The bytes of the first or second file are those at the path. */
export async function isFile(made: Show, index: 0 | 1, path: string): Promise<boolean> {
  const bytes = made.payload.subarray(index * FILE_BYTES, (index + 1) * FILE_BYTES);
  return (await readFile(path)).equals(Buffer.from(bytes));
}

export function at(daemon: Pick<DaemonUnderTest, 'savePath'>, ...elements: readonly string[]): string {
  return join(daemon.savePath, ...elements);
}

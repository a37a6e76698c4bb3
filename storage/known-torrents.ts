// What a front knows of the torrents of an engine, in a file of its own: for a start at which that engine is away. Nothing hangs on
// it but what is shown: a file that cannot be read, or is of another protocol, is as good as none.
import { setImmediate as pause } from 'node:timers/promises';
import type { TorrentFacts } from '../shared-protocol/events.js';
import { ROW_BYTES } from '../shared-protocol/stats-table.js';
import { STREAM_PROTOCOL } from '../shared-protocol/stream/messages.js';
import { readIfExists, replaceFile } from './atomic-file.js';

/** Torrents that are read or written in one go. */
const CHUNK = 500;
/** Characters that are written in one go, where torrents are long: the text of a chunk is in memory three times. */
const CHUNK_CHARS = 1024 ** 2;

export interface KnownTorrent {
  readonly facts: TorrentFacts;
  /** A row of the stats table, of {@link ROW_BYTES}. */
  readonly row: Uint8Array;
}

/** Resolves when all is on stable storage, in place of what was there. Torrents are asked for as they are written. */
export async function writeKnownTorrents(file: string, torrents: Iterable<KnownTorrent>): Promise<void> {
  await replaceFile(file, linesOf(torrents));
}

/** Chunks of what was written; nothing where nothing was. @throws system errors, and errors of what cannot be read */
export async function* readKnownTorrents(file: string): AsyncGenerator<readonly KnownTorrent[]> {
  const bytes = await readIfExists(file);
  if (!bytes) return;
  const lines = linesIn(bytes);
  if (lines.next().value !== STREAM_PROTOCOL) return;
  let chunk: KnownTorrent[] = [];
  for (const line of lines) {
    if (chunk.push(torrentIn(line)) < CHUNK) continue;
    yield chunk;
    chunk = [];
    await pause();
  }
  yield chunk;
}

function* linesIn(bytes: Buffer): Generator<string, void> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    if (end < 0) throw new Error('it has no end');
    yield bytes.toString('utf8', at, end);
    at = end + 1;
  }
}

async function* linesOf(torrents: Iterable<KnownTorrent>): AsyncGenerator<Buffer> {
  let text = `${STREAM_PROTOCOL}\n`;
  let count = 0;
  for (const { facts, row } of torrents) {
    text += `${JSON.stringify({ facts, row: Buffer.from(row).toString('base64') })}\n`;
    if (++count < CHUNK && text.length < CHUNK_CHARS) continue;
    yield Buffer.from(text);
    [text, count] = ['', 0];
    await pause();
  }
  yield Buffer.from(text);
}

function torrentIn(line: string): KnownTorrent {
  const { facts, row } = JSON.parse(line) as { readonly facts: TorrentFacts; readonly row: string };
  const bytes = Buffer.from(row, 'base64');
  if (bytes.length !== ROW_BYTES || typeof facts.id !== 'string') throw new Error('it is no torrent of a known shape');
  return { facts, row: bytes };
}

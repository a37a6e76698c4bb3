// Torrents that two programs are given alike: a file, a folder of which nothing is there, and a folder that is complete.
// Their tracker knows of others but names none, so that the programs keep to themselves.
import bencode from 'bencode';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { startHttpTracker } from '../http-tracker.js';
import { makeTorrent, seededBytes, type MadeTorrent, type MakeTorrentFile } from '../make-torrent.js';

const PIECE_LENGTH_BYTES = 32_768;
const SWARM = { complete: 3, incomplete: 2, downloaded: 7 };

export interface Sample extends MadeTorrent {
  readonly name: string;
  /** Bytes by path below the save path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface Samples {
  readonly alpha: Sample;
  /** Three files; nothing of it is on disk. */
  readonly beta: Sample;
  /** Two files, one of them in a folder. */
  readonly gamma: Sample;
  readonly announceUrl: string;
}

/** With a tracker of their own, which ends with the test. */
export async function makeSamples(t: Test): Promise<Samples> {
  const tracker = await startHttpTracker({
    respond: (request, response) => {
      const scraped = /[?&]info_hash=([^&]*)/.exec(request.url ?? '')?.[1] ?? '';
      const isScrape = request.url?.startsWith('/scrape') ?? false;
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(isScrape ? scrapeOf(scraped) : bencode.encode({ ...SWARM, interval: 1800, peers: '' }));
      return true;
    },
  });
  t.teardown(() => tracker.close());
  const { announceUrl } = tracker;
  const folder = (first: number, ...paths: readonly string[]): MakeTorrentFile[] =>
    paths.map((path, i) => ({ path: path.split('/'), bytes: seededBytes(first + i, 50_000 + 30_000 * i) }));
  return {
    alpha: sampleOf('alpha.bin', seededBytes(1, 100_001), announceUrl),
    beta: sampleOf('beta', folder(10, 'film.bin', 'extras/notes.txt', 'extras/sound.bin'), announceUrl),
    gamma: sampleOf('gamma', folder(20, 'one.bin', 'sub/two.bin'), announceUrl),
    announceUrl,
  };
}

/** Everything of it, below a save path. */
export async function putFiles({ files }: Sample, savePath: string): Promise<void> {
  for (const [path, bytes] of files) {
    const target = join(savePath, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

export function magnetOf({ infoHash, name }: Sample): string {
  return `magnet:?xt=urn:btih:${infoHash}&dn=${encodeURIComponent(name)}`;
}

export function sampleOf(name: string, content: Uint8Array | readonly MakeTorrentFile[], announceUrl: string): Sample {
  const made = makeTorrent({ name, pieceLength: PIECE_LENGTH_BYTES, files: content, trackers: [announceUrl] });
  const files =
    content instanceof Uint8Array
      ? new Map([[name, content]])
      : new Map(content.map(({ path, bytes }) => [[name, ...path].join('/'), bytes]));
  return { ...made, name, files };
}

/** BEP 48. `encoded`: the hash as the request has it. */
function scrapeOf(encoded: string): Buffer {
  const text = encoded.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const figures = Buffer.from(bencode.encode(SWARM));
  return Buffer.concat([Buffer.from('d5:filesd20:'), Buffer.from(text, 'latin1'), figures, Buffer.from('ee')]);
}

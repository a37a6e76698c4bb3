// libtorrent as a seed that only the DHT tells of: libtorrent_dht_seed.py.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, type Child } from './child-process.js';
import type { Payload } from './payload.js';
import { makeScratch } from './scratch.js';
import { scriptPath } from './script-path.js';
import { waitUntil } from './wait-until.js';

/** Debian's: the binding is built for it, not for a Python that happens to come first in PATH. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = join('test', 'support', 'peers', 'libtorrent_dht_seed.py');
const START_TIMEOUT_MS = 30_000;

export interface DhtSeed {
  /** Where it listens for peers, on 127.0.0.1. */
  readonly port: number;
  close(): Promise<void>;
}

/** Resolves when it has everything and announces itself. `bootstrap`: `host:port` of a node. */
export async function startLibtorrentDhtSeed(payload: Payload, bootstrap: string): Promise<DhtSeed> {
  const scratch = await makeScratch('libtorrent');
  const torrent = join(scratch.path, 'seed.torrent');
  await writeFile(torrent, payload.torrent());
  const lines: string[] = [];
  const child = await startChild(
    PYTHON,
    ['-u', scriptPath(SCRIPT), torrent, payload.directory, ...bootstrap.split(':')],
    {
      onLine: (line) => lines.push(line),
    },
  );
  const close = async (): Promise<void> => {
    await end(child);
    await scratch.remove();
  };
  try {
    const port = await waitUntil(
      'libtorrent in the DHT',
      START_TIMEOUT_MS,
      () => {
        if (!child.isRunning) throw new Error('libtorrent has ended');
        return lines[0];
      },
      () => child.stderr,
    );
    return { port: Number(port), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** It ends with its input; its session may take longer than a test has. */
async function end(child: Child): Promise<void> {
  child.endInput();
  await child.stop();
}

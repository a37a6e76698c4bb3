// The other end of a transfer, the same for every program measured: libtorrent with generous settings, as real peers
// are, or our raw ends, which do nothing but move bytes and so leave the program alone with the work.
import { libtorrent, LIBTORRENT_SETTINGS, RunningLibtorrent } from '../programs/libtorrent.js';
import type { StartOptions } from '../programs/program.js';
import { Child } from '../support/child.js';
import type { Payload } from '../support/payload.js';
import { compiledFile } from '../support/project.js';
import type { Workspace } from '../support/workspace.js';
import type { LoadJob } from './load-job.js';
import { BLOCK_BYTES } from './wire.js';

export const OTHER_END_NAMES = ['libtorrent', 'raw'] as const;
export type OtherEndName = (typeof OTHER_END_NAMES)[number];

/** `peers` of the options: its connections, of which only the raw end makes more than one. */
export interface OtherEnd {
  readonly settings: string;
  version(): Promise<string | null>;
  /** Connects to a seed on 127.0.0.1 and downloads everything into the folder. */
  startLeeching(payload: Payload, port: number, folder: string, options: StartOptions): Promise<RunningEnd>;
  /** Connects to a leecher on 127.0.0.1 and serves it. */
  startSeeding(payload: Payload, port: number, options: StartOptions): Promise<RunningEnd>;
  /** Whether a leecher leaves a copy that can be checked. */
  readonly keepsCopy: boolean;
}

/** Times are monotonic milliseconds. */
export interface RunningEnd {
  readonly pids: readonly number[];
  firstByte(timeoutMs: number): Promise<number>;
  finished(timeoutMs: number): Promise<number>;
  stop(): Promise<void>;
}

export function createOtherEnd(name: OtherEndName, workspace: Workspace): OtherEnd {
  return name === 'raw' ? rawEnd : createLibtorrentEnd(workspace);
}

function createLibtorrentEnd(workspace: Workspace): OtherEnd {
  const start = async (port: number, options: StartOptions, take: (end: RunningLibtorrent) => Promise<void>) => {
    const end = await libtorrent.start(workspace, options);
    if (!(end instanceof RunningLibtorrent)) throw new Error('bug: libtorrent starts something else');
    await take(end);
    await end.connect([port]);
    return end;
  };
  return {
    settings: JSON.stringify(LIBTORRENT_SETTINGS),
    version: libtorrent.version,
    keepsCopy: true,
    startLeeching: (payload, port, folder, options) => start(port, options, (end) => end.leech(payload, folder)),
    startSeeding: (payload, port, options) => start(port, options, (end) => end.seed(payload)),
  };
}

const rawEnd: OtherEnd = {
  settings: 'bare protocol, 500 requests in flight, no hashing, no disk',
  version: () => Promise.resolve(process.version),
  keepsCopy: false,
  startLeeching: async (payload, port, _folder, options) => startRaw('raw-leecher', payload, port, options),
  startSeeding: async (payload, port, options) => startRaw('raw-seeder', payload, port, options),
};

type RawScript = 'raw-leecher' | 'raw-seeder';

function startRaw(script: RawScript, payload: Payload, port: number, { encryption, peers = 1 }: StartOptions): RawEnd {
  if (encryption === 'rc4') throw new Error('--other-end raw does not speak RC4');
  return new RawEnd(script, payload, port, peers);
}

class RawEnd implements RunningEnd {
  readonly pids: readonly number[];
  readonly #child: Child;

  constructor(script: RawScript, payload: Payload, port: number, peers: number) {
    const { file, bytes, pieceLength, infoHash } = payload;
    const blockCount = Math.ceil(bytes / BLOCK_BYTES);
    const job: LoadJob = { host: '127.0.0.1', port, infoHash, file, bytes, pieceLength, blockCount, peers };
    this.#child = new Child(process.execPath, [compiledFile(`bench/load/${script}.js`), JSON.stringify(job)]);
    this.pids = [this.#child.pid];
  }

  async firstByte(timeoutMs: number): Promise<number> {
    return Number((await this.#child.event('first-byte', timeoutMs))['t']);
  }

  async finished(timeoutMs: number): Promise<number> {
    return Number((await this.#child.event('finished', timeoutMs))['t']);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

// libtorrent (the engine of qBittorrent and Deluge) through its Python binding: see libtorrent-peer.py.
import { Child } from '../support/child.js';
import type { Payload } from '../support/payload.js';
import { projectFile } from '../support/project.js';
import type { Program, RunningProgram } from './program.js';
import { versionOf } from './version-of.js';

const START_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 120_000;
/** Its `enc_policy` and `enc_level`. */
const FORCED = 0;
const PLAINTEXT_ONLY = 2;
const RC4_ONLY = 2;

/**
 * Its high-performance preset where that pays on loopback, and all that would slow down a single fast peer removed.
 * The disk back end is the default one (mmap): the binding of 2.0.8 offers no other.
 */
export const LIBTORRENT_SETTINGS = {
  aio_threads: 4,
  hashing_threads: 2,
  send_buffer_watermark: 3 * 1024 * 1024,
  send_buffer_watermark_factor: 150,
  send_buffer_low_watermark: 1024 * 1024,
  max_queued_disk_bytes: 64 * 1024 * 1024,
  max_out_request_queue: 2_000,
  max_allowed_in_request_queue: 4_000,
  unchoke_slots_limit: -1,
  active_limit: -1,
  allow_multiple_connections_per_ip: true,
  rate_limit_ip_overhead: false,
  mixed_mode_algorithm: 0, // prefer_tcp
  enable_incoming_utp: false,
  enable_outgoing_utp: false,
  in_enc_policy: PLAINTEXT_ONLY,
  out_enc_policy: PLAINTEXT_ONLY,
} as const;

/** In place of those above. */
const RC4_SETTINGS = {
  in_enc_policy: FORCED,
  out_enc_policy: FORCED,
  allowed_enc_level: RC4_ONLY,
  prefer_rc4: true,
} as const;

export const libtorrent: Program = {
  name: 'libtorrent',
  isObservable: false,
  settings: JSON.stringify(LIBTORRENT_SETTINGS),
  rc4Settings: JSON.stringify(RC4_SETTINGS),
  version: async () => (await findPython())?.version ?? null,
  async start(_workspace, { encryption } = {}) {
    const python = await findPython();
    if (!python) throw new Error('libtorrent: no python3 with its binding');
    const script = projectFile('bench', 'programs', 'libtorrent-peer.py');
    const settings = { ...LIBTORRENT_SETTINGS, ...(encryption === 'rc4' ? RC4_SETTINGS : {}) };
    const child = new Child(python.command, [script, JSON.stringify(settings)]);
    const { port } = await child.event('ready', START_TIMEOUT_MS);
    return new RunningLibtorrent(child, Number(port));
  },
};

export class RunningLibtorrent implements RunningProgram {
  readonly pids: readonly number[];

  constructor(
    private readonly child: Child,
    readonly peerPort: number,
  ) {
    this.pids = [child.pid];
  }

  seed(payload: Payload): Promise<void> {
    return this.#add(payload, payload.folder, true);
  }

  leech(payload: Payload, folder: string): Promise<void> {
    return this.#add(payload, folder, false);
  }

  async firstByte(timeoutMs: number): Promise<number> {
    return Number((await this.child.event('first-byte', timeoutMs))['t']);
  }

  async finished(timeoutMs: number): Promise<number> {
    return Number((await this.child.event('finished', timeoutMs))['t']);
  }

  async forget(): Promise<void> {
    this.child.send({ do: 'forget' });
    await this.child.event('forgotten', START_TIMEOUT_MS);
  }

  async recheck(payload: Payload, onStart: () => void): Promise<void> {
    await this.seed(payload);
    onStart();
    this.child.send({ do: 'recheck' });
    await this.child.event('checked', CHECK_TIMEOUT_MS);
  }

  connect(ports: readonly number[]): Promise<void> {
    for (const port of ports) this.child.send({ do: 'connect', host: '127.0.0.1', port });
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.child.stop();
  }

  async #add(payload: Payload, savePath: string, seedMode: boolean): Promise<void> {
    this.child.send({ do: 'add', torrent: payload.torrentFile, savePath, seedMode });
    await this.child.event('added', START_TIMEOUT_MS);
  }
}

interface Python {
  readonly command: string;
  readonly version: string;
}

/** The first python3 has the binding only if it is the distribution's. */
async function findPython(): Promise<Python | null> {
  for (const command of [process.env['SWARMD_BENCH_PYTHON'] ?? 'python3', '/usr/bin/python3']) {
    const version = await versionOf(command, ['-c', 'import libtorrent; print(libtorrent.version)'], /^([\d.]+)$/m);
    if (version !== null) return { command, version };
  }
  return null;
}

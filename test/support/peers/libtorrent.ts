// libtorrent 2 (qBittorrent, Deluge) by its Python binding: libtorrent_peer.py driven by JSON lines.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild, type Child } from './child-process.js';
import type { PeerClient, PeerProgram, PeerProgress, PeerStartOptions } from './types.js';
import { waitUntil } from './wait-until.js';

/** Debian's: the binding is built for it, not for a Python that happens to come first in PATH. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = join('test', 'support', 'peers', 'libtorrent_peer.py');
const CHECK_TIMEOUT_MS = 60_000;
/** Longer than `stop_tracker_timeout`. */
const QUIT_TIMEOUT_MS = 8_000;

interface Answer {
  readonly id: number;
  readonly ok?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

let available: boolean | null = null;

export const libtorrent: PeerProgram = {
  name: 'libtorrent',
  debianPackage: 'python3-libtorrent',
  isAvailable: () => (available ??= spawnSync(PYTHON, ['-c', 'import libtorrent']).status === 0),
  start: startLibtorrent,
};

async function startLibtorrent({
  encryption,
  pex = false,
  uploadBytesPerSec = 0,
  host = '127.0.0.1',
  launcher = [],
}: PeerStartOptions = {}): Promise<PeerClient> {
  const session = await PythonSession.start(launcher);
  const { port } = await session.call('start', { ...(encryption ? { encryption } : {}), pex, uploadBytesPerSec, host });
  if (typeof port !== 'number') throw new Error('libtorrent: no port');
  const progress = async (): Promise<PeerProgress> => readProgress(await session.call('status'));
  return {
    port,
    address: `${host}:${port}`,
    async seed(torrentBytes, directory) {
      await session.call('add', { torrent: Buffer.from(torrentBytes).toString('base64'), directory });
      let last = '';
      await waitUntil(
        'libtorrent seeding',
        CHECK_TIMEOUT_MS,
        async () => {
          const seen = await progress();
          last = JSON.stringify(seen);
          return seen.isSeeding || undefined;
        },
        () => last,
      );
    },
    async leech(source, directory) {
      const torrent =
        typeof source === 'string' ? { magnet: source } : { torrent: Buffer.from(source).toString('base64') };
      await session.call('add', { ...torrent, directory });
    },
    addPeer: async (peerPort) => void (await session.call('connect', { port: peerPort })),
    progress,
    close: () => session.close(),
  };
}

function readProgress(status: Readonly<Record<string, unknown>>): PeerProgress {
  const { bytesDone, totalBytes, isSeeding, peers, encryptedPeers, error } = status;
  if (error) throw new Error(`libtorrent: ${String(error)}`);
  return {
    bytesDone: Number(bytesDone),
    totalBytes: Number(totalBytes),
    isSeeding: isSeeding === true,
    peers: Number(peers),
    encryptedPeers: Number(encryptedPeers),
  };
}

class PythonSession {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(private readonly child: Child) {}

  static async start(launcher: readonly string[]): Promise<PythonSession> {
    const lines: { session: PythonSession | null } = { session: null };
    const [program = PYTHON, ...args] = [...launcher, PYTHON, '-u', scriptPath()];
    const child = await startChild(program, args, { onLine: (line) => lines.session?.onLine(line) });
    const session = new PythonSession(child);
    lines.session = session;
    void child.exited.then(() => session.#onExit());
    return session;
  }

  async call(op: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    if (!this.child.isRunning) throw new Error(`libtorrent has ended. ${this.child.stderr}`);
    const id = ++this.#lastId;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.writeLine(JSON.stringify({ id, op, ...fields }));
    });
    if (answer.ok) return answer.ok;
    throw new Error(`libtorrent: ${op}: ${answer.error ?? 'no answer'}`);
  }

  async close(): Promise<void> {
    if (!this.child.isRunning) return;
    const hurry = setTimeout(() => this.child.signal('SIGKILL'), QUIT_TIMEOUT_MS);
    await this.call('quit').catch(() => undefined);
    this.child.endInput();
    await this.child.exited;
    clearTimeout(hurry);
  }

  onLine(line: string): void {
    const answer = JSON.parse(line) as Answer; // written by libtorrent_peer.py
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #onExit(): void {
    for (const [id, resolve] of this.#waiting) resolve({ id, error: `ended. ${this.child.stderr}` });
    this.#waiting.clear();
  }
}

/** The compiler does not copy it: it lies in the source tree above wherever this file was compiled to. */
function scriptPath(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, SCRIPT);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) throw new Error(`${SCRIPT} not found above ${import.meta.url}`);
  }
}

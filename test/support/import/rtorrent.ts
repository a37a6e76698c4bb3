// rTorrent with a library: loaded over its files, which it checks, then skipped, paused and labelled as ruTorrent does it. It renames
// no files.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild, type Child } from '../peers/child-process.js';
import type { Program } from '../peers/index.js';
import { PYTHON, PythonSession } from '../peers/python-session.js';
import { waitUntil } from '../peers/wait-until.js';
import type { ForeignClient } from './foreign-client.js';
import type { OwnedTorrent } from './library.js';

const TIMEOUT_MS = 60_000;
const SCRIPT = join('test', 'support', 'import', 'rtorrent_client.py');
/** ruTorrent's moment of adding, which rTorrent itself does not keep. */
const ADDED_AT = 1_600_000_000;

const TRACKER = 'http://127.0.0.1:9/announce';

let available: boolean | null = null;

const rtorrent: Program = {
  name: 'rTorrent',
  debianPackage: 'rtorrent',
  isAvailable: () =>
    (available ??= spawnSync('rtorrent', ['-h']).status === 0 && spawnSync(PYTHON, ['-c', '']).status === 0),
};

export class Rtorrent {
  private constructor(
    private readonly child: Child,
    private readonly session: PythonSession,
  ) {}

  /** `more`: lines of `.rtorrent.rc`. */
  static async start(home: string, downloads: string, more: readonly string[] = []): Promise<Rtorrent> {
    const socket = join(home, 'socket');
    const port = await freePort();
    const lines = [
      'system.daemon.set = true',
      `session.path.set = ${join(home, '.session')}`,
      `directory.default.set = ${downloads}`,
      `network.scgi.open_local = ${socket}`,
      `network.port_range.set = ${port}-${port}`,
      'network.bind_address.set = 127.0.0.1',
      'dht.mode.set = disable',
      'protocol.pex.set = no',
      ...more,
      '',
    ];
    await writeFile(join(home, '.rtorrent.rc'), lines.join('\n'));
    const child = await startChild('rtorrent', ['-n', '-o', `import=${join(home, '.rtorrent.rc')}`], {
      env: { HOME: home, TERM: 'dumb' },
      cwd: home,
    });
    const session = await PythonSession.start('rTorrent', SCRIPT, { args: [socket] });
    const started = new Rtorrent(child, session);
    await waitUntil('rTorrent answering', TIMEOUT_MS, () => {
      if (!child.isRunning) throw new Error(`rTorrent has ended. ${child.stderr}`);
      return started.hashes().catch(() => undefined);
    });
    return started;
  }

  async call<Result>(method: string, ...args: readonly unknown[]): Promise<Result> {
    return (await this.session.call('call', { method, args })).result as Result;
  }

  hashes(): Promise<readonly string[]> {
    return this.call('download_list', '');
  }

  async stop(): Promise<void> {
    await this.session.close();
    await this.child.stop('SIGINT');
  }
}

/** Bytes that it has of each, by info hash. */
async function fill(client: Rtorrent, torrents: readonly OwnedTorrent[]): Promise<ReadonlyMap<string, number>> {
  for (const { made, isMagnet, name } of torrents) {
    if (isMagnet)
      await client.call(
        'load.start',
        '',
        `magnet:?xt=urn:btih:${made.infoHash}&dn=${encodeURIComponent(name)}&tr=${encodeURIComponent(TRACKER)}`,
      );
    else await client.call('load.raw', '', { base64: Buffer.from(made.torrentBytes).toString('base64') });
  }
  await waitUntil('all there', TIMEOUT_MS, async () => (await client.hashes()).length === torrents.length || undefined);
  const had = new Map<string, number>();
  for (const { made, isMagnet, wants, key } of torrents.filter((one) => !one.isMagnet)) {
    const id = made.infoHash.toUpperCase();
    if (isMagnet) continue;
    await client.call('d.custom.set', id, 'addtime', String(ADDED_AT));
    if (key === 'many') await client.call('d.custom1.set', id, 'old%20films');
    if (wants === 'second file skipped') {
      await client.call('f.priority.set', `${id}:f1`, 0);
      await client.call('d.update_priorities', id);
    }
    await client.call('d.check_hash', id);
    await waitUntil(`${key} checked`, TIMEOUT_MS, async () => {
      const isOver = (await client.call('d.hashing', id)) === 0 && Number(await client.call('d.bytes_done', id)) > 0;
      return isOver || undefined;
    });
    had.set(made.infoHash, Number(await client.call('d.bytes_done', id)));
    if (wants !== 'paused' && key !== 'part') await client.call('d.start', id);
  }
  await client.call('session.save', '');
  return had;
}

export const rtorrentClient: ForeignClient = {
  program: rtorrent,
  from: 'rtorrent',
  keepsOddNames: true,
  category: 'old films',
  async collect(home, downloads, torrents) {
    await mkdir(join(home, '.session'), { recursive: true });
    const client = await Rtorrent.start(home, downloads);
    const had = await fill(client, torrents).finally(() => client.stop());
    const facts = torrents
      .filter(({ isMagnet }) => !isMagnet)
      .map(({ made, wants, key }) => {
        const isPaused = wants === 'paused' || key === 'part';
        return [String(made.infoHash), { bytesDone: had.get(made.infoHash)!, isPaused, addedAt: ADDED_AT }] as const;
      });
    return {
      path: home,
      facts: new Map(facts),
      async loadAgain(count) {
        const again = await Rtorrent.start(home, downloads);
        let last = 0;
        const isThere = async () => (last = (await again.hashes()).length) === count || undefined;
        await waitUntil('loaded again', TIMEOUT_MS, isThere, () => `${last} torrents`).finally(() => again.stop());
      },
    };
  },
};

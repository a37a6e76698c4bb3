// Deluge with a library: added over its files, which it checks, then renamed, skipped, paused and labelled.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild, type Child } from '../peers/child-process.js';
import type { Program } from '../peers/index.js';
import { PYTHON, PythonSession } from '../peers/python-session.js';
import { waitUntil } from '../peers/wait-until.js';
import type { ForeignClient } from './foreign-client.js';
import type { OwnedTorrent } from './library.js';

const TIMEOUT_MS = 60_000;
const SCRIPT = join('test', 'support', 'import', 'deluge_client.py');
const FIELDS = ['state', 'paused', 'total_wanted', 'total_remaining', 'time_added', 'progress'];

interface Listed {
  readonly state: string;
  readonly paused: boolean;
  readonly total_wanted: number;
  readonly total_remaining: number;
  readonly time_added: number;
}

let available: boolean | null = null;

const deluge: Program = {
  name: 'Deluge',
  debianPackage: 'deluged deluge-console',
  isAvailable: () =>
    (available ??=
      spawnSync('deluged', ['--version']).status === 0 &&
      spawnSync(PYTHON, ['-c', 'import deluge.ui.client']).status === 0),
};

export class Deluge {
  private constructor(
    private readonly child: Child,
    private readonly session: PythonSession,
  ) {}

  static async start(home: string): Promise<Deluge> {
    const port = await freePort();
    const args = ['--do-not-daemonize', '--config', home, '--port', String(port), '--ui-interface', '127.0.0.1'];
    const child = await startChild('deluged', [...args, '--interface', '127.0.0.1'], { env: { HOME: home } });
    const password = await waitUntil('the key of Deluge', TIMEOUT_MS, async () => {
      if (!child.isRunning) throw new Error(`Deluge has ended. ${child.stderr}`);
      const lines = await readFile(join(home, 'auth'), 'utf8').catch(() => '');
      return /^localclient:([^:]+):/m.exec(lines)?.[1];
    });
    const session = await PythonSession.start('Deluge', SCRIPT, {
      args: ['127.0.0.1', String(port), 'localclient', password],
    });
    await waitUntil('Deluge answering', TIMEOUT_MS, () => session.call('connect').catch(() => undefined));
    return new Deluge(child, session);
  }

  async call<Result>(method: string, ...args: readonly unknown[]): Promise<Result> {
    return (await this.session.call('call', { method, args })).result as Result;
  }

  list(): Promise<Readonly<Record<string, Listed>>> {
    return this.call('core.get_torrents_status', {}, FIELDS);
  }

  async stop(): Promise<void> {
    await this.session.close();
    await this.child.stop();
  }
}

async function fill(client: Deluge, downloads: string, torrents: readonly OwnedTorrent[]) {
  const options = { download_location: downloads, add_paused: true };
  for (const { made, key, isMagnet, wants, name } of torrents) {
    if (isMagnet) {
      const magnet = `magnet:?xt=urn:btih:${made.infoHash}&dn=${encodeURIComponent(name)}`;
      await client.call('core.add_torrent_magnet', magnet, options);
      continue;
    }
    const bytes = Buffer.from(made.torrentBytes).toString('base64');
    const wanted = wants === 'second file skipped' ? { file_priorities: [4, 0, 4] } : {};
    await client.call('core.add_torrent_file', `${key}.torrent`, bytes, { ...options, ...wanted });
  }
  const own = torrents.filter(({ isMagnet }) => !isMagnet).map(({ made }) => String(made.infoHash));
  await client.call('core.force_recheck', own);
  const settled = await waitUntil('all checked', TIMEOUT_MS, async () => {
    const listed = await client.list();
    const isOver = own.every((id) => {
      const { state, total_wanted: wanted, total_remaining: left } = listed[id]!;
      return state === 'Paused' && left < wanted;
    });
    return isOver ? listed : undefined;
  });
  const hashOf = (key: string) => String(torrents.find((torrent) => torrent.key === key)!.made.infoHash);
  await client.call('core.rename_files', hashOf('renamed'), [[0, 'renamed/other/ä: a.bin']]);
  await client.call('core.set_torrent_options', [hashOf('many')], {
    stop_at_ratio: true,
    stop_ratio: 2.5,
    max_upload_speed: 100,
  });
  await client.call('core.enable_plugin', 'Label');
  await client.call('label.add', 'films');
  await client.call('label.set_torrent', hashOf('many'), 'films');
  const running = torrents
    .filter(({ wants, key }) => wants !== 'paused' && key !== 'part')
    .map(({ made }) => String(made.infoHash));
  await client.call('core.resume_torrents', running);
  await waitUntil('resumed', TIMEOUT_MS, async () => {
    const listed = await client.list();
    return running.every((id) => listed[id]!.state !== 'Paused') || undefined;
  });
  return settled;
}

/** Two JSON documents behind one another, as it writes them. */
export async function writeDelugeConfig(home: string): Promise<void> {
  const port = await freePort();
  const settings = {
    ...{ listen_ports: [port, port], random_port: false, listen_interface: '127.0.0.1' },
    ...{ dht: false, lsd: false, upnp: false, natpmp: false, utpex: false, new_release_check: false },
    ...{ max_active_limit: -1, max_active_downloading: -1, max_active_seeding: -1, dont_count_slow_torrents: false },
  };
  await writeFile(join(home, 'core.conf'), `${JSON.stringify({ file: 1, format: 1 })}${JSON.stringify(settings)}`);
}

export const delugeClient: ForeignClient = {
  program: deluge,
  from: 'deluge',
  keepsOddNames: true,
  category: 'films',
  async collect(home, downloads, torrents) {
    await mkdir(home, { recursive: true });
    await writeDelugeConfig(home);
    const client = await Deluge.start(home);
    const listed = await fill(client, downloads, torrents).finally(() => client.stop());
    const facts = torrents
      .filter(({ isMagnet }) => !isMagnet)
      .map(({ made, wants, key }) => {
        const { total_wanted: wanted, total_remaining: left, time_added: addedAt } = listed[made.infoHash]!;
        const isPaused = wants === 'paused' || key === 'part';
        return [String(made.infoHash), { bytesDone: wanted - left, isPaused, addedAt: Math.floor(addedAt) }] as const;
      });
    return {
      path: home,
      facts: new Map(facts),
      // The one of Debian 12 forgets magnets without metadata at each start, whoever has read its state.
      async loadAgain() {
        const again = await Deluge.start(home);
        let last = 0;
        const isThere = async () => (last = Object.keys(await again.list()).length) === facts.length || undefined;
        await waitUntil('loaded again', TIMEOUT_MS, isThere, () => `${last} torrents`).finally(() => again.stop());
      },
    };
  },
};

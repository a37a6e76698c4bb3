// qBittorrent without a window, in a profile of its own: its WebAPI on a free port, everything on loopback, nothing that
// looks for peers by itself.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../free-port.js';
import { startChild } from '../peers/child-process.js';
import type { Program } from '../peers/index.js';
import { makeScratch } from '../peers/scratch.js';
import { waitUntil } from '../peers/wait-until.js';
import type { Target } from './target.js';

const START_TIMEOUT_MS = 30_000;
/** What every version before 4.6.1 starts with. */
const FIRST_ACCOUNT = { username: 'admin', password: 'adminadmin' };

let available: boolean | null = null;

export const qbittorrentNox: Program = {
  name: 'qBittorrent',
  debianPackage: 'qbittorrent-nox',
  isAvailable: () => (available ??= spawnSync('qbittorrent-nox', ['--version']).status === 0),
};

export async function startQbittorrent(): Promise<Target> {
  const home = await makeScratch('qbittorrent');
  const savePath = join(home.path, 'downloads');
  const [port, peerPort] = [await freePort(), await freePort()];
  const folder = join(home.path, 'qBittorrent', 'config');
  await mkdir(folder, { recursive: true });
  await mkdir(savePath);
  await writeFile(join(folder, 'qBittorrent.conf'), configuration(savePath, port, peerPort));
  const child = await startChild('qbittorrent-nox', [`--profile=${home.path}`, `--webui-port=${port}`], {
    env: { HOME: home.path, http_proxy: undefined, HTTP_PROXY: undefined, all_proxy: undefined, ALL_PROXY: undefined },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('qBittorrent answering', START_TIMEOUT_MS, () =>
    fetch(`${url}/api/v2/app/version`).then(
      ({ status }) => (status === 403 ? true : undefined),
      () => {
        if (!child.isRunning) throw new Error(`qBittorrent has ended. ${child.stderr}`);
        return undefined;
      },
    ),
  );
  return {
    name: 'qBittorrent',
    url,
    ...FIRST_ACCOUNT,
    savePath,
    get stderr() {
      return child.stderr;
    },
    async close() {
      await child.stop();
      await home.remove();
    },
  };
}

function configuration(savePath: string, port: number, peerPort: number): string {
  const sections = {
    LegalNotice: { Accepted: true },
    Network: { PortForwardingEnabled: false },
    Preferences: { 'WebUI\\Address': '127.0.0.1', 'WebUI\\Port': port, 'WebUI\\UseUPnP': false },
    BitTorrent: {
      'Session\\DefaultSavePath': savePath,
      'Session\\DHTEnabled': false,
      'Session\\LSDEnabled': false,
      'Session\\Interface': 'lo',
      'Session\\InterfaceName': 'lo',
      'Session\\InterfaceAddress': '127.0.0.1',
      'Session\\Port': peerPort,
      // Trackers of tests are on this machine.
      'Session\\SSRFMitigation': false,
      'Session\\QueueingSystemEnabled': false,
    },
  };
  return Object.entries(sections)
    .map(([name, fields]) => [`[${name}]`, ...Object.entries(fields).map(([key, value]) => `${key}=${value}`), ''])
    .flat()
    .join('\n');
}

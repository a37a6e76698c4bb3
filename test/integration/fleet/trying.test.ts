// `npm run fleet` as a person starts it: what is done at one front is seen at the other, and nothing is left of it in the end.
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import { LiveSocket } from '../../support/browser.js';
import { ApiClient, signIn } from '../../support/daemon.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { startChild, type Child } from '../../support/peers/child-process.js';
import { testWith } from '../../support/peers/index.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { postgres } from '../../support/postgres.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const MAIN = fileURLToPath(new URL('../../../fleet/main.js', import.meta.url));
const TIMEOUT_MS = 60_000;
/** Nothing leaves this machine. */
const INSIDE = { SWARMD_DHT: 'off', SWARMD_LSD: 'off', SWARMD_UPNP: 'off' };

interface Started {
  readonly child: Child;
  readonly urls: readonly string[];
  readonly password: string;
  readonly directory: string;
  pidOf(role: string): number;
}

async function startFleet(t: Test, args: readonly string[]): Promise<Started> {
  const lines: string[] = [];
  const child = await startChild(process.execPath, [MAIN, ...args], {
    env: INSIDE,
    onLine: (line) => lines.push(line),
  });
  t.teardown(() => child.stop());
  await waitUntil('it is ready', TIMEOUT_MS, () => {
    if (!child.isRunning) throw new Error(`it has ended: ${child.stderr}`);
    return lines.find((line) => line.startsWith('swarmd fleet ready'));
  });
  const found = (pattern: RegExp): string[] => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
  return {
    child,
    urls: found(/^front-\d+ .*(http:\S+)$/),
    password: found(/^sign in +admin, (\S+)/)[0] ?? '',
    directory: found(/^directory +([^,;]+)/)[0] ?? '',
    pidOf: (role) => Number(found(new RegExp(`^${role} +pid (\\d+)`))[0]),
  };
}

/** A folder that the user `postgres` gets to. */
async function openDirectory(): Promise<string> {
  const directory = await temporaryDirectory();
  await chmod(directory, 0o711);
  return directory;
}

/** The processes that a process has started, those of these, and so on. */
function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendantsOf)];
}

const leftOf = (pids: readonly number[]): number[] => pids.filter((pid) => existsSync(`/proc/${pid}`));

void testWith(t, postgres, 'a torrent of one front is seen at the other, and nothing is left at the end', async (t) => {
  const { child, urls, password, directory } = await startFleet(t, ['--nodes', '2', '--fronts', '2']);
  const [here = '', there = ''] = urls;
  const headers = { authorization: `Bearer ${await signIn(here, password)}` };
  const [one, other] = [here, there].map((url) => new ApiClient(url, headers, () => child.stderr));
  await waitUntil('the key is known there', TIMEOUT_MS, async () =>
    (await other!.api('GET', '/api/me')).status === 200 ? true : undefined,
  );
  const socket = new LiveSocket(there, headers);
  const made = makeTorrent({ name: 'tried', pieceLength: 16_384, files: seededBytes(1, 40_000) });
  await one!.addTorrentFile(made.torrentBytes);
  let seen: TorrentDto | undefined;
  while (!seen) {
    seen = (await socket.next<TorrentDto[]>('torrents:tick')).find(({ id }) => id === made.infoHash);
  }
  t.equal(seen.save_path, join(directory, 'engine-1'));
  await socket.close();

  const pids = descendantsOf(child.pid);
  t.ok(pids.length >= 2 + 2 + 2, `${pids.length} processes`);
  t.match(await child.stop(), { code: 0 });
  t.same(leftOf(pids), [], 'no process');
  t.notOk(existsSync(directory), 'and no file');
});

void testWith(
  t,
  postgres,
  'what ends by itself is named with its last words; a directory that is given is kept',
  async (t) => {
    const dir = join(await openDirectory(), 'fleet');
    const { child, password, pidOf } = await startFleet(t, ['--nodes', '2', '--fronts', '1', '--dir', dir]);
    process.kill(pidOf('engine-2'), 'SIGKILL');
    await waitUntil(
      'it is told',
      TIMEOUT_MS,
      () => /engine-2 has ended by itself \(SIGKILL\)/.test(child.stderr) || undefined,
    );
    t.match(child.stderr, /swarmd engine ready unix:/);
    t.ok(child.isRunning, 'the others go on');
    t.match(await child.stop('SIGINT'), { code: 0 });
    const again = await startFleet(t, ['--nodes', '2', '--fronts', '1', '--dir', dir]);
    t.equal(again.password, password);
    await signIn(again.urls[0] ?? '', password);
  },
);

void testWith(t, postgres, 'what cannot start is named, and nothing is left', async (t) => {
  const dir = await temporaryDirectory();
  await writeFile(join(dir, 'film'), 'x');
  const foreign = await startChild(process.execPath, [MAIN, '--dir', dir]);
  t.match(await foreign.exited, { code: 1 });
  t.match(foreign.stderr, /--dir: .* has something else in it/);

  const broken = join(await openDirectory(), 'fleet');
  await mkdir(join(broken, 'postgres'), { recursive: true });
  // In place of a data directory.
  await mkdir(join(broken, 'state'));
  await writeFile(join(broken, 'state', 'engine-1'), 'x');
  const child = await startChild(process.execPath, [MAIN, '--nodes', '1', '--fronts', '1', '--dir', broken], {
    env: INSIDE,
  });
  t.match(await child.exited, { code: 1 });
  t.match(child.stderr, /swarmd fleet: engine-1 has not started \(exit code 1\):\nswarmd engine: /);
  t.notOk(existsSync(join(broken, 'postgres', 'data', 'postmaster.pid')), 'PostgreSQL has ended in order');
});

// A daemon with two engines in memory behind streams: that of the administrator and one of an account, each with its root and one that
// both share.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { UserDto } from '../../shared-protocol/dto/accounts.js';
import { createInProcessTransport } from './in-process-transport.js';
import { parseInfoHash, type TorrentId } from '../../shared-protocol/ids.js';
import { startHarness, type Harness } from './api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from './browser.js';
import { startHostedGroup } from './hosted-group.js';
import { MemoryEngine } from './memory-engine.js';
import { temporaryDirectory } from './temporary-directory.js';

const PASSWORD = 'correct horse';

export const torrentId = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));
export const magnetOf = (n: number): string => `magnet:?xt=urn:btih:${torrentId(n)}&dn=${n}`;

/** `beside`: what is in the file of the engines beside them. */
export async function startTwoEngines(t: Test, beside: object = {}) {
  // The daemon has its engines from here, whichever the run of tests is for.
  const wanted = process.env['SWARMD_TEST_ENGINE'];
  process.env['SWARMD_TEST_ENGINE'] = '';
  t.teardown(() => void (process.env['SWARMD_TEST_ENGINE'] = wanted ?? ''));
  const base = await temporaryDirectory();
  const roots = { first: join(base, 'first'), second: join(base, 'second') };
  const shared = join(base, 'shared');
  for (const root of [...Object.values(roots), shared]) await mkdir(root);
  const engines = { first: new MemoryEngine(), second: new MemoryEngine() };
  const group = await startHostedGroup(
    (['first', 'second'] as const).map((name) => ({
      name,
      createEngine: () => createInProcessTransport(engines[name].handlers),
      options: {
        roots: [
          { name: 'data', path: roots[name] },
          { name: 'tank', path: shared, isShared: true },
        ],
      },
    })),
    beside,
  );
  const [first, second] = [group.hosts[0]!, group.hosts[1]!];
  const dataDir = join(base, 'front');
  const startFront = (): Promise<Harness> =>
    startHarness({ dataDir, args: [...THROUGH_A_PROXY, '--engines', group.file, '--save-path', roots.first] });
  let front: Harness = await startFront();
  const { password } = front;
  t.teardown(async () => {
    await front.close();
    await group.close();
  });
  const flush = (): void => {
    first.flush();
    second.flush();
  };
  const signIn = async (name = 'admin', given = password): Promise<Client> =>
    scriptOf(front, await openBrowser(front, name, given));
  const admin = await signIn();
  return {
    ...{ base, roots, shared, engines, hosts: { first, second }, enginesFile: group.file, admin, flush },
    front: () => front,
    /** The administrator of the front that takes its place. */
    async restartFront(between: () => Promise<void> = () => Promise.resolve()): Promise<Client> {
      await front.close();
      await between();
      front = await startFront();
      return signIn();
    },
    async account(username: string, fields: object = {}): Promise<{ readonly client: Client; readonly id: number }> {
      const given = { username, password: PASSWORD, perm_add_torrents: true, ...fields };
      const { id } = await admin.ask<UserDto>('POST', '/api/users', given);
      return { client: await signIn(username, PASSWORD), id };
    },
    again: (username: string): Promise<Client> => signIn(username, PASSWORD),
  };
}

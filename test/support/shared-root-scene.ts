// Two engine processes that share a root, each with one of its own besides, and a daemon as the front of both.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { EngineDto } from '../../shared-protocol/dto/engines.js';
import type { TorrentDto } from '../../shared-protocol/dto/torrents.js';
import { MAIN, startDaemon } from './daemon.js';
import { startOwnEngine, type OwnEngine } from './own-engine.js';
import { waitUntil } from './peers/wait-until.js';
import { temporaryDirectory } from './temporary-directory.js';

const TIMEOUT_MS = 120_000;

export async function startSharedRootScene(t: Test) {
  // What is started by hand here is not started once more by the daemon under test.
  process.env['SWARMD_TEST_ENGINE'] = '';
  const base = await temporaryDirectory();
  const shared = join(base, 'shared');
  await mkdir(shared);
  const engines = new Map<string, OwnEngine>();
  const start = async (name: string): Promise<OwnEngine> => {
    const [root, scratch] = [join(base, `${name}-root`), join(base, `${name}-scratch`)];
    await mkdir(root, { recursive: true });
    await mkdir(scratch, { recursive: true });
    const args = ['--roots', `own=${root}`, '--shared-roots', `tank=${shared}`];
    const engine = await startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, name), scratch, args });
    engines.set(name, engine);
    return engine;
  };
  const entries = [];
  for (const name of ['a', 'b']) {
    const [, address = '', , tokenFile = ''] = (await start(name)).flags;
    entries.push({ name, address, token_file: tokenFile });
  }
  t.teardown(() => Promise.all([...engines.values()].map(({ child }) => child.stop('SIGKILL'))));
  const file = join(base, 'engines.json');
  await writeFile(file, JSON.stringify({ engines: entries, take_over_after_s: 20 }));
  const front = await startDaemon({ dataDir: join(base, 'front'), savePath: shared, args: ['--engines', file] });
  t.teardown(async () => void (await front.stop()));
  const states = async () => (await front.api<EngineDto[]>('GET', '/api/engines')).json;
  return {
    ...{ front, shared, start, states },
    ownRoot: (name: string) => join(base, `${name}-root`),
    engine: (name: string) => engines.get(name)!,
    list: async () => (await front.api<TorrentDto[]>('GET', '/api/torrents')).json,
    /** Resolves when so many torrents are shown of an engine, and it is there. */
    has: (wanted: string, torrents: number) =>
      waitUntil(
        `${wanted} has ${torrents} torrents`,
        TIMEOUT_MS,
        async () => {
          const state = (await states()).find(({ name }) => name === wanted);
          return (state?.torrents === torrents && state.away_since === null) || undefined;
        },
        () => [...engines].map(([name, { child }]) => `${name}: ${child.stderr}`).join('\n'),
      ),
  };
}

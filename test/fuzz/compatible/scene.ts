// An API process with two torrents of its administrator, who calls it by their API keys, and all that strangers could
// have changed.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { EVERY_FLAG } from '../../contract/api/runner/matrix.js';
import { World } from '../../contract/api/runner/world.js';
import { sender, type SentRequest } from '../sender.js';
import type { Answer } from '../../support/api-harness.js';

export const TORRENT_IDS = ['1', '2'].map((digit) => digit.repeat(40));
const REFILL_EVERY = 50;
/** All lists and settings that an administrator can read; none of them tells the time. */
const SETTINGS = [
  ...['adding', 'blocklist', 'compatible', 'limits', 'network', 'peer_limits', 'queue_limits', 'save_path'],
  ...['seeding_defaults', 'seeding_rules', 'watch_folder', 'web'],
];
const STATE = ['torrents', 'categories', 'tags', 'users', 'feeds', ...SETTINGS.map((name) => `settings/${name}`)];

export type CallerName = 'admin' | 'every flag' | 'no flag' | 'nobody';

export interface FuzzScene {
  readonly world: World;
  /** Sent as the caller; torrents that were deleted come back every now and then. */
  send(caller: CallerName, request: SentRequest): Promise<Answer>;
  /** Lists and settings as text. */
  state(): Promise<string>;
  /** What was left unhandled, and what would have ended the process. */
  faults(): readonly unknown[];
}

export async function startScene(t: Test): Promise<FuzzScene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-fuzz-'));
  const world = await World.start([], dataDir);
  const { send, end } = sender();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.teardown(async () => {
    process.off('unhandledRejection', note);
    end();
    await world.close();
    await rm(dataDir, { recursive: true });
  });
  const noFlag = await world.caller({ name: 'no flag', isAdmin: false, permissions: [] });
  const everyFlag = await world.caller(EVERY_FLAG);
  const credentials: Readonly<Record<CallerName, string>> = {
    admin: world.admin.bearer['authorization'] ?? '',
    'every flag': everyFlag.bearer['authorization'] ?? '',
    'no flag': noFlag.bearer['authorization'] ?? '',
    nobody: '',
  };
  const { url } = world.harness.daemon;
  let sent = 0;
  await refill(world, credentials.admin);
  return {
    world,
    async send(caller, request) {
      if (caller !== 'nobody' && caller !== 'no flag' && ++sent % REFILL_EVERY === 0)
        await refill(world, credentials.admin);
      return send(url, request, credentials[caller]);
    },
    async state() {
      const texts = STATE.map(async (path) => {
        const { status, text } = await world.harness.call('GET', `/api/${path}`, { headers: world.admin.bearer });
        if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
        return `${path}: ${text}`;
      });
      return (await Promise.all(texts)).join('\n');
    },
    faults: () => [...unhandled, ...world.harness.fatal],
  };
}

async function refill({ harness }: World, authorization: string): Promise<void> {
  for (const id of TORRENT_IDS) {
    const body = { magnet: `magnet:?xt=urn:btih:${id}&dn=refilled`, save_path: harness.filesDir };
    await harness.call('POST', '/api/torrents/magnet', { headers: { authorization }, body });
  }
}

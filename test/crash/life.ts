// The scripted lives of a daemon whose writes are recorded: every kind of change that its API acknowledges, downloads
// in between, an orderly end and a kill. What each answer promised is noted, to be looked for after each power cut.
import { join } from 'node:path';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { KIB, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed, type ScriptedSeed } from '../support/peers/scripted-seed.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { straceInto } from './strace.js';

const TOTAL_BYTES = 300 * KIB + 123;
const PIECE_LENGTH = 16 * KIB;
const TIMEOUT_MS = 60_000;
/** Sign-in and rotation of the key, by which every test begins. */
const ANSWERS_OF_SIGN_IN = 2;

/** Facts by name, as `facts.ts` reads them from the stores. */
export type Facts = Readonly<Record<string, unknown>>;

/** Once this many answers have begun, these facts hold until they are changed again. */
export interface Promised {
  readonly answers: number;
  readonly facts: Facts;
}

export interface Recorded {
  /** Below it lie `data` and `downloads`. */
  readonly root: string;
  readonly payloads: readonly Payload[];
  readonly logs: readonly string[];
  readonly answers: number;
  readonly promised: readonly Promised[];
}

export async function recordLives(root: string, sources: string): Promise<Recorded> {
  const payloads: Payload[] = [];
  for (const seed of [1, 2, 3]) payloads.push(await writePayload(sources, TOTAL_BYTES, PIECE_LENGTH, seed));
  const [first, second, third] = payloads as [Payload, Payload, Payload];
  const logs: string[] = [];
  const promised: Promised[] = [];
  let answers = 0;
  for (const [index, script] of [firstLife, secondLife, lastLife].entries()) {
    const recording = await straceInto(join(sources, `trace-${index}`));
    const home = { dataDir: join(root, 'data'), savePath: join(root, 'downloads') };
    const daemon = await startDaemon({ ...home, launcher: recording.launcher });
    const life = new Life(daemon, answers + ANSWERS_OF_SIGN_IN, promised);
    try {
      await script(life, first, second, third);
    } finally {
      life.end();
      await daemon.kill();
    }
    logs.push(await recording.finished());
    answers = life.answers;
  }
  return { root, payloads, logs, answers, promised };
}

/** Everything that people edit, and two downloads. */
async function firstLife(life: Life, first: Payload, second: Payload): Promise<void> {
  await life.put('/api/settings/limits', LIMITS, { limits: LIMITS });
  const queue = { max_active_downloads: 7, max_active_seeds: 9, stalled_minutes: 11 };
  await life.put('/api/settings/queue_limits', queue, { queue_limits: queue });
  await life.post('/api/categories', { name: 'films', default_save_path: '', color: '' }, { categories: ['films'] });
  await life.post('/api/tags', { name: 'new', color: '' }, { tags: ['new'] });
  await life.post('/api/users', { username: 'bob', password: 'correct horse' }, { accounts: ['admin', 'bob'] });
  await life.post('/api/schedule_rules', RULE, { rules: 1 });
  await life.post('/api/feeds', { url: 'https://feeds.invalid/', name: 'a feed', interval_min: 0, enabled: true }, { feeds: ['a feed'] }); // prettier-ignore
  await life.add(first);
  await life.download(first);
  await life.torrentPost(first, 'category', { category_id: 1 }, 'categoryId', 1);
  await life.post('/api/tags/assign', { infohash: first.infoHash, tag_id: 1 }, { [`${first.name} tagIds`]: [1] });
  await life.add(second);
  await life.torrentPost(second, 'sequential', { enabled: true }, 'sequential', true);
  await life.torrentPost(second, 'file_priorities', { priorities: { 1: 'skip' } }, 'filePriorities', ['normal', 'skip', 'normal']); // prettier-ignore
  await life.download(second);
  await life.daemon.stop();
}

/** Changes of what is there, a recheck, a deletion with its data, and a kill in the middle of a download. */
async function secondLife(life: Life, first: Payload, second: Payload, third: Payload): Promise<void> {
  const path = `/api/torrents/${first.infoHash}`;
  await life.put(`${path}/seed_policy`, { use_global: false, ratio_limit: 2.5, time_min_limit: null }, { [`${first.name} seedPolicy`]: { ratioLimit: 2.5, minutesLimit: null } }); // prettier-ignore
  await life.put(`${path}/rate_limits`, { down_kbps: 8, up_kbps: 16 }, { [`${first.name} rateLimits`]: { downBytesPerSec: 8192, upBytesPerSec: 16384 } }); // prettier-ignore
  await life.post(`${path}/shares`, { user_id: 2, access: 'viewer' }, { [`${first.name} shares`]: [{ accountId: 2, access: 'viewer' }] }); // prettier-ignore
  await life.post(`${path}/recheck`, undefined, {});
  await life.post(`${path}/pause`, undefined, { [`${first.name} paused`]: true });
  const limits = { ...LIMITS, up_kbps: 4321 };
  await life.put('/api/settings/limits', limits, { limits });
  await life.add(third);
  await life.download(third);
  await life.send('DELETE', `/api/torrents/${second.infoHash}?delete=1`, undefined, { [`${second.name} present`]: false }); // prettier-ignore
  await life.send('DELETE', '/api/categories/1', undefined, { categories: [] });
  await life.post(`${path}/resume`, undefined, { [`${first.name} paused`]: false });
  await life.daemon.kill();
}

/** After the kill: what was not recorded is checked, then an orderly end. */
async function lastLife(life: Life, first: Payload, second: Payload, third: Payload): Promise<void> {
  await life.settled(third);
  await life.add(second);
  await life.torrentPost(third, 'force_start', { force: true }, 'forceStart', true);
  await life.download(second);
  await life.post(`/api/torrents/${first.infoHash}/pause`, undefined, { [`${first.name} paused`]: true });
  await life.daemon.stop();
}

const LIMITS = { down_kbps: 0, up_kbps: 1234, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false };
const RULE = { id: 0, days_mask: 127, start_min: 1320, end_min: 360, down_kbps: 100, up_kbps: 0, alt_only: true, enabled: true }; // prettier-ignore
const NEW_TORRENT = { present: true, paused: false, sequential: false, filePriorities: null, categoryId: null };

class Life {
  readonly #seeds: ScriptedSeed[] = [];

  /** Requests are made one after another, so that answers can be told by their number. */
  constructor(
    readonly daemon: DaemonUnderTest,
    public answers: number,
    private readonly promised: Promised[],
  ) {}

  put = (path: string, body: unknown, facts: Facts) => this.send('PUT', path, body, facts);
  post = (path: string, body: unknown, facts: Facts) => this.send('POST', path, body, facts);

  async send(method: string, path: string, body: unknown, facts: Facts): Promise<unknown> {
    const { status, json } = await this.daemon.api<unknown>(method, path, body);
    this.answers++;
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(json)}`);
    this.promised.push({ answers: this.answers, facts });
    return json;
  }

  async torrentPost({ infoHash, name }: Payload, change: string, body: object, fact: string, value: unknown) {
    await this.post(`/api/torrents/${change}`, { infohash: infoHash, ...body }, { [`${name} ${fact}`]: value });
  }

  async add(payload: Payload): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([payload.torrent()]), 'test.torrent');
    const facts = Object.entries(NEW_TORRENT).map(([fact, value]) => [`${payload.name} ${fact}`, value] as const);
    await this.post('/api/torrents/file', form, Object.fromEntries(facts));
  }

  async download(payload: Payload): Promise<void> {
    this.#seeds.push(await connectSeed(payload, this.daemon.peerPort, Infinity));
    await this.#until(payload, (torrent) => torrent.completed === true);
  }

  async settled(payload: Payload): Promise<void> {
    await this.#until(payload, (torrent) => torrent.verifying === false);
  }

  end(): void {
    for (const seed of this.#seeds) seed.destroy();
  }

  async #until(payload: Payload, isMet: (torrent: Readonly<Record<string, unknown>>) => boolean): Promise<void> {
    await waitUntil(payload.name, TIMEOUT_MS, async () => {
      const torrents = (await this.send('GET', '/api/torrents', undefined, {})) as Readonly<Record<string, unknown>>[];
      return torrents.some((torrent) => torrent['id'] === payload.infoHash && isMet(torrent)) || undefined;
    });
  }
}

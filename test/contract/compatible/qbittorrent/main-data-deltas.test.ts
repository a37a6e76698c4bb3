// Whatever happens to torrents and labels between its requests, a page that applies what `sync/maindata` tells it shows what
// one shows that asks for everything: random changes, from a seed that is told.
import { randomInt } from 'node:crypto';
import t from 'tap';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import { MainDataPage, type MainDataAnswer } from '../../../support/main-data-page.js';
import { startToolScene, type Tool, type ToolScene } from '../../../support/qbittorrent-scene.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const ROUNDS = 40;
const HASHES = Array.from({ length: 30 }, (_, index) => (index + 1).toString(16).padStart(40, '0'));

class Scene {
  readonly #there = new Set<string>();
  readonly #labels = { categories: new Set<number>(), tags: new Set<number>() };
  #made = 0;

  constructor(
    private readonly scene: ToolScene,
    private readonly random: () => number,
  ) {}

  async change(): Promise<void> {
    const changes = [
      () => this.#add(),
      () => this.#add(),
      () => this.#remove(),
      () => this.#progress(),
      () => this.#progress(),
      () => this.#progress(),
      () => this.#label(),
      () => this.#makeLabel('categories'),
      () => this.#makeLabel('tags'),
      () => this.#dropLabel(),
      () => this.#share(),
      () => this.#rule(),
      () => this.#facts(),
    ];
    await this.#any(changes)?.();
  }

  #any<Item>(items: Iterable<Item>): Item | undefined {
    const all = [...items];
    return all[Math.floor(this.random() * all.length)];
  }

  async #add(): Promise<void> {
    const hash = this.#any(HASHES)!;
    if (this.#there.has(hash)) return;
    this.#there.add(hash);
    const trackers = [0, 1, 2].filter(() => this.random() < 0.5).map((host) => `&tr=udp://${host}.example:1`);
    const magnet = `magnet:?xt=urn:btih:${hash}&dn=${hash.slice(-2)}${trackers.join('')}`;
    await this.scene.ann.own('POST', '/api/torrents/magnet', { magnet });
  }

  async #remove(): Promise<void> {
    const hash = this.#any(this.#there);
    if (hash === undefined) return;
    this.#there.delete(hash);
    await this.scene.ann.own('DELETE', `/api/torrents/${hash}`);
  }

  #progress(): Promise<void> {
    const hash = this.#any(this.#there);
    if (hash === undefined) return Promise.resolve();
    const flags = this.random() < 0.3 ? TORRENT_FLAGS.completed : 0;
    const some = () => Math.floor(this.random() * 5);
    const peers = { peers: 5 + some(), seeds: some(), workingTracker: some() - 1, swarmSeeds: some() - 1 };
    const bytes = { wantedBytes: 10, wantedDone: some(), bytesDone: some(), totalUp: some() };
    const times = { activeSeconds: some(), seedingSeconds: some() };
    this.scene.harness.engine.setStats(parseInfoHash(hash), {
      ...{ flags, downloadRate: some(), uploadRate: some(), lastActivityAt: some() },
      ...peers,
      ...bytes,
      ...times,
    });
    return Promise.resolve();
  }

  #facts(): Promise<void> {
    const hash = this.#any(this.#there);
    const change = { hasMetadata: true, isPrivate: this.random() < 0.5, totalBytes: 10, completedAt: 7 };
    if (hash !== undefined) this.scene.harness.engine.setFacts(parseInfoHash(hash), change);
    return Promise.resolve();
  }

  async #label(): Promise<void> {
    const infohash = this.#any(this.#there);
    if (infohash === undefined) return;
    const [category_id, tag_id] = [this.#any(this.#labels.categories) ?? null, this.#any(this.#labels.tags)];
    await this.scene.ann.own('POST', '/api/torrents/category', { infohash, category_id });
    if (tag_id !== undefined) await this.scene.ann.own('POST', '/api/tags/assign', { infohash, tag_id });
  }

  async #makeLabel(kind: 'categories' | 'tags'): Promise<void> {
    const body = { name: `label ${++this.#made}`, default_save_path: '', color: '#000000' };
    const { id } = await this.scene.ann.own<{ id: number }>('POST', `/api/${kind}`, body);
    this.#labels[kind].add(id);
  }

  async #dropLabel(): Promise<void> {
    const kind = this.random() < 0.5 ? 'categories' : 'tags';
    const id = this.#any(this.#labels[kind]);
    if (id === undefined) return;
    this.#labels[kind].delete(id);
    await this.scene.ann.own('DELETE', `/api/${kind}/${id}`);
  }

  async #share(): Promise<void> {
    const hash = this.#any(this.#there);
    const { ann, bob } = this.scene;
    if (hash === undefined) return;
    const path = `/api/torrents/${hash}/shares`;
    const access = this.#any(['viewer', 'editor', 'none'] as const);
    if (access !== 'none') await ann.own('POST', path, { user_id: bob.accountId, access });
    else await ann.own('DELETE', `${path}/${bob.accountId}`).catch(() => undefined);
  }

  async #rule(): Promise<void> {
    const defaults = { ratio_limit: Math.floor(this.random() * 3), time_min_limit: null };
    await this.scene.admin.own('PUT', '/api/settings/seeding_defaults', defaults);
  }
}

/** Both are of one version where they have one number. */
async function sameVersion(tool: Tool, page: MainDataPage): Promise<MainDataPage> {
  for (;;) {
    const fresh = new MainDataPage();
    fresh.apply(await tool.read<MainDataAnswer>('sync/maindata'));
    page.apply(await tool.read<MainDataAnswer>('sync/maindata', { rid: String(page.rid) }));
    if (fresh.rid === page.rid) return fresh;
  }
}

void t.test('differences lead to what there is', async (t) => {
  const seed = process.env['SEED'] ?? String(randomInt(2 ** 32));
  const chance = new SeededRandom(Number(seed));
  const random = () => chance.below(1_000) / 1_000;
  const scene = await startToolScene(t);
  const changes = new Scene(scene, random);
  const pages = [scene.admin, scene.ann, scene.bob].map((tool) => ({ tool, page: new MainDataPage() }));
  let differences = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let count = Math.floor(random() * 4); count >= 0; count--) await changes.change();
    for (const { tool, page } of pages) {
      // Some ask less often.
      if (random() < 0.3) continue;
      if (page.rid !== 0) differences++;
      const fresh = await sameVersion(tool, page);
      t.strictSame(page.shown, fresh.shown, `SEED=${seed} round ${round}`);
    }
  }
  t.ok(differences > ROUNDS / 2);
});

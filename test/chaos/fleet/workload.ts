// What is under way in a fleet while parts of it fail: torrents that come and go, what is set of them, categories. Each change is
// asked of any of the fronts, and noted as promised once it is answered.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetUnderTest } from '../../support/fleet.js';
import { makeTorrent, seededBytes, type MadeTorrent } from '../../support/make-torrent.js';
import type { SeededRandom } from '../../support/seeded-random.js';
import { LISTED_ATTRIBUTES, pick } from '../attributes.js';
import type { Downloads } from './downloads.js';
import { FleetCategory, FleetTorrent, LISTED_NAMES, type Content, type FleetModel } from './model.js';
import type { Promised } from '../promises.js';

const WORKERS = 4;
const LONGEST_REST_MS = 40;
/** After that a worker goes on with something else, and the answer is waited for besides. */
const PATIENCE_MS = 1_000;
const MOST_TORRENTS = 40;
const MOST_CATEGORIES = 12;
const MOST_DOWNLOADS = 6;
const PIECE_LENGTH = 16_384;
const DOWNLOAD_BYTES = 1_500_000;

interface Answered {
  readonly status: number;
  readonly json: unknown;
}

const NOT_ASKED: Answered = { status: 0, json: null };

export class Workload {
  acknowledged = 0;
  #made = 0;
  #isStopped = true;
  #working: Promise<unknown> = Promise.resolve();
  readonly #pending = new Set<Promise<void>>();

  constructor(
    private readonly fleet: FleetUnderTest,
    private readonly model: FleetModel,
    private readonly random: SeededRandom,
    private readonly downloads: Downloads,
  ) {}

  start(): void {
    this.#isStopped = false;
    this.#working = Promise.all(Array.from({ length: WORKERS }, () => this.#work()));
  }

  /** Resolves when what was asked last is answered, or its answer lost. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
    await Promise.all(this.#pending);
  }

  async #work(): Promise<void> {
    while (!this.#isStopped) {
      const pending = pick(this.random, OPERATIONS)(this).finally(() => this.#pending.delete(pending));
      this.#pending.add(pending);
      await Promise.race([pending, sleep(PATIENCE_MS, undefined, { ref: false })]);
      await sleep(this.random.below(LONGEST_REST_MS));
    }
  }

  async addTorrent(): Promise<void> {
    if (this.#torrents(true).length >= MOST_TORRENTS) return;
    const account = this.random.below(this.fleet.engines.length);
    const content = { seed: ++this.#made, length: 20_000 + this.random.below(80_000), isDownloaded: false };
    const [name, files] = [`chaos-${this.#made}`, seededBytes(content.seed, content.length)];
    await writeFile(join(this.fleet.homeOf(account), name), files);
    await this.#add(makeTorrent({ name, pieceLength: PIECE_LENGTH, files }), name, account, content);
  }

  /** On the root that all engines share. */
  async addDownload(): Promise<void> {
    const shared = [...this.fleet.engines.keys()].filter((place) => this.fleet.isShared(this.fleet.homeOf(place)));
    const downloads = this.#torrents(true).filter(({ content }) => content.isDownloaded);
    if (downloads.length >= MOST_DOWNLOADS) return;
    const content = { seed: ++this.#made, length: DOWNLOAD_BYTES + this.random.below(80_000), isDownloaded: true };
    const name = `chaos-${this.#made}`;
    const made = await this.downloads.make(name, seededBytes(content.seed, content.length));
    await this.#add(made, name, pick(this.random, shared), content);
  }

  async #add({ infoHash, torrentBytes }: MadeTorrent, name: string, account: number, content: Content): Promise<void> {
    const isPaused = this.random.below(2) === 0;
    const torrent = new FleetTorrent(infoHash, name, account, content, isPaused);
    this.model.torrents.push(torrent);
    const form = new FormData();
    form.set('save_path', this.fleet.homeOf(account));
    form.set('paused', String(isPaused));
    form.set('file', new Blob([torrentBytes]), `${name}.torrent`);
    await this.#change(torrent.present, true, () => this.#ask(account, 'POST', '/api/torrents/file', form));
  }

  async removeTorrent(): Promise<void> {
    const torrents = this.#torrents(true);
    if (torrents.length < MOST_TORRENTS / 2) return;
    const { present, id, account } = pick(this.random, torrents);
    const flag = this.random.below(2) === 0 ? '?delete=1' : '';
    await this.#change(present, false, () => this.#ask(account, 'DELETE', `/api/torrents/${id}${flag}`));
  }

  async setAttribute(): Promise<void> {
    const torrents = this.#torrents(true);
    if (torrents.length === 0) return;
    const { attributes, id, account } = pick(this.random, torrents);
    const name = pick(this.random, LISTED_NAMES);
    const { choose, ask } = LISTED_ATTRIBUTES[name];
    const value = choose(this.random);
    const client = this.fleet.account(account, this.#front());
    await this.#change(attributes[name], value, () => ask(client, id, value));
  }

  async makeCategory(): Promise<void> {
    if (this.#categories().length >= MOST_CATEGORIES) return;
    const category = new FleetCategory();
    this.model.categories.push(category);
    const name = this.#newName(category);
    const answer = await this.#change(category.name, name, () => this.#categoryCall('POST', '', { name }));
    if (answer) category.id = (answer.json as { readonly id: number }).id;
  }

  async renameCategory(): Promise<void> {
    const category = this.#someCategory();
    if (!category) return;
    const name = this.#newName(category);
    await this.#change(category.name, name, () => this.#categoryCall('PUT', '', { id: category.id, name }));
  }

  async deleteCategory(): Promise<void> {
    const category = this.#someCategory();
    if (!category || this.#categories().length < MOST_CATEGORIES / 2) return;
    await this.#change(category.name, null, () => this.#categoryCall('DELETE', `/${category.id}`));
  }

  /** The answer, where the change was granted. */
  async #change<Value extends string | boolean | null>(
    promised: Promised<Value>,
    value: Value,
    request: () => Promise<Answered>,
  ): Promise<Answered | null> {
    if (promised.isInDoubt) return null;
    promised.ask(value);
    const answer = await request().catch((error: unknown) => (wasAsked(error) ? null : NOT_ASKED));
    // An answer that is lost leaves it in doubt, and so does one that is of a failure on the way.
    if (!answer || (answer.status >= 500 && !isOfAwayEngine(answer))) return null;
    promised.answered(answer.status === 200);
    if (answer.status !== 200) return null;
    this.acknowledged++;
    return answer;
  }

  #ask(account: number, method: string, path: string, body?: unknown): Promise<Answered> {
    return this.fleet.account(account, this.#front()).api(method, path, body);
  }

  #categoryCall(method: string, path: string, fields?: object): Promise<Answered> {
    const body = fields && { default_save_path: '', color: '', ...fields };
    return this.#ask(this.random.below(this.fleet.engines.length), method, `/api/categories${path}`, body);
  }

  #front(): number {
    return this.random.below(this.fleet.fronts.length);
  }

  #newName(category: FleetCategory): string {
    const name = `category ${++this.#made}`;
    category.names.add(name);
    return name;
  }

  #torrents(isPresent: boolean): FleetTorrent[] {
    return this.model.torrents.filter(({ present }) => !present.isInDoubt && present.value === isPresent);
  }

  #categories(): FleetCategory[] {
    return this.model.categories.filter(({ id, name }) => id !== null && !name.isInDoubt && name.value !== null);
  }

  #someCategory(): FleetCategory | null {
    const categories = this.#categories();
    return categories.length > 0 ? pick(this.random, categories) : null;
  }
}

/** Nobody has heard of a request whose connection was refused. */
function wasAsked(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code !== 'ECONNREFUSED';
}

/** Commands to an engine that is away are refused at once, and none is kept for later. */
function isOfAwayEngine({ json }: Answered): boolean {
  return (json as { readonly code?: string } | null)?.code === 'ENGINE_AWAY';
}

/** Some more often than others. */
const OPERATIONS: readonly ((workload: Workload) => Promise<void>)[] = [
  ...[1, 2, 3].map(() => (workload: Workload) => workload.addTorrent()),
  ...[1, 2].map(() => (workload: Workload) => workload.addDownload()),
  ...[1, 2].map(() => (workload: Workload) => workload.removeTorrent()),
  ...[1, 2, 3, 4, 5, 6].map(() => (workload: Workload) => workload.setAttribute()),
  (workload) => workload.makeCategory(),
  (workload) => workload.renameCategory(),
  (workload) => workload.renameCategory(),
  (workload) => workload.deleteCategory(),
];

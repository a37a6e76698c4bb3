// A daemon with real files, the accounts on it, and the models beside it. Owns what survives the daemon's restarts.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { ApiClient, signIn, startDaemon, type DaemonUnderTest, type TorrentView } from '../../support/daemon.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { SeededRandom } from '../../support/seeded-random.js';
import type { Placed } from './files-model.js';
import { POOL, SENTINELS, type PoolTorrent } from './pool.js';
import type { Person, Right } from './rights-model.js';
import { readTree, type Tree } from './tree.js';

export const RIGHTS: readonly Right[] = [
  'perm_add_torrents',
  'perm_share',
  'perm_manage_cat_tags',
  'perm_change_settings',
];
const PASSWORD = 'eight or more';
const ADMIN_ID = 1;

/** TorrentDTO, as far as it is compared. */
export interface Listed extends TorrentView {
  readonly access: string;
  readonly sequential: boolean;
  readonly category_id: number | null;
}

export class World {
  readonly torrents = new Map<string, Placed>();
  readonly people: Person[] = [];
  readonly categories: number[] = [];
  readonly #keys = new Map<number, string>();
  #daemon!: DaemonUnderTest;
  tree!: Tree;

  private constructor(
    readonly random: SeededRandom,
    private readonly state: { readonly dataDir: string; readonly savePath: string },
  ) {}

  static async start(t: Test, seed: number): Promise<World> {
    const scratch = await makeScratch('permissions');
    t.teardown(() => scratch.remove());
    const state = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
    const world = new World(new SeededRandom(seed), state);
    await world.#begin();
    t.teardown(() => world.#daemon.kill());
    return world;
  }

  get daemon(): DaemonUnderTest {
    return this.#daemon;
  }

  get root(): string {
    return this.state.savePath;
  }

  get all(): Placed[] {
    return [...this.torrents.values()];
  }

  get admin(): Person {
    return this.people[0]!;
  }

  person(id: number): Person {
    const found = this.people.find((person) => person.id === id);
    if (!found) throw new Error(`no account ${id}`);
    return found;
  }

  below(bound: number): number {
    return this.random.below(bound);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** Mostly one that is there. */
  anyTorrent(): PoolTorrent {
    const there = this.all.map(({ made }) => made);
    return this.pick(there.length === 0 || this.oneIn(5) ? POOL : there);
  }

  /** Of this person. */
  client({ id }: Person): ApiClient {
    return new ApiClient(
      this.#daemon.url,
      { authorization: `Bearer ${this.#keys.get(id)}` },
      () => this.#daemon.stderr,
    );
  }

  list(person: Person): Promise<readonly Listed[]> {
    return this.client(person).torrents() as Promise<readonly Listed[]>;
  }

  /** As administrators see it. */
  async look({ hash }: PoolTorrent): Promise<Listed | undefined> {
    return (await this.list(this.admin)).find(({ id }) => id === hash);
  }

  /** The tree as it is; the one before is returned. */
  async readTree(): Promise<Tree> {
    const before = this.tree;
    this.tree = await readTree(this.root, before);
    return before;
  }

  /** The same accounts, torrents and files in another run. */
  async restart(how: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await this.#daemon.stop(how);
    await this.#startDaemon();
  }

  async #startDaemon(): Promise<void> {
    this.#daemon = await startDaemon(this.state);
    // The harness has taken a new key for itself.
    this.#keys.set(ADMIN_ID, await signIn(this.#daemon.url, this.#daemon.adminPassword));
  }

  async #begin(): Promise<void> {
    for (const [path, bytes] of Object.entries(SENTINELS)) {
      const at = join(this.root, path);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, bytes);
    }
    this.tree = await readTree(this.root);
    await this.#startDaemon();
    const rights = new Set<Right>();
    this.people.push({ id: ADMIN_ID, username: 'admin', role: 'admin', disabled: false, home: '', rights });
    const admin = this.client(this.admin);
    await this.#signUp(admin, 'ann', ['perm_add_torrents', 'perm_share']);
    await this.#signUp(admin, 'bob', ['perm_add_torrents']);
    await this.#signUp(admin, 'carol', ['perm_add_torrents', 'perm_share'], join(this.root, 'homes', 'carol'));
    for (const name of ['films', 'letters']) {
      const made = await admin.api<{ readonly id: number }>('POST', '/api/categories', {
        name,
        default_save_path: '',
        color: '#112233',
      });
      this.categories.push(made.json.id);
    }
  }

  async #signUp(admin: ApiClient, username: string, given: readonly Right[], home = ''): Promise<void> {
    const rights = Object.fromEntries(given.map((right) => [right, true]));
    const made = await admin.api<{ readonly id: number }>('POST', '/api/users', {
      username,
      password: PASSWORD,
      ...rights,
      home,
    });
    const id = made.json.id;
    this.#keys.set(id, await signIn(this.#daemon.url, PASSWORD, username));
    this.people.push({ id, username, role: 'user', disabled: false, home, rights: new Set(given) });
  }
}

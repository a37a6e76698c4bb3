// A fleet of real processes for tests (fleet/): fronts that are asked by the same keys, an account for each engine, and which front
// leads by its own word. It ends with the directory that it is in, or with this process.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from '../../fleet/fleet.js';
import type { Role } from '../../fleet/role.js';
import type { EngineDto } from '../../shared-protocol/dto/engines.js';
import { ApiClient, signIn } from './daemon.js';
import type { FleetNetwork } from './fleet-network.js';
import { waitUntil } from './peers/wait-until.js';

const TIMEOUT_MS = 30_000;
/** The least that is allowed. */
const TAKE_OVER_AFTER_S = 20;
const PASSWORD = 'correct horse battery';
/** Nothing leaves this machine. */
const INSIDE = { SWARMD_DHT: 'off', SWARMD_LSD: 'off', SWARMD_UPNP: 'off' };
/** A front says so when it begins to lead and when it ends. */
const LEADS = /this front leads( no more)?/;

type Headers = Readonly<Record<string, string>>;

export class FleetUnderTest {
  /** Names of fronts. */
  readonly leading = new Set<string>();
  /** What has ended by itself, with its last lines. */
  readonly died: string[] = [];
  readonly #fleet: Fleet;
  #admin: Headers = {};
  readonly #accounts: Headers[] = [];

  private constructor(directory: string, nodes: number, fronts: number, network: FleetNetwork | null) {
    this.#fleet = new Fleet({
      ...{ directory, nodes, fronts, env: INSIDE, takeOverAfterS: TAKE_OVER_AFTER_S },
      ...(network && { links: network.links }),
      onLine: (role, line) => this.#hear(role, line),
      onDied: ({ name, lastLines }, status) => this.died.push(`${name} (${status})\n${lastLines.join('\n')}`),
    });
  }

  /** `directory`: empty. `network`: made already; null: its roles reach one another by Unix sockets. */
  static async start(
    directory: string,
    nodes: number,
    fronts: number,
    network: FleetNetwork | null = null,
  ): Promise<FleetUnderTest> {
    const made = new FleetUnderTest(directory, nodes, fronts, network);
    try {
      await made.#fleet.start();
      await made.#signIn();
      return made;
    } catch (error) {
      await made.kill();
      throw error;
    }
  }

  get fronts(): Fleet['fronts'] {
    return this.#fleet.fronts;
  }

  get engines(): Fleet['engines'] {
    return this.#fleet.engines;
  }

  get postgres(): Fleet['postgres'] {
    return this.#fleet.postgres;
  }

  /** The folder that an account saves to: every second one is on the root that all engines share. */
  homeOf(account: number): string {
    const engine = this.engines[account]!;
    return account % 2 === 0 ? this.#fleet.rootOf(engine) : join(this.sharedRoot, engine.name);
  }

  get sharedRoot(): string {
    return this.#fleet.sharedRoot;
  }

  /** Whether all engines have a folder. */
  isShared(folder: string): boolean {
    return folder.startsWith(this.sharedRoot);
  }

  /** The data directory of a role. */
  stateOf(role: Pick<Role, 'name'>): string {
    return this.#fleet.stateOf(role);
  }

  /** Torrents on the root that all share which are more than one engine's. */
  ofSeveralEngines(): string[] {
    const base = join(this.sharedRoot, '.swarmd', 'engines');
    const ids = readdirSync(base).flatMap((engine) => readdirSync(join(base, engine, 'torrents')));
    return ids.filter((id, place) => ids.indexOf(id) !== place);
  }

  /** Asks a front for an engine to be left, or to be used again, until it has heard. */
  async drain(front: number, engine: string, draining: boolean): Promise<void> {
    await waitUntil(`draining of ${engine} is ${draining}`, TIMEOUT_MS, async () => {
      const { status } = await this.admin(front).api<EngineDto>('PUT', `/api/engines/${engine}`, { draining });
      return status === 200 || undefined;
    });
  }

  /** The administrator at a front. */
  admin(front: number): ApiClient {
    return this.#client(front, this.#admin);
  }

  /** The account of an engine, by the number of that, at a front. */
  account(account: number, front: number): ApiClient {
    return this.#client(front, this.#accounts[account]!);
  }

  /** SIGKILL for one of them, which may be started again. */
  async killRole(role: Role): Promise<void> {
    await role.kill();
    this.leading.delete(role.name);
  }

  async stop(): Promise<void> {
    await this.#fleet.stop();
  }

  async kill(): Promise<void> {
    await Promise.all(this.#fleet.roles.map((role) => role.kill()));
  }

  async #signIn(): Promise<void> {
    const [{ url }] = this.fronts as [Fleet['fronts'][number]];
    this.#admin = headersOf(await signIn(url, this.#fleet.adminPassword));
    for (const [account, { name }] of this.engines.entries()) {
      const fields = { perm_add_torrents: true, perm_manage_cat_tags: true, engine: name, home: this.homeOf(account) };
      mkdirSync(this.homeOf(account), { recursive: true });
      const user = { username: `of-${name}`, password: PASSWORD, ...fields };
      const { status, json } = await this.admin(0).api('POST', '/api/users', user);
      if (status !== 200) throw new Error(`no account of ${name}: ${JSON.stringify(json)}`);
      this.#accounts.push(headersOf(await signIn(url, PASSWORD, user.username)));
    }
    const clients = this.fronts.flatMap((_, front) =>
      [this.#admin, ...this.#accounts].map((one) => this.#client(front, one)),
    );
    for (const client of clients) {
      await waitUntil('its key is known', TIMEOUT_MS, async () =>
        (await client.api('GET', '/api/me')).status === 200 ? true : undefined,
      );
    }
  }

  #client(front: number, headers: Headers): ApiClient {
    const role = this.fronts[front]!;
    return new ApiClient(role.url, headers, () => role.lastLines.join('\n'));
  }

  #hear({ name }: Role, line: string): void {
    const said = LEADS.exec(line);
    if (said) this.leading[said[1] === undefined ? 'add' : 'delete'](name);
  }
}

function headersOf(key: string): Headers {
  return { authorization: `Bearer ${key}` };
}

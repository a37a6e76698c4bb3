// A fleet on this machine: PostgreSQL, engines that take all fronts, and fronts of one database. Owns: the order in which they start
// and end.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Front } from './front.js';
import { Layout } from './layout.js';
import { UnixSockets, type Links } from './links.js';
import { PostgresServer } from './postgres-server.js';
import { Role, type RoleOptions } from './role.js';

const MAIN = fileURLToPath(new URL('../api/main.js', import.meta.url));
const ENGINE_READY = /^swarmd engine ready \S+$/;
const DATABASE = 'swarmd';

export interface FleetOptions extends Pick<RoleOptions, 'ownGroup' | 'env' | 'onDied' | 'onLine'> {
  readonly directory: string;
  /** The number of engines. */
  readonly nodes: number;
  /** The number of fronts. */
  readonly fronts: number;
  /** An engine that is away for so many seconds is lost. @default 60 */
  readonly takeOverAfterS?: number;
  /** Asked for once the directory is known. @default Unix sockets */
  readonly links?: (layout: Layout) => Links;
}

export class Fleet {
  readonly postgres: PostgresServer;
  readonly engines: readonly Role[];
  readonly fronts: readonly Front[];
  /** The first password of `admin`. */
  readonly adminPassword: string;
  readonly #layout: Layout;
  readonly #links: Links;
  #isEnding = false;

  /** Makes what is not there yet of its directory. */
  constructor(options: FleetOptions) {
    const { directory, nodes, fronts, takeOverAfterS = 60, links: linksOf, ...others } = options;
    const layout = new Layout(directory);
    const { engines: engineNames, fronts: frontNames } = roleNames(nodes, fronts);
    layout.make(engineNames);
    this.#layout = layout;
    const links = linksOf?.(layout) ?? new UnixSockets(layout);
    this.#links = links;
    const entries = engineNames.map((name) => ({ name, ...links.entry(name) }));
    layout.writeEngines({ engines: entries, take_over_after_s: takeOverAfterS });
    this.adminPassword = layout.secret(layout.passwordFile);
    const common = (name: string) => ({ name, logFile: layout.logOf(name), before: links.before(name), ...others });
    const password = layout.secret(layout.postgresPasswordFile);
    this.postgres = new PostgresServer(layout.postgres, password, { ...common('postgres'), ...links.database });
    this.engines = engineNames.map((name) => {
      const command = [...engineCommand(layout, name, fronts), ...links.listen(name), ...links.options];
      return new Role({ ...common(name), ready: ENGINE_READY }, () => command);
    });
    this.fronts = frontNames.map((name) => {
      const command = [...frontCommand(layout, name), '--host', links.hostOf(name), ...links.options];
      return new Front(common(name), command);
    });
  }

  get roles(): readonly Role[] {
    return [this.postgres, ...this.engines, ...this.fronts];
  }

  /** Rejects when one of them does not start; the others may run then. */
  async start(): Promise<void> {
    this.postgres.make();
    await this.#startAll([this.postgres]);
    if (!this.#isEnding) await this.#makeDatabase();
    await this.#startAll(this.engines);
    await this.#startAll(this.fronts);
  }

  /** In order: whoever needs another ends before it. At any time. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    for (const roles of [this.fronts, this.engines, [this.postgres]]) {
      await Promise.all(roles.map((role) => role.stop()));
    }
  }

  /** The folder that an engine saves to. */
  rootOf({ name }: Role): string {
    return this.#layout.rootOf(name);
  }

  /** The data directory of a role. */
  stateOf({ name }: Pick<Role, 'name'>): string {
    return this.#layout.stateOf(name);
  }

  /** The folder that all engines save to. */
  get sharedRoot(): string {
    return this.#layout.sharedRoot;
  }

  async #startAll(roles: readonly Role[]): Promise<void> {
    if (!this.#isEnding) await Promise.all(roles.map((role) => role.start()));
  }

  async #makeDatabase(): Promise<void> {
    await this.postgres.makeDatabase(DATABASE);
    const address = this.postgres.address(DATABASE, this.#links.database.host);
    writeFileSync(this.#layout.databaseFile, `${address}\n`, { mode: 0o600 });
  }
}

/** The names of engines and fronts. */
export function roleNames(nodes: number, fronts: number) {
  return { engines: numbered('engine', nodes), fronts: numbered('front', fronts) };
}

function numbered(role: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${role}-${i + 1}`);
}

function engineCommand(layout: Layout, name: string, fronts: number): readonly string[] {
  return [
    ...[process.execPath, MAIN, 'engine', '--fronts', String(fronts), '--data-dir', layout.stateOf(name)],
    ...['--peer-port', '0', ...rootFlags(layout, name)],
  ];
}

/** The folders that an engine saves to: its own, and that of all of them. */
function rootFlags(layout: Layout, name: string): readonly string[] {
  return ['--roots', `data=${layout.rootOf(name)}`, '--shared-roots', `shared=${layout.sharedRoot}`];
}

function frontCommand(layout: Layout, name: string): readonly string[] {
  return [
    ...[process.execPath, MAIN, '--data-dir', layout.stateOf(name), '--save-path', layout.rootOf('engine-1')],
    ...['--database-file', layout.databaseFile, '--engines', layout.enginesFile],
    ...['--admin-password-file', layout.passwordFile],
  ];
}

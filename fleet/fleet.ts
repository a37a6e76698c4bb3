// A fleet on this machine: PostgreSQL, engines that take all fronts, and fronts of one database. Owns: the order in which they start
// and end.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Front } from './front.js';
import { Layout } from './layout.js';
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
}

export class Fleet {
  readonly postgres: PostgresServer;
  readonly engines: readonly Role[];
  readonly fronts: readonly Front[];
  /** The first password of `admin`. */
  readonly adminPassword: string;
  readonly #layout: Layout;
  #isEnding = false;

  /** Makes what is not there yet of its directory. */
  constructor(options: FleetOptions) {
    const { directory, nodes, fronts, takeOverAfterS = 60, ...others } = options;
    const layout = new Layout(directory);
    const engineNames = numbered('engine', nodes);
    layout.make(engineNames, takeOverAfterS);
    this.#layout = layout;
    this.adminPassword = layout.secret(layout.passwordFile);
    const common = (name: string) => ({ name, logFile: layout.logOf(name), ...others });
    this.postgres = new PostgresServer(layout.postgres, layout.secret(layout.postgresPasswordFile), common('postgres'));
    this.engines = engineNames.map(
      (name) => new Role({ ...common(name), ready: ENGINE_READY }, () => engineCommand(layout, name, fronts)),
    );
    this.fronts = numbered('front', fronts).map((name) => new Front(common(name), frontCommand(layout, name)));
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

  /** The folder that all engines save to. */
  get sharedRoot(): string {
    return this.#layout.sharedRoot;
  }

  async #startAll(roles: readonly Role[]): Promise<void> {
    if (!this.#isEnding) await Promise.all(roles.map((role) => role.start()));
  }

  async #makeDatabase(): Promise<void> {
    await this.postgres.makeDatabase(DATABASE);
    writeFileSync(this.#layout.databaseFile, `${this.postgres.address(DATABASE)}\n`, { mode: 0o600 });
  }
}

function numbered(role: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${role}-${i + 1}`);
}

function engineCommand(layout: Layout, name: string, fronts: number): readonly string[] {
  return [
    ...[process.execPath, MAIN, 'engine', '--fronts', String(fronts), '--listen', `unix:${layout.socketOf(name)}`],
    ...['--data-dir', layout.stateOf(name), '--peer-port', '0', ...rootFlags(layout, name)],
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

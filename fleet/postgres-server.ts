// A PostgreSQL of its own: Debian's programs on a cluster in a directory, reached by a Unix socket in it. It is ended
// by process id, with all of its processes, and durable as one in use (fsync).
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Role, type RoleOptions } from './role.js';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const READY = /database system is ready to accept connections/;
const SETTINGS = [
  ...['fsync=on', 'log_checkpoints=off', 'max_connections=100'],
  // In the cluster's directory: in /dev/shm it would stay there after a SIGKILL.
  'dynamic_shared_memory_type=mmap',
];

/** Put before a program of PostgreSQL, which refuses to run as root; it takes the place of this one. */
const AS_POSTGRES =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

/** Whether the programs are there: those of Debian's postgresql-15. */
export function hasPostgres(): boolean {
  return existsSync(join(PROGRAMS, 'postgres'));
}

export interface PostgresServerOptions extends Omit<RoleOptions, 'name' | 'ready' | 'stopSignal'> {
  /** Parameters besides. @default those by which it is reached by no port */
  readonly settings?: readonly string[];
  /** Lines that are added to its `pg_hba.conf` when it is made. */
  readonly access?: readonly string[];
}

export class PostgresServer extends Role {
  /** `directory`: there, and reached by the user `postgres` where this process is root's. */
  constructor(
    readonly directory: string,
    private readonly password: string,
    private readonly server: PostgresServerOptions,
  ) {
    super({ ...server, name: 'postgres', ready: READY, stopSignal: 'SIGINT' }, () => {
      const { settings: more = ['listen_addresses='] } = server;
      const settings = [...SETTINGS, ...more, `unix_socket_directories=${directory}`].flatMap((setting) => [
        '-c',
        setting,
      ]);
      return [...AS_POSTGRES, join(PROGRAMS, 'postgres'), '-D', dataOf(directory), ...settings];
    });
  }

  /** The connection string of a database; `host`: where another socket or address leads there. */
  address(database: string, host = this.directory): string {
    return `postgres://postgres:${this.password}@/${database}?host=${encodeURIComponent(host)}`;
  }

  /** The cluster on disk, unless it is there. */
  make(): void {
    const data = dataOf(this.directory);
    if (existsSync(join(data, 'PG_VERSION'))) return;
    mkdirSync(data, { recursive: true, mode: 0o700 });
    const passwordFile = join(this.directory, 'password');
    writeFileSync(passwordFile, this.password, { mode: 0o600 });
    if (AS_POSTGRES.length > 0) spawnSync('chown', ['postgres:', this.directory, data, passwordFile]);
    if (asPostgres('test', '-w', data).status !== 0) throw new Error(`the user postgres has no way to ${data}`);
    const made = asPostgres(
      ...[join(PROGRAMS, 'initdb'), '-D', data, '--username=postgres', `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
    );
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${made.stdout}`);
    for (const line of this.server.access ?? []) appendFileSync(join(data, 'pg_hba.conf'), `${line}\n`);
  }

  /** Makes a database, unless it is there. */
  async makeDatabase(name: string): Promise<void> {
    const known = await this.query('postgres', `SELECT 1 FROM pg_database WHERE datname = '${name}'`);
    if (known.length === 0) await this.query('postgres', `CREATE DATABASE ${name}`);
  }

  /** Asks as the superuser, on a connection of its own. */
  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.address(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  protected override others(): readonly number[] {
    if (this.pid === null) return [];
    const text = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  }
}

/** Waits for a program. */
function asPostgres(...program: readonly string[]) {
  const [command = '', ...args] = [...AS_POSTGRES, ...program];
  return spawnSync(command, args, { encoding: 'utf8' });
}

const dataOf = (directory: string): string => join(directory, 'data');

// A PostgreSQL of the test's own: Debian's programs on a cluster in a temporary directory, reached by a Unix socket in it and
// by no port. It is ended by process id, with all of its processes, and durable as one in use (fsync).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import t from 'tap';
import { startChild, type Child } from './peers/child-process.js';
import type { Program } from './peers/index.js';
import { waitUntil } from './peers/wait-until.js';
import { temporaryDirectory } from './temporary-directory.js';

const PROGRAMS = '/usr/lib/postgresql/15/bin';
const END_MS = 30_000;
const READY = /database system is ready to accept connections/;
const SETTINGS = ['listen_addresses=', 'fsync=on', 'log_checkpoints=off', 'max_connections=100'];

/** Put before a program of PostgreSQL, which refuses to run as root; it takes the place of this one. */
const AS_POSTGRES =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] : [];

/** The superuser's password, which no error may show. */
export const PASSWORD = 'correct-horse-battery';

export const postgres: Program = {
  name: 'PostgreSQL 15',
  debianPackage: 'postgresql',
  isAvailable: () => existsSync(join(PROGRAMS, 'postgres')),
};

export class PostgresCluster {
  #process: Child | null = null;
  #databases = 0;

  private constructor(readonly directory: string) {}

  /** One that runs, and ends with the test file. */
  static async start(): Promise<PostgresCluster> {
    const cluster = new PostgresCluster(await temporaryDirectory());
    t.teardown(() => cluster.kill());
    cluster.#make();
    await cluster.start();
    return cluster;
  }

  /** The connection string of a database of it; `socketDirectory`: where another socket leads there. */
  address(database: string, socketDirectory = this.directory): string {
    return `postgres://postgres:${PASSWORD}@/${database}?host=${socketDirectory}`;
  }

  /** @returns the name of a new database */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.query('postgres', `CREATE DATABASE ${name}`);
    return name;
  }

  /** As the superuser, on a connection of its own. */
  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.address(database) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async start(): Promise<void> {
    const settings = [...SETTINGS, `unix_socket_directories=${this.directory}`].flatMap((setting) => ['-c', setting]);
    const program = [...AS_POSTGRES, join(PROGRAMS, 'postgres'), '-D', this.#data, ...settings];
    const said: string[] = [];
    let onReady: () => void;
    const ready = new Promise<void>((resolve) => (onReady = resolve));
    const onLine = (line: string): void => {
      said.push(line);
      if (READY.test(line)) onReady();
    };
    this.#process = await startChild('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...program], { onLine });
    const ended = this.#process.exited.then(() => {
      throw new Error(`PostgreSQL has not started:\n${said.join('\n')}`);
    });
    await Promise.race([ready, ended]);
  }

  /** In order, without waiting for clients. */
  async stop(): Promise<void> {
    await this.#process?.stop('SIGINT');
  }

  /** SIGKILL for all of its processes at one moment, as a power cut would end them. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child?.isRunning) return;
    // It starts no others while it stands still.
    child.signal('SIGSTOP');
    const others = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean);
    for (const pid of others) process.kill(Number(pid), 'SIGKILL');
    child.signal('SIGKILL');
    await child.exited;
    // The next one refuses to start while any of them has the memory that they shared.
    await waitUntil('the end of its processes', END_MS, () => (others.some(hasMemory) ? undefined : true));
  }

  get #data(): string {
    return join(this.directory, 'data');
  }

  #make(): void {
    mkdirSync(this.#data, { mode: 0o700 });
    const passwordFile = join(this.directory, 'password');
    writeFileSync(passwordFile, PASSWORD);
    const owned = [this.directory, this.#data, passwordFile];
    if (AS_POSTGRES.length > 0) spawnSync('chown', ['postgres:', ...owned]);
    const [command = '', ...args] = [
      ...AS_POSTGRES,
      ...[join(PROGRAMS, 'initdb'), '-D', this.#data, '--username=postgres', `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'],
    ];
    const made = spawnSync(command, args, { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}${made.stdout}`);
  }
}

/** Whether a process is there, and is not merely waiting for its parent to look at how it ended. */
function hasMemory(pid: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

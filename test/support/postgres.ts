// A PostgreSQL of the test's own (fleet/postgres-server.ts), with a database for each that asks for one. It ends with the test file.
import { join } from 'node:path';
import t from 'tap';
import { hasPostgres, PostgresServer } from '../../fleet/postgres-server.js';
import type { Program } from './peers/index.js';
import { temporaryDirectory } from './temporary-directory.js';

/** The superuser's password, which no error may show. */
export const PASSWORD = 'correct-horse-battery';

export const postgres: Program = {
  name: 'PostgreSQL 15',
  debianPackage: 'postgresql',
  isAvailable: hasPostgres,
};

export class PostgresCluster extends PostgresServer {
  #databases = 0;

  /** One that runs. */
  static async start(): Promise<PostgresCluster> {
    const directory = await temporaryDirectory();
    const cluster = new PostgresCluster(directory, PASSWORD, { logFile: join(directory, 'log') });
    // At once, without writing what nobody will read; what its processes share is given back.
    t.teardown(() => cluster.stop('SIGQUIT'));
    cluster.make();
    await cluster.start();
    return cluster;
  }

  /** @returns the name of a new database */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.makeDatabase(name);
    return name;
  }
}

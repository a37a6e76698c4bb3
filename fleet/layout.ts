// Where the parts of a fleet lie below its directory, which is gone on from when it is given again.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class Layout {
  readonly postgres: string;
  readonly databaseFile: string;
  readonly enginesFile: string;
  readonly passwordFile: string;
  readonly postgresPasswordFile: string;

  constructor(readonly directory: string) {
    this.postgres = join(directory, 'postgres');
    this.databaseFile = join(directory, 'database');
    this.enginesFile = join(directory, 'engines.json');
    this.passwordFile = join(directory, 'admin-password');
    this.postgresPasswordFile = join(directory, 'postgres-password');
  }

  logOf(role: string): string {
    return join(this.directory, 'logs', `${role}.log`);
  }

  /** The data directory of a role, which is in none of the roots. */
  stateOf(role: string): string {
    return join(this.directory, 'state', role);
  }

  socketOf(engine: string): string {
    return join(this.directory, `${engine}.sock`);
  }

  /** The folder that an engine saves to. */
  rootOf(engine: string): string {
    return join(this.directory, engine);
  }

  /** The folder that all engines save to. */
  get sharedRoot(): string {
    return join(this.directory, 'shared');
  }

  /** Makes what is not there yet. @throws Error where the directory holds something else */
  make(engines: readonly string[]): void {
    const { directory, postgres } = this;
    const isNew = !existsSync(postgres);
    mkdirSync(directory, { recursive: true });
    if (isNew && readdirSync(directory).length > 0) throw new Error(`--dir: ${directory} has something else in it`);
    // The user postgres passes through. What is secret can be read by its owner only.
    if (isNew) chmodSync(directory, 0o711);
    for (const folder of ['postgres', 'logs', 'state', 'shared', ...engines])
      mkdirSync(join(directory, folder), { recursive: true });
  }

  /** Writes the file of the engines, which fronts read when they start. */
  writeEngines(file: object): void {
    writeFileSync(this.enginesFile, `${JSON.stringify(file, null, 2)}\n`);
  }

  /** A password of this fleet, which is made when it is asked for first. */
  secret(file: string): string {
    if (!existsSync(file)) writeFileSync(file, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
    return readFileSync(file, 'utf8').trim();
  }
}

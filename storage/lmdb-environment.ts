// The file of an LMDB environment comes into being whole. LMDB writes the first pages of a new one without syncing them,
// and a file of which a power cut left half kills every process that opens it; so it is made under another name and
// takes its own only when it is on stable storage, its name included. Owns its schema version as well: what a newer program
// wrote is refused.
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { AppError } from '../shared-protocol/errors.js';
import { PRIVATE_FILE_MODE } from './atomic-file.js';
import { COMMIT_OPTIONS } from './lmdb-commit.js';
import { damageOf } from './lmdb-header.js';

const SCHEMA_KEY = 0;
const FILE = 'data.mdb';
const UNBORN = 'new.mdb';
const LOCK_SUFFIX = '-lock';

/** lmdb-js's types leave the status out. */
type Environment = RootDatabase & { readonly status?: string };

export interface EnvironmentKind {
  /** The environment's name in messages. */
  readonly name: string;
  readonly version: number;
  readonly maxDbs: number;
}

/** Creates what is not there yet. @throws AppError `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export function openEnvironment(dir: string, kind: EnvironmentKind): RootDatabase {
  // lmdb-js's types leave the mode out; LMDB's own is 0664.
  const options = { noSubdir: true, ...COMMIT_OPTIONS, maxDbs: kind.maxDbs, permissionsMode: PRIVATE_FILE_MODE };
  const root = openFile(dir, kind, options);
  try {
    checkSchema(root, kind);
  } catch (error) {
    void root.close();
    throw error;
  }
  return root;
}

function openFile(dir: string, kind: EnvironmentKind, options: { readonly maxDbs: number }): RootDatabase {
  assertUndamaged(join(dir, FILE), kind);
  try {
    const path = prepareFile(dir, (newPath) => {
      const made = open({ path: newPath, ...options });
      checkSchema(made, kind);
      return made;
    });
    return open({ path, ...options });
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `${kind.name}: cannot open ${dir}`, undefined, { cause });
  }
}

function assertUndamaged(path: string, { name }: EnvironmentKind): void {
  const damage = existsSync(path) && statSync(path).isFile() ? damageOf(path) : null;
  if (!damage) return;
  const wayOut = 'restore a backup (swarmd restore), or move it away to begin without what was in it';
  throw new AppError('STORAGE_FAILED', `${name}: ${path} ${damage}: ${wayOut}`);
}

function checkSchema(root: RootDatabase, { name, version: known }: EnvironmentKind): void {
  const schema = root.openDB<number, number>({ name: 'schema' });
  const version = schema.get(SCHEMA_KEY);
  if (version !== undefined && version > known) {
    throw new AppError('STORAGE_TOO_NEW', `${name}: version ${version}; this program knows up to ${known}`);
  }
  if (version !== known) schema.putSync(SCHEMA_KEY, known);
}

/** Path of the environment's file in the directory, both made if need be. `make` commits something to a new one. */
function prepareFile(dir: string, make: (path: string) => Environment): string {
  const path = join(dir, FILE);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (!existsSync(path)) bear(join(dir, UNBORN), path, make);
  // One that was copied or made otherwise.
  for (const file of [path, `${path}${LOCK_SUFFIX}`]) if (existsSync(file)) chmodSync(file, PRIVATE_FILE_MODE);
  // Also when it was there: the process that made it may have been killed before this.
  syncFolder(dir);
  syncFolder(dirname(dir));
  return path;
}

function bear(unborn: string, path: string, make: (path: string) => Environment): void {
  rmSync(unborn, { force: true });
  rmSync(`${unborn}${LOCK_SUFFIX}`, { force: true });
  const environment = make(unborn);
  // Without asynchronous writes there is nothing to wait for.
  void environment.close();
  if (environment.status !== 'closed') throw new AppError('BUG', 'bug: a new environment is still being written');
  rmSync(`${unborn}${LOCK_SUFFIX}`, { force: true });
  renameSync(unborn, path);
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

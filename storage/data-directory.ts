// The directory of all state: creates it for its owner only, lets one process in at a time, and refuses a layout written
// by a newer program. Owns the names of what lies in it.
import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../shared-protocol/errors.js';
import { readIfExists, replaceFile } from './atomic-file.js';
import { lockFile } from './directory-lock.js';
import { makeFoldersDurably } from './make-folders.js';
import { settleArrival } from './records/arrival.js';

const DIRECTORY_MODE = 0o700;
/** The version of the directory's layout; collections and the torrent store have versions of their own. */
const LAYOUT_VERSION = 1;
/** The file that says it, by which a data directory is known. */
export const LAYOUT_FILE = 'layout.json';
/** A folder that is there while a backup is being restored (storage/backup/restore-backup.ts). */
export const RESTORING = 'restoring';

export interface DataDirectory {
  readonly path: string;
  /** Absolute path of something in the directory. */
  file(name: DataFileName): string;
  /** Lets another process in. */
  release(): void;
}

/** Names of collections (storage/types.ts), each of which has a file of its own here. */
export type StateName =
  | 'accounts'
  | 'settings'
  | 'labels'
  | 'links'
  | 'webhooks'
  /** Other Swarmds, with keys of accounts there. */
  | 'remotes'
  /** Moves of torrents between them. */
  | 'server-moves'
  /** Engines that are to be left. */
  | 'nodes'
  /** Messages of webhooks on their way. */
  | 'deliveries'
  /** Removals that can still be undone. */
  | 'removals'
  | 'schedule'
  | 'automations'
  /** The last deeds of rules. */
  | 'automation-history'
  /** Since when conditions hold, and what is not to be done twice. */
  | 'automation-memory'
  | 'feeds'
  /** Bytes that accounts have uploaded this month, where that is bounded. */
  | 'upload-month'
  /** Addresses banned by hand. */
  | 'bans';

/** Names of which each account has a collection of its own: `preferences/7`. */
export type AccountStateName =
  /** Preferences: what the page keeps. */
  | 'preferences'
  /** Notices: what it was told of. */
  | 'notices';

export type DataFileName =
  | `${StateName}.json`
  | 'blocklist.ranges'
  /** A directory: what polling remembers. */
  | 'feeds'
  /** A directory: what was moved when. */
  | 'traffic'
  /** A directory: torrent files on their way. */
  | 'uploads'
  /** A directory: what is unpacked of another program's state. */
  | 'import-archive'
  /** A directory: archives of the state, unless --backup-dir says where. */
  | 'backups'
  /** Directories of a collection for each account. */
  | AccountStateName
  | 'runtime.json'
  /** The name of an engine of its own process, and what its front said last. */
  | 'engine-id'
  | 'engine-options'
  | 'engine-blocklist'
  /** The engine that a front knows, and the front's own name. */
  | 'engine-link.json'
  /** A directory: what a front knows of the torrents of each of its engines. */
  | 'engine-torrents'
  /** The key of programs of the same user. */
  | 'local-key'
  | 'initial-admin-password'
  | 'sign-in.html';

/** @throws AppError `STORAGE_LOCKED`, `STORAGE_TOO_NEW`, `STORAGE_FAILED` */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  try {
    await makeFoldersDurably(path, DIRECTORY_MODE);
    await chmod(path, DIRECTORY_MODE);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('STORAGE_FAILED', `data directory: cannot use ${path}: ${reason}`, undefined, { cause });
  }
  const lock = lockFile(join(path, 'lock'));
  try {
    if (existsSync(join(path, RESTORING))) {
      throw new AppError(
        'STORAGE_FAILED',
        `data directory: a restore into ${path} was cut off: do it again (swarmd restore)`,
      );
    }
    await checkLayout(join(path, LAYOUT_FILE));
    await settleArrival(path);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { path, file: (name) => join(path, name), release: () => lock.release() };
}

async function checkLayout(file: string): Promise<void> {
  const bytes = await readIfExists(file);
  if (!bytes) return replaceFile(file, `${JSON.stringify({ version: LAYOUT_VERSION })}\n`);
  const version = parseVersion(bytes.toString('utf8'));
  if (version === null) throw new AppError('STORAGE_FAILED', `data directory: ${file} is not understood`);
  if (version > LAYOUT_VERSION) {
    throw new AppError(
      'STORAGE_TOO_NEW',
      `data directory: ${file} has version ${version}; this program knows up to ${LAYOUT_VERSION}`,
    );
  }
}

function parseVersion(text: string): number | null {
  try {
    const parsed: unknown = JSON.parse(text);
    const isVersioned = typeof parsed === 'object' && parsed !== null && 'version' in parsed;
    return isVersioned && typeof parsed.version === 'number' ? parsed.version : null;
  } catch {
    return null;
  }
}

// Reads a data directory as the daemon does at its start, with its own loaders, and tells what it finds as facts by name.
import { join } from 'node:path';
import { openCollections } from '../../api/app/collections.js';
import { openAccounts, openSettings } from '../../api/app/open-stores.js';
import { parseCommandLine, type Options } from '../../api/cli/options.js';
import type { Passwords } from '../../api/auth/passwords.js';
import { openDataDirectory } from '../../storage/data-directory.js';
import { DirectoryStateStore } from '../../storage/directory-state-store.js';
import { openTorrentStore } from '../../storage/lmdb-torrent-store.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import type { Facts } from './life.js';
import { storeOf } from '../support/own-engine.js';

const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** What a torrent's records claim to be on disk. */
export interface Claim {
  readonly name: string;
  readonly infoBytes: Uint8Array;
  readonly resume: ResumeRow;
}

export interface Found {
  readonly facts: Facts;
  readonly claims: readonly Claim[];
}

/** `checkLayout`: also takes the lock and looks at the layout's version. Throws when the daemon would not start. */
export async function readStores(dataDir: string, passwords: Passwords, checkLayout: boolean): Promise<Found> {
  const path = checkLayout ? await openDataDirectory(dataDir) : null;
  path?.release();
  const directory = { path: dataDir, file: (name: string) => join(dataDir, name), release: () => undefined };
  const state = new DirectoryStateStore(dataDir);
  const options = optionsFor(dataDir);
  const settings = await openSettings(state, options, QUIET);
  const accounts = await openAccounts(state, directory, options, { log: QUIET, notify: () => undefined, passwords });
  const { labels, schedule, feeds } = await openCollections(state);
  const facts: Record<string, unknown> = {
    limits: settings.stored('limits'),
    queue_limits: settings.stored('queue_limits'),
    accounts: accounts.all.map(({ username }) => username),
    categories: labels.data.categories.map(({ name }) => name),
    tags: labels.data.tags.map(({ name }) => name),
    rules: schedule.data.rules.length,
    feeds: feeds.data.feeds.map(({ name }) => name),
  };
  const claims: Claim[] = [];
  const store = openTorrentStore(storeOf(dataDir));
  try {
    for (const row of store.rows()) {
      // It was removed: nothing is said of its files but that they go.
      if (row.leaving) continue;
      for (const [fact, value] of Object.entries(factsOf(row))) facts[`${row.name} ${fact}`] = value;
      const infoBytes = store.infoBytes(row.id);
      const resume = store.resume(row.id);
      if (!infoBytes) throw new Error(`${row.name}: no metainfo, though it was added with it`);
      if (resume) claims.push({ name: row.name, infoBytes, resume });
    }
  } finally {
    await store.close();
  }
  return { facts, claims };
}

function factsOf(row: TorrentRow): Facts {
  const { paused, sequential, filePriorities, rateLimits, forceStart = false, library } = row;
  const { categoryId, tagIds, seedPolicy, shares } = library ?? {};
  return { present: true, paused, sequential, filePriorities, rateLimits, forceStart, categoryId, tagIds, seedPolicy, shares }; // prettier-ignore
}

function optionsFor(dataDir: string): Options {
  const parsed = parseCommandLine(['--data-dir', dataDir, '--save-path', '/nowhere'], {});
  if (parsed.kind !== 'run') throw new Error('options not understood');
  return parsed.options;
}

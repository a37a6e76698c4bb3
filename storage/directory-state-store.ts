// Collections as files of the data directory: `accounts` in accounts.json, `preferences/7` in preferences/7.json. Owns how
// a name becomes a file; the directory is locked, so that nobody else changes these.
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { generationsOf, isErrno, removeGenerations } from './atomic-file.js';
import type { CollectionShape } from './collection-shape.js';
import { openCollection } from './lowdb-collection.js';
import { OpenedCollections } from './opened-collections.js';
import type { Collection, StateStore } from './types.js';

const FOLDER_MODE = 0o700;
const SUFFIX = '.json';

export interface DirectoryStateStoreOptions {
  /** Told when a damaged file was passed over. */
  readonly onFallback?: (file: string, reason: string) => void;
}

export class DirectoryStateStore implements StateStore {
  readonly #opened = new OpenedCollections();

  constructor(
    private readonly directory: string,
    private readonly options: DirectoryStateStoreOptions = {},
  ) {}

  open<Data>(name: string, shape: CollectionShape<Data>): Promise<Collection<Data>> {
    const { onFallback } = this.options;
    return this.#opened.open(name, () =>
      openCollection(this.#file(name), {
        ...shape,
        ...(name.includes('/') && { folderMode: FOLDER_MODE }),
        ...(onFallback && {
          onFallback: (file: string, reason: string) => onFallback(relative(this.directory, file), reason),
        }),
      }),
    );
  }

  async names(prefix: string): Promise<string[]> {
    const files = await filesIn(dirname(this.#file(`${prefix}x`)));
    // What a crash left of one is something as well.
    const { main, backup, temporary } = generationsOf(SUFFIX);
    const names = files.flatMap((file) => {
      const end = [main, backup, temporary].find((each) => file.endsWith(each));
      return end === undefined ? [] : [`${prefix}${file.slice(0, -end.length)}`];
    });
    return [...new Set(names)];
  }

  async remove(name: string): Promise<void> {
    const opened = await this.#opened.find(name);
    await (opened ? opened.remove() : removeGenerations(this.#file(name)));
  }

  #file(name: string): string {
    return join(this.directory, `${name}${SUFFIX}`);
  }
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

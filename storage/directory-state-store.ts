// Collections as files of the data directory, which is locked, so that nobody else changes these.
import { relative } from 'node:path';
import { removeGenerations } from './atomic-file.js';
import { collectionFile, namesOfFiles } from './collection-names.js';
import type { CollectionShape } from './collection-shape.js';
import { openCollection } from './lowdb-collection.js';
import { OpenedCollections } from './opened-collections.js';
import type { Collection, StateStore } from './types.js';

const FOLDER_MODE = 0o700;

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

  names(prefix: string): Promise<string[]> {
    return namesOfFiles(this.directory, prefix);
  }

  async remove(name: string): Promise<void> {
    const opened = await this.#opened.find(name);
    await (opened ? opened.remove() : removeGenerations(this.#file(name)));
  }

  #file(name: string): string {
    return collectionFile(this.directory, name);
  }
}

// Adds what lies in one file of the watch folder, for an account, to where its torrents go (docs/semantics.md section 6), and
// tells what became of it. What is there already counts as added.
import { messageOf } from '../../../shared-protocol/errors.js';
import type { HeldFolder } from '../../../storage/held-folder.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { Adding } from '../library/adding.js';
import { MAX_TORRENT_FILE_BYTES } from '../library/torrent-source.js';
import { failureOf, magnetsIn, type AddFailure, type FileKind } from './file-rules.js';
import { readWatched, type WatchedFile } from './watched-file.js';

const MAX_MAGNET_FILE_BYTES = 1024 * 1024;

export interface FileAdderDeps {
  readonly adding: Pick<Adding, 'addFile' | 'addMagnet'>;
}

/** A file that is to be taken now. */
export interface DueFile extends WatchedFile {
  readonly kind: FileKind;
}

export type AddOutcome =
  /** `changed`: it is not the file it was; looked at anew. */
  { readonly kind: 'added' | 'changed' } | { readonly kind: Exclude<AddFailure, 'present'>; readonly reason: string };

export class FileAdder {
  constructor(private readonly deps: FileAdderDeps) {}

  /** Never rejects. `added` is durable. */
  async add(owner: Account, folder: HeldFolder, file: DueFile): Promise<AddOutcome> {
    const { kind } = file;
    try {
      const maxBytes = kind === 'torrent' ? MAX_TORRENT_FILE_BYTES : MAX_MAGNET_FILE_BYTES;
      const read = await readWatched(folder, file, maxBytes);
      if (read.kind === 'too-large') return { kind: 'invalid', reason: `larger than ${maxBytes} bytes` };
      if (read.kind === 'changed') return { kind: 'changed' };
      return await this.#addBytes(owner, kind, read.bytes);
    } catch (error) {
      return { kind: 'later', reason: String(error) };
    }
  }

  async #addBytes(owner: Account, kind: FileKind, bytes: Uint8Array): Promise<AddOutcome> {
    if (kind === 'torrent') return outcomeOf(this.deps.adding.addFile(owner, bytes));
    const magnets = magnetsIn(bytes);
    return magnets ? this.#addMagnets(owner, magnets) : { kind: 'invalid', reason: 'expected magnets, one a line' };
  }

  /** Adds those before the first that fails; they are there already when the file is tried again. */
  async #addMagnets(owner: Account, magnets: readonly string[]): Promise<AddOutcome> {
    for (const magnet of magnets) {
      const outcome = await outcomeOf(this.deps.adding.addMagnet(owner, magnet));
      if (outcome.kind !== 'added') return outcome;
    }
    return { kind: 'added' };
  }
}

async function outcomeOf(add: Promise<unknown>): Promise<AddOutcome> {
  try {
    await add;
    return { kind: 'added' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === 'present') return { kind: 'added' };
    const code = error instanceof RequestError ? `${error.code}: ` : '';
    return { kind: failure, reason: code + messageOf(error) };
  }
}

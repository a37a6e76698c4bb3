// Which files of a torrent an archive of it holds, and what they are called in it.
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { FileDetail } from '../../../shared-protocol/commands/details.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import { notFound, RequestError } from '../../errors.js';
import { FILES_AT_A_TIME } from './large-list-turns.js';

/** Between two parts of a longer list: of an account a tenth of the engine's time at most. */
const PAUSE_MS = 10;
/** In one archive: some tens of milliseconds of this thread for each request. Folders of more can be asked for. */
const MAX_FILES = 20_000;

export interface FileInFolder {
  /** Place in the torrent. */
  readonly index: number;
  /** From the folder's own name on. */
  readonly name: string;
  readonly sizeBytes: number;
}

export interface ZippedFilesDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'inspectTorrent'> };
}

export class ZippedFiles {
  /** The last list that was asked for, by account: each one's come one after another. */
  readonly #lists = new Map<AccountId, Promise<unknown>>();

  constructor(private readonly deps: ZippedFilesDeps) {}

  /**
   * Resolves with the files at and below a folder, which is named as the list of files names it; '' for all.
   * @throws RequestError `NOT_FOUND`, `QUOTA_EXCEEDED`; AppError `METADATA_UNKNOWN`, and `FILE_UNAVAILABLE` for one that will not come
   */
  async inFolder(share: ShareRef, folder: string, accountId: AccountId): Promise<readonly FileInFolder[]> {
    const before = this.#lists.get(accountId) ?? Promise.resolve();
    const finding = before.then(() => this.#find(share, folder));
    const settled = finding.catch(() => undefined);
    this.#lists.set(accountId, settled);
    try {
      return await finding;
    } finally {
      if (this.#lists.get(accountId) === settled) this.#lists.delete(accountId);
    }
  }

  async #find(share: ShareRef, folder: string): Promise<readonly FileInFolder[]> {
    const { client } = this.deps.engine;
    const within = withoutOuterSlashes(folder);
    const parentLength = within.lastIndexOf('/') + 1;
    const found: FileInFolder[] = [];
    let total = 1;
    for (let from = 0; from < total; from += FILES_AT_A_TIME) {
      if (from > 0) await pause(PAUSE_MS);
      const wanted = { from, count: FILES_AT_A_TIME };
      const { files = [], filesGiven } = await client.inspectTorrent({ ...share, parts: ['files'], files: wanted });
      total = filesGiven?.total ?? files.length;
      for (const file of files) {
        if (!isIn(file, within)) continue;
        refuseUnwanted(file);
        const { index, path, sizeBytes } = file;
        // Programs of Windows would take a backslash for a separator of folders, and put the file there.
        found.push({ index, name: path.slice(parentLength).replaceAll('\\', '_'), sizeBytes });
      }
      if (found.length > MAX_FILES)
        throw new RequestError('QUOTA_EXCEEDED', `folder: more than ${MAX_FILES} files in it`, {
          of: 'files',
          max: MAX_FILES,
        });
    }
    if (total === 0) throw new AppError('METADATA_UNKNOWN', 'torrent: its metadata is not there yet', { id: share.id });
    if (found.length === 0) throw notFound('folder');
    return found;
  }
}

/** The folder without them, however many there are: an expression would look for the end at each. */
function withoutOuterSlashes(folder: string): string {
  let [from, until] = [0, folder.length];
  while (folder[from] === '/') from++;
  while (until > from && folder[until - 1] === '/') until--;
  return folder.slice(from, until);
}

function isIn({ path }: FileDetail, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** An archive cannot leave out what it has announced. */
function refuseUnwanted({ path, priority, bytesDone, sizeBytes }: FileDetail): void {
  if (priority !== 'skip' || bytesDone === sizeBytes) return;
  throw new AppError(
    'FILE_UNAVAILABLE',
    `file: ${path} is not wanted, and not all of it is there`,
    because('FILE_INCOMPLETE'),
  );
}

// `torrents.db`, in which a qBittorrent may keep its torrents in place of files: a copy is read by SQLite in a thread of its own, which
// is ended with it. So neither the file is touched, nor does a hostile one hold up anything else for longer than its time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError, messageOf } from '../../../../shared-protocol/errors.js';
import { systemErrorName } from '../../../../shared-protocol/system-error-name.js';
import { notOpened, type StateDirectory } from '../state-directory.js';

const MIB = 1024 * 1024;
const FILE = 'torrents.db';
const ENTRY = new URL('./database-worker.js', import.meta.url);
/** Some thousands of torrents; all of them are in memory for a moment. No spec value. */
const MAX_DATABASE_BYTES = 256 * MIB;
/** Far longer than that takes. */
const TIMEOUT_MS = 60_000;
/** Records of all torrents, twice. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** Where the header says whether changes lie in a file beside (WAL): SQLite opens no such copy alone. */
const [WRITE_VERSION, READ_VERSION] = [18, 19];
const ROLLBACK = 1;

/** A row as SQLite has it, by column. */
export type DatabaseRow = Readonly<Record<string, number | bigint | string | Uint8Array | null>>;

export type DatabaseReply =
  | { readonly kind: 'rows'; readonly rows: readonly DatabaseRow[] }
  | { readonly kind: 'refused'; readonly reason: string };

/** `scratch`: a folder of ours for the copy. null: there is none. @throws AppError `IMPORT_UNREADABLE`, `STORAGE_FAILED` */
export async function readTorrentDatabase(
  folder: StateDirectory,
  scratch: string,
): Promise<readonly DatabaseRow[] | null> {
  const bytes = await folder.read(FILE, MAX_DATABASE_BYTES);
  if (!bytes) return null;
  const beside = await folder.read(`${FILE}-wal`, MAX_DATABASE_BYTES);
  if (beside && beside.length > 0) {
    throw notOpened(
      `${FILE}: the last changes lie in ${FILE}-wal: start qBittorrent, stop it in order, and import again`,
    );
  }
  if (!bytes.subarray(0, 16).equals(Buffer.from('SQLite format 3\0')))
    throw notOpened(`${FILE}: is no database of SQLite`);
  bytes[WRITE_VERSION] = bytes[READ_VERSION] = ROLLBACK;
  const notCopied = (cause: unknown) => refuseCopy(scratch, cause);
  const directory = await mkdtemp(join(scratch, 'copy-')).catch(notCopied);
  try {
    const copy = join(directory, FILE);
    await writeFile(copy, bytes, { mode: 0o600 }).catch(notCopied);
    return await rowsOf(copy);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function refuseCopy(scratch: string, cause: unknown): never {
  const message = `${FILE}: cannot be copied into ${scratch}: ${messageOf(cause)}`;
  throw new AppError('STORAGE_FAILED', message, { errno: systemErrorName(cause) }, { cause });
}

async function rowsOf(copy: string): Promise<readonly DatabaseRow[]> {
  const worker = new Worker(ENTRY, { name: 'import', workerData: copy, resourceLimits: THREAD_LIMITS, execArgv: [] });
  const reply = new Promise<DatabaseReply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('it has ended')));
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not read within ${TIMEOUT_MS / 1_000} s`)), TIMEOUT_MS);
  });
  try {
    const answer = await Promise.race([reply, late]);
    if (answer.kind === 'rows') return answer.rows;
    throw notOpened(`${FILE}: ${answer.reason}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'IMPORT_UNREADABLE') throw error;
    throw notOpened(`${FILE}: cannot be read: ${messageOf(error)}`);
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

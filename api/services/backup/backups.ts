// Archives of the state (docs/operate/backup.md): one is written at a time, by a process of its own, on demand or every so many hours.
// Owns which there are, and how many of those made by itself are kept. They hold digests of passwords and keys: for
// administrators alone.
import { createReadStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_BACKUPS_ON_DEMAND } from '../../../shared-protocol/backup-bounds.js';
import type { BackupDto, BackupsDto } from '../../../shared-protocol/dto/backups.js';
import { messageOf, toErrorRecord, type ErrorRecord } from '../../../shared-protocol/errors.js';
import { BackupFolder } from '../../../storage/backup/backup-folder.js';
import { forgetUnfinished } from '../../../storage/backup/unfinished.js';
import { unixSecondsOf, type Clock, type Timer } from '../../clocks.js';
import { notFound, RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { BackupProcess, type BackupAnswer } from './backup-process.js';
import { ageOfNewest, backupName, outlived, parseBackupName, type NamedBackup } from './backup-names.js';

const HOUR_S = 3_600;
/** Looked at so often; after the start a little later, when the torrents have begun. */
const LOOK_EVERY_MS = 10 * 60_000;
const FIRST_LOOK_MS = 2 * 60_000;
/** In the data directory: which folder they were written to last. */
const FOLDER_RECORD = 'backup-folder';

export interface BackupsDeps {
  readonly dataDir: string;
  /** Holds where the database is that has the records; null: they are files of the data directory. */
  readonly databaseFile: string | null;
  /** Absolute. */
  readonly directory: string;
  /** 0: none by itself. */
  readonly everyHours: number;
  readonly keep: number;
  readonly program: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Told of the first in a row that should have been made by itself and was not. */
  onFailing(reason: ErrorRecord): void;
}

export class Backups implements BackgroundService {
  #running: Promise<void> | null = null;
  #runningName = '';
  readonly #process = new BackupProcess();
  #error: string | null = null;
  /** Whether the last that should have been made by itself was not, and none has been made since. */
  #isFailing = false;
  #timer: Timer | null = null;
  #isStopped = false;
  /** Resolves when what the last run of the daemon left has gone. */
  #swept: Promise<void> = Promise.resolve();

  readonly #folder: BackupFolder;

  constructor(private readonly deps: BackupsDeps) {
    this.#folder = new BackupFolder(deps.directory, join(deps.dataDir, FOLDER_RECORD));
  }

  start(): void {
    this.#swept = this.#forgetUnfinished();
    if (this.deps.everyHours > 0) this.#lookIn(FIRST_LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#process.kill();
    await Promise.all([this.#running, this.#swept]);
  }

  async list(): Promise<BackupsDto> {
    const found = await this.#found();
    const backups = await Promise.all(found.map((backup) => this.#describe(backup)));
    const { directory: path, everyHours, keep } = this.deps;
    return {
      ...{ backups: backups.filter((backup) => backup !== null), running: this.#running !== null, error: this.#error },
      ...{ path, every_hours: everyHours, keep },
    };
  }

  /** Begins to write one, unless one is under way; its name. @throws RequestError `QUOTA_EXCEEDED` */
  async begin(): Promise<string> {
    if (this.#running) return this.#runningName;
    const found = await this.#found();
    if (found.filter(({ isAutomatic }) => !isAutomatic).length >= MAX_BACKUPS_ON_DEMAND) {
      throw new RequestError('QUOTA_EXCEEDED', `backup: ${MAX_BACKUPS_ON_DEMAND} are kept already: delete some`, {
        of: 'backups',
        max: MAX_BACKUPS_ON_DEMAND,
      });
    }
    return this.#begin(false);
  }

  /** The archive, to be read. @throws RequestError `NOT_FOUND`, `BODY_INVALID` */
  async open(name: string): Promise<{ readonly size: number; readonly bytes: AsyncIterable<Buffer>; close(): void }> {
    const handle = await open(this.#pathOf(name), 'r').catch(() => null);
    if (!handle) throw notFound('backup');
    const { size } = await handle.stat();
    const bytes = createReadStream('', { fd: handle });
    return { size, bytes, close: () => void bytes.destroy() };
  }

  /** @throws RequestError `NOT_FOUND`, `BODY_INVALID` */
  async delete(name: string): Promise<void> {
    await rm(this.#pathOf(name)).catch(() => {
      throw notFound('backup');
    });
  }

  #begin(isAutomatic: boolean): string {
    if (this.#running) return this.#runningName;
    const now = unixSecondsOf(this.deps.clock);
    const name = backupName(now, isAutomatic);
    this.#runningName = name;
    this.#running = this.#make(name, now, isAutomatic).finally(() => (this.#running = null));
    return name;
  }

  async #make(name: string, now: number, isAutomatic: boolean): Promise<void> {
    const { log, keep, onFailing } = this.deps;
    await this.#swept;
    if (this.#isStopped) return;
    const answer = await this.#write(name, now, isAutomatic);
    // Its process may have ended in the midst of it.
    if ('code' in answer) await this.#forgetUnfinished();
    // Whoever is told of it may begin the next one.
    this.#error = 'code' in answer ? answer.message : null;
    if (this.#isStopped) return;
    if ('code' in answer) {
      log.warn('backup failed', { code: answer.code, reason: answer.message });
      if (isAutomatic && !this.#isFailing) onFailing(answer);
      this.#isFailing ||= isAutomatic;
      return;
    }
    this.#isFailing = false;
    log.info('backup written', { name, bytes: answer.size });
    await this.#remember(name);
    for (const old of outlived(await this.#found(), keep, now)) await this.#deleteOld(old);
  }

  /** By hand one is written wherever the folder is now: somebody has looked at it. */
  async #write(name: string, now: number, isAutomatic: boolean): Promise<BackupAnswer> {
    const { dataDir, databaseFile, directory, program } = this.deps;
    try {
      if (isAutomatic) await this.#folder.assertSame();
    } catch (error) {
      return toErrorRecord(error);
    }
    return this.#process.run({ dataDir, databaseFile, file: join(directory, name), program, now });
  }

  async #remember(name: string): Promise<void> {
    await this.#folder.remember(name).catch((error: unknown) => {
      this.deps.log.warn('which folder backups are in is not recorded', { reason: messageOf(error) });
    });
  }

  async #forgetUnfinished(): Promise<void> {
    await forgetUnfinished(this.deps.directory).catch((error: unknown) => {
      this.deps.log.warn('what a backup left is not deleted', { reason: messageOf(error) });
    });
  }

  /** One that cannot be deleted stays, and is tried again after the next. */
  async #deleteOld(name: string): Promise<void> {
    try {
      await rm(join(this.deps.directory, name), { force: true });
    } catch (error) {
      this.deps.log.warn('an old backup is not deleted', { name, reason: String(error) });
    }
  }

  #pathOf(name: string): string {
    if (parseBackupName(name)) return join(this.deps.directory, name);
    throw new RequestError('BODY_INVALID', 'name: expected that of a backup, as GET /api/backups has it');
  }

  async #found(): Promise<NamedBackup[]> {
    const names = await readdir(this.deps.directory).catch(() => []);
    const found = names.flatMap((name) => parseBackupName(name) ?? []);
    return found.sort((one, other) => other.createdAt - one.createdAt);
  }

  async #describe({ name, createdAt, isAutomatic }: NamedBackup): Promise<BackupDto | null> {
    const stats = await stat(join(this.deps.directory, name)).catch(() => null);
    return stats && { name, size: stats.size, created_at: createdAt, automatic: isAutomatic };
  }

  #lookIn(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = this.deps.clock.after(delayMs, () => {
      void this.#look().finally(() => this.#lookIn(LOOK_EVERY_MS));
    });
  }

  async #look(): Promise<void> {
    const ageS = ageOfNewest(await this.#found(), unixSecondsOf(this.deps.clock));
    if (this.#running || ageS < this.deps.everyHours * HOUR_S) return;
    this.#begin(true);
    await this.#running;
  }
}

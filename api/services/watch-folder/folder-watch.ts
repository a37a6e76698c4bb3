// Watches the folder (docs/semantics.md sections 6 and 9): every 5 s it is read, and what was the same in two polls is
// added for the account that the folder is of. Owns the polls, one at a time, and what is remembered between them; what a
// file's fate is, the rules decide. During a poll the folder is held: whatever its name comes to lead to, nothing is done there.
import { opendir, realpath } from 'node:fs/promises';
import type { WatchFolderDto } from '../../../shared-protocol/dto/settings.js';
import { HeldFolder } from '../../../storage/held-folder.js';
import type { Account } from '../../auth/account.js';
import type { Clock, Timer } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { FileAdopters } from '../accounts/file-adopters.js';
import type { BackgroundService } from '../background-service.js';
import { FileAdder, type AddOutcome, type DueFile, type FileAdderDeps } from './file-adder.js';
import { decideOn, kindOf, POLL_MS, waitLonger, type Memory } from './file-rules.js';
import { deleteWatched, stateOf, setAside } from './watched-file.js';
import type { WatchFolder } from './watch-folder.js';

/** Times 10 MiB is what files on their way may take of memory; each add is a durable write. */
const MAX_AT_A_TIME = 4;
/** An add is at most 30 s under way, a shutdown 10 s. What is still under way is found again at the next start. */
const STOP_MS = 2_000;
/** Names at a time; between two readings others have their turn. */
const READ_STEP = 256;

export interface FolderWatchDeps extends FileAdderDeps {
  readonly watchFolder: Pick<WatchFolder, 'stored' | 'owner' | 'boundsOf' | 'onChange'>;
  readonly fileAdopters: Pick<FileAdopters, 'watch'>;
  readonly clock: Pick<Clock, 'nowMs' | 'after'>;
  readonly log: Log;
}

/** The folder during a poll, and the account that what lies there is added for. */
interface Opened {
  readonly held: HeldFolder;
  readonly owner: Account;
}

export class FolderWatch implements BackgroundService {
  #memory = new Map<string, Memory>();
  /** The folder that the memory is of. */
  #path = '';
  #isMissing = false;
  #timer: Timer | null = null;
  /** The polls since the last change; aborted by the next one. */
  #run = new AbortController();
  #polling: Promise<void> = Promise.resolve();
  readonly #adder: FileAdder;

  constructor(private readonly deps: FolderWatchDeps) {
    this.#adder = new FileAdder(deps);
  }

  start(): void {
    this.deps.watchFolder.onChange(() => this.#restart());
    this.#restart();
  }

  async stop(): Promise<void> {
    this.deps.watchFolder.onChange(() => undefined);
    this.#end();
    let timer: Timer | undefined;
    const patience = new Promise<void>((resolve) => (timer = this.deps.clock.after(STOP_MS, resolve)));
    await Promise.race([this.#polling, patience]);
    timer?.cancel();
  }

  /** Resolves when no poll is under way. */
  whenIdle(): Promise<void> {
    return this.#polling;
  }

  /** Leaves the rest to the first poll with the new settings; what is half done is done with those of before. */
  #restart(): void {
    this.#end();
    this.#run = new AbortController();
    const { signal } = this.#run;
    this.#polling = this.#polling.then(() => this.#poll(signal));
  }

  #end(): void {
    this.#run.abort();
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Never rejects. */
  async #poll(signal: AbortSignal): Promise<void> {
    const folder = this.deps.watchFolder.stored;
    if (signal.aborted) return;
    if (!folder.enabled) return this.#leaveFree();
    if (folder.path !== this.#path) {
      this.#path = folder.path;
      this.#memory = new Map();
      this.#isMissing = false;
    }
    const opened = await this.#open(folder.path);
    if (opened) {
      const due = await this.#read(opened.held, folder.path, signal);
      const queue = untilAborted(due, signal);
      await Promise.all(Array.from({ length: MAX_AT_A_TIME }, () => this.#takeEach(queue, opened, folder)));
      await opened.held.close();
    }
    if (signal.aborted) return;
    this.#timer = this.deps.clock.after(POLL_MS, () => (this.#polling = this.#poll(signal)));
  }

  /** Lets others put files into the folder, as nobody watches it. Never rejects. */
  async #leaveFree(): Promise<void> {
    const { fileAdopters, log } = this.deps;
    await fileAdopters.watch(null).catch((error: unknown) => log.warn('still kept free', { reason: String(error) }));
  }

  /** Null: it cannot be had, or is not one that its account may save to. */
  async #open(path: string): Promise<Opened | null> {
    const { watchFolder, fileAdopters } = this.deps;
    let held: HeldFolder | null = null;
    try {
      const { owner } = watchFolder;
      if (!owner) throw new Error('the account that has set it may not have torrents added from it');
      held = await HeldFolder.open(await realpath(path));
      const isAllowed = await watchFolder.boundsOf(owner);
      const whereabouts = await held.whereabouts();
      if (!isAllowed(whereabouts)) throw new Error('it lies where the account that has set it may not save');
      await fileAdopters.watch({ accountId: owner.id, path: whereabouts });
      return { held, owner };
    } catch (error) {
      await held?.close();
      this.#missing(path, error);
      return null;
    }
  }

  /** Told of once: it may be away for days. */
  #missing(path: string, error: unknown): void {
    if (!this.#isMissing) this.deps.log.warn('watch folder cannot be read', { path, reason: String(error) });
    this.#isMissing = true;
  }

  /** Resolves with what is to be taken. What is gone is forgotten. */
  async #read(held: HeldFolder, path: string, signal: AbortSignal): Promise<DueFile[]> {
    const { clock, log } = this.deps;
    const memory = new Map<string, Memory>();
    const due: DueFile[] = [];
    try {
      for await (const { name } of await opendir(held.entry('.'), { bufferSize: READ_STEP })) {
        if (signal.aborted) return [];
        const kind = kindOf(name);
        const state = kind && (await stateOf(held, name));
        if (!kind || !state) continue;
        const before = this.#memory.get(name);
        const verdict = decideOn(before, state, clock.nowMs());
        if (verdict.kind === 'take') due.push({ name, kind, mark: state.mark });
        const kept = verdict.kind === 'take' ? before : verdict.memory;
        if (kept) memory.set(name, kept);
      }
    } catch (error) {
      this.#missing(path, error);
      return [];
    }
    if (this.#isMissing) log.info('watch folder is back', { path });
    this.#isMissing = false;
    this.#memory = memory;
    return due;
  }

  /** One of several that share `queue`: leaving the loop ends it for all of them. */
  async #takeEach(queue: Generator<DueFile>, { held, owner }: Opened, folder: WatchFolderDto): Promise<void> {
    for (const file of queue) {
      const outcome = await this.#adder.add(owner, held, file);
      await this.#conclude(held, folder, file, outcome);
      if (outcome.kind === 'away') return;
    }
  }

  async #conclude(held: HeldFolder, folder: WatchFolderDto, file: DueFile, outcome: AddOutcome): Promise<void> {
    const { clock, log } = this.deps;
    const { name, mark } = file;
    if (outcome.kind === 'later' || outcome.kind === 'away') {
      const waiting = waitLonger(this.#memory.get(name), mark, clock.nowMs());
      this.#memory.set(name, waiting);
      if (waiting.attempts > 1) return;
      return log.warn('not added from the watch folder yet', { file: name, reason: outcome.reason });
    }
    this.#memory.delete(name);
    if (outcome.kind === 'changed') return;
    if (outcome.kind === 'invalid')
      log.warn('invalid file in the watch folder', { file: name, reason: outcome.reason });
    else log.debug('added from the watch folder', { file: name });
    try {
      if (outcome.kind === 'invalid') await setAside(held, file, 'invalid');
      else if (folder.delete_after_add) await deleteWatched(held, file);
      else await setAside(held, file, 'added');
    } catch (error) {
      this.#memory.set(name, { kind: 'settled', mark });
      log.warn('file stays in the watch folder', { file: name, reason: String(error) });
    }
  }
}

function* untilAborted(files: readonly DueFile[], signal: AbortSignal): Generator<DueFile> {
  for (const file of files) {
    if (signal.aborted) return;
    yield file;
  }
}

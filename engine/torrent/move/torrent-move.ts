// A torrent's move to another save path, or of some of its files to other paths below it: asked for, waiting for its turn, copying, cleaning up; ended by a person, by the
// removal of the torrent or by the end of the engine, and taken up again by the next run (docs/decisions/0026-moves-keep-a-journal.md).
// Owns: at each moment one of the two places is whole, and the row names it; nothing is written to the files meanwhile.
import type { MoveParams, MoveStatus, RenameParams } from '../../../shared-protocol/commands/moves.js';
import { AppError, toErrorRecord, type ErrorRecord } from '../../../shared-protocol/errors.js';
import type { MoveState } from '../../../shared-protocol/move-state.js';
import type { MoveRow, ResumeRow, TorrentChange, TorrentRow } from '../../../storage/types.js';
import type { Brought } from '../../disk/index.js';
import { SECOND_MS, type Timer } from '../../environment.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import type { Recheck } from '../check/recheck.js';
import { volumeMissing, type ErrorState } from '../error-state.js';
import { SerialQueue } from '../../util/serial-queue.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { bringFiles } from './bring-files.js';
import { lieAt, pointAt, type LieAtDeps } from './lie-at.js';
import { failed, forget, isUnfinished, storeSwitch } from './move-journal.js';
import { OtherPlace, type OtherPlaceDeps } from './other-place.js';
import { assertAllThere, assertNobodysPath, planRename } from './plan-rename.js';

export interface MoveDeps extends OtherPlaceDeps, LieAtDeps {
  readonly progress: TorrentProgress;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly errorState: ErrorState;
  change(mutate: () => void): void;
  saveSoon(): void;
  /** Files may be renamed again. */
  lookAtNames(): void;
  /** The disk that refused writes is another one now. */
  onOtherDisk(): Promise<void>;
  /** Does not want its turn any more. */
  leaveMoveQueue(): void;
}

/** A rename is answered by then, done or not: a check may last for hours. Well under the deadline of its command. */
const RENAME_WAIT_MS = 10 * SECOND_MS;

/** `asked`: it is being found out whether it can be. */
type Phase = 'none' | 'asked' | 'waiting' | 'copying' | 'cleaning';

/** Paths that are looked at, and stored with the journal, before a move or rename waits for its turn. */
interface ToStore extends Required<Pick<TorrentChange, 'pathLists'>> {
  readonly info: TorrentInfo;
  readonly infoThere: TorrentInfo;
}

export class TorrentMove {
  #phase: Phase = 'none';
  #bytesDone = 0;
  #bytesTotal = 0;
  /** Says by whom it was ended while it copied. */
  #endedBy: 'nobody' | 'person' | 'engine' = 'nobody';
  /** The switch may or may not be stored: until the next run has read the row nothing is removed at either place. */
  #isInDoubt = false;
  #isLeaving = false;
  #isGoingHome = false;
  /** Why what an earlier run left could not be put in order; it is tried again. */
  #trouble: ErrorRecord | null = null;
  readonly #other: OtherPlace;
  /** Never rejects. */
  #work: Promise<void> = Promise.resolve();
  /** One after another, each as long as it is waited for. */
  readonly #renames = new SerialQueue();
  /** Called when nothing is under way any more. */
  #onRest: () => void = () => undefined;

  constructor(private readonly deps: MoveDeps) {
    this.#other = new OtherPlace(deps);
  }

  /** Nothing may be written to the files. */
  get isCopying(): boolean {
    return this.#phase === 'copying';
  }

  /** Says that it would copy if it were its turn. */
  get isWaiting(): boolean {
    return this.#phase === 'waiting';
  }

  /** Where it is going, for whoever gives turns. */
  get target(): string {
    return this.#row?.to ?? '';
  }

  status(): MoveStatus {
    const row = this.#row;
    const [bytesDone, bytesTotal] = [this.#bytesDone, this.#bytesTotal];
    return {
      state: this.#state(),
      path: row?.to ?? null,
      bytesDone,
      bytesTotal,
      error: row?.error ?? this.#trouble,
    };
  }

  /** At the load of the torrent: the place at which it does not lie is still its own. Its path has been learnt. */
  holdPlace(): void {
    const row = this.#row;
    if (isUnfinished(row)) this.#other.holdAgain(row);
  }

  /** Durable when it resolves. @throws AppError `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`, `SAVE_PATH_INVALID` */
  async ask(params: MoveParams): Promise<void> {
    if (this.#phase !== 'none') throw new AppError('MOVE_CONFLICT', 'move: one is under way already');
    await this.#askFor(() => this.#begin(params));
  }

  /** The torrent is complete, and is brought where complete ones lie; tried once. Never rejects. */
  async goHome(to: string): Promise<void> {
    const { record } = this.deps;
    const { move: last = null } = record.row;
    if (this.#isGoingHome || this.#phase !== 'none' || (last && (last.phase !== 'failed' || last.to === to))) return;
    const { savePath: from, ownerId: accountId } = record.row;
    this.#isGoingHome = true;
    try {
      await this.ask({ path: to, accountId });
    } catch (error) {
      const move = failed({ from, to, phase: 'failed' }, error, 'failed');
      await record.update({ move }).catch((thrown: unknown) => this.#note(thrown, 'a failed move could not be noted'));
    }
    this.#isGoingHome = false;
  }

  /**
   * Gives a file or folder another path; durable when it resolves, and nearly always done (`none`).
   * @throws AppError `METADATA_UNKNOWN`, `FILE_NOT_FOUND`, `RENAME_INVALID`, `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`; what kept it
   * from being done
   */
  rename(params: RenameParams): Promise<MoveState> {
    return this.#renames.run(async () => {
      if (this.#phase !== 'none') {
        throw new AppError('MOVE_CONFLICT', 'rename: files of the torrent are being moved or renamed already');
      }
      await this.#askFor(() => this.#beginRename(params)).catch((error: unknown) => {
        throw ofRename(error);
      });
      await this.#restedWithin(RENAME_WAIT_MS);
      return this.#renamed();
    });
  }

  /** @throws AppError what kept it from being done */
  async #renamed(): Promise<MoveState> {
    const row = this.#row;
    if (this.#phase !== 'none' || !row?.error) return this.#state();
    // It is told now, and is not to be found for ever.
    if (row.phase === 'failed') await this.deps.record.update({ move: null });
    throw ofRename(new AppError(row.error.code, row.error.message));
  }

  /** In its turn. Never rejects. */
  async run(): Promise<void> {
    if (this.#phase !== 'waiting' || !this.deps.recheck.isSettled) return;
    await this.#do(() => this.#run());
  }

  /** After an end at any moment: what it was about is put in order, and begun again. Never rejects. */
  async recover(): Promise<void> {
    const row = this.#row;
    if (!isUnfinished(row) || this.#phase !== 'none') return;
    const isToGoOn = row.phase === 'copying' && !row.error;
    this.#phase = 'asked';
    await this.#do(async () => {
      try {
        await this.#putInOrder(isToGoOn ? row : null);
        if (isToGoOn && this.#endedBy === 'nobody') return this.#wait();
      } catch (error) {
        this.#note(error, 'what a move has left could not be put in order');
      }
      this.#rest();
    });
  }

  /** All of it lies at the old place when it resolves. @throws AppError `MOVE_CONFLICT` when it lies at the new one */
  async cancel(): Promise<void> {
    if (this.#phase === 'asked') throw new AppError('MOVE_CONFLICT', 'move: it is about to begin');
    const { record } = this.deps;
    const { savePath } = record.row;
    if (this.#phase === 'waiting') await this.#leaveQueue();
    if (this.#phase === 'copying') this.#endedBy = 'person';
    const isLate = (): boolean => this.#row?.phase === 'cleaning' || record.row.savePath !== savePath;
    if (!isLate()) await this.#work;
    if (isLate()) throw new AppError('MOVE_CONFLICT', 'move: the files lie at the new place already');
    if (!this.#row) return;
    this.#phase = 'asked';
    try {
      await this.#putInOrder();
      // What a person has ended does not begin by itself again.
      if (record.row.completePath) await record.update({ completePath: null });
      await forget(record, 0, null);
    } finally {
      this.#rest();
    }
  }

  /** The torrent is about to be removed: nothing is left where it does not lie. Never rejects. */
  async finish(): Promise<void> {
    this.#isLeaving = true;
    await this.deps.record.turns.run(async () => undefined);
    try {
      if (this.#phase === 'waiting') await this.#leaveQueue();
      if (this.#phase === 'copying') this.#endedBy = 'person';
      await this.#work;
      if (isUnfinished(this.#row)) await this.#putInOrder();
    } catch (error) {
      this.#note(error, 'what a move has left stays');
    }
    this.#other.release();
  }

  /** The engine stops; the next run goes on. Resolves when nothing is read or written any more. */
  stop(): Promise<void> {
    this.#endedBy = 'engine';
    this.#onRest();
    return this.#work;
  }

  get #row(): MoveRow | null {
    return this.deps.record.row.move ?? null;
  }

  #state(): MoveState {
    const phase = this.#phase;
    if (phase === 'waiting' || phase === 'copying' || phase === 'cleaning') return phase;
    const row = this.#row;
    if (!row) return 'none';
    return row.phase === 'copying' && (row.error || this.#trouble) ? 'failed' : row.phase;
  }

  /** One thing at a time. */
  #do(work: () => Promise<void>): Promise<void> {
    const doing = this.#work.then(work).catch((error: unknown) => this.#note(error, 'move failed'));
    this.#work = doing;
    return doing;
  }

  #rest(): void {
    if (this.#phase !== 'none') this.deps.change(() => (this.#phase = 'none'));
    this.#onRest();
  }

  async #restedWithin(waitMs: number): Promise<void> {
    if (this.#phase === 'none') return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.#onRest = resolve;
      timer = this.deps.services.clock.after(waitMs, resolve);
    });
    this.#onRest = () => undefined;
    timer?.cancel();
  }

  /** Nothing is under way; what was left before is put in order first. */
  async #askFor(begin: () => Promise<void>): Promise<void> {
    this.#phase = 'asked';
    this.#endedBy = 'nobody';
    try {
      await this.#putInOrder();
      await this.deps.record.turns.run(begin);
    } catch (error) {
      this.#rest();
      throw error;
    }
  }

  #wait(): void {
    this.deps.change(() => (this.#phase = 'waiting'));
  }

  async #begin({ path: to, existing = false, takeOver = false, accountId }: MoveParams): Promise<void> {
    const { record, services, claiming } = this.deps;
    const { claims, disk } = services;
    const { id, savePath: from } = record.row;
    if (this.#isLeaving) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    if ((await claims.learn(to)) === claims.realPath(from)) {
      throw new AppError('SAVE_PATH_INVALID', 'path: the torrent lies there already');
    }
    // Its result would be of both places.
    if (existing && this.deps.recheck.state === 'running') {
      throw new AppError('MOVE_CONFLICT', 'move: the torrent is being checked');
    }
    const info = this.#other.info();
    disk.savePaths.use(to);
    try {
      if (!info) await this.#pointAt(to, 0);
      else {
        const wanted = { savePath: to, existing, mayTakeOver: takeOver, accountId };
        this.#other.take(await claims.reserveAt(claiming, wanted, info.files));
        const asked = { info, infoThere: info, pathLists: new Map<number, null>() };
        if (!existing) return await this.#store({ from, to, phase: 'copying' }, asked);
        await this.#check(to, info, takeOver);
      }
    } catch (error) {
      this.#other.letGo(to);
      throw error;
    }
    this.#rest();
  }

  async #beginRename(params: RenameParams): Promise<void> {
    const { record, services, claiming, errorState } = this.deps;
    const { claims, disk } = services;
    const { id, savePath } = record.row;
    if (this.#isLeaving) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    const plan = planRename(services, record.row, params);
    if (!plan) return this.#rest();
    // What is missing would not be looked for where it was any more.
    if (errorState.filesMissing) throw new AppError('FILES_MISSING', errorState.error?.message ?? 'files are missing');
    const { info, infoThere, paths, pathLists } = plan;
    disk.savePaths.use(savePath);
    try {
      this.#other.take(await claims.reserveNames(claiming, plan.topNames, params.accountId));
      assertNobodysPath(plan, this.deps.filesOfOthers(savePath, plan.topNames));
      await this.#store({ from: savePath, to: savePath, phase: 'copying', paths }, { info, infoThere, pathLists });
    } catch (error) {
      this.#other.letGo(savePath);
      throw error;
    }
  }

  async #store(row: MoveRow, { info, infoThere, pathLists }: ToStore): Promise<void> {
    const { record, services, swarmManager, progress } = this.deps;
    if (!(await services.disk.savePaths.isHere(row.to))) throw volumeMissing();
    this.#bytesDone = 0;
    try {
      this.#other.know(row, infoThere);
      const found = await this.#other.relocation(info, row, swarmManager.content()?.ownership).look();
      this.#bytesTotal = found.bytes;
      if (row.paths) assertAllThere(info, progress.have, record.row.filePriorities, found);
    } finally {
      swarmManager.releaseContent();
    }
    await record.change({ row: { move: row }, claims: new Map(), pathLists });
    this.#trouble = null;
    this.#wait();
  }

  /** Nothing of what lies there is served before it is hashed: the torrent is `checking` before it lies there. */
  async #check(to: string, info: TorrentInfo, takeOver: boolean): Promise<void> {
    const { recheck, swarmManager, services, record } = this.deps;
    let asked = Promise.resolve();
    this.deps.change(() => {
      this.#phase = 'copying';
      asked = recheck.demand('all', 'person');
    });
    await asked;
    await swarmManager.ended;
    await this.#pointAt(to, info.files.length);
    if (takeOver) services.claims.grant(record.row.id);
  }

  async #pointAt(to: string, fileCount: number): Promise<void> {
    const { savePath: from } = this.deps.record.row;
    await pointAt(this.deps, to, fileCount);
    this.#other.letGo(from);
  }

  async #run(): Promise<void> {
    const { swarmManager } = this.deps;
    const row = this.#row;
    if (!row || this.#phase !== 'waiting' || this.#endedBy !== 'nobody') return;
    this.deps.change(() => (this.#phase = 'copying'));
    swarmManager.holdContent(true);
    try {
      await this.#bring(row);
    } catch (error) {
      return await this.#giveUp(row, error);
    } finally {
      swarmManager.holdContent(false);
      swarmManager.releaseContent();
    }
    await this.#cleanUp();
  }

  async #bring(row: MoveRow): Promise<void> {
    const { services, record, progress, swarmManager, errorState } = this.deps;
    await swarmManager.ended;
    await swarmManager.released.catch(() => undefined);
    // Whoever opens files by what the row says has done so.
    await record.turns.run(async () => undefined);
    const content = swarmManager.content();
    if (!content) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    if (errorState.filesMissing) throw new AppError('FILES_MISSING', errorState.error?.message ?? 'files are missing');
    if (!(await services.disk.savePaths.isHere(row.to))) throw volumeMissing();
    await content.storage.sync();
    const elsewhere = this.#other.begin(content.info);
    const infoThere = this.#other.infoThere(content.info, row);
    const { incompleteSuffix } = record.row;
    const means = { services, content, have: progress.have, infoThere, elsewhere, incompleteSuffix };
    const brought = await bringFiles(means, row, {
      isStopped: () => this.#endedBy !== 'nobody',
      onFound: (bytes) => {
        this.#bytesDone = 0;
        this.#bytesTotal = bytes;
      },
      onBytes: (count) => (this.#bytesDone += count),
    });
    const resume = await record.syncedResume(progress, () => content);
    const { info } = content;
    await content.storage.moveTo({ info: infoThere, savePath: row.to }, async () => {
      const ownership = lieAt(this.deps, await this.#storeSwitch(row, brought, resume), content, infoThere);
      this.#other.switched(this.#row ?? row, info);
      return ownership;
    });
  }

  /** One that fails may be stored all the same: then nothing is removed at either place until a row has been read. */
  async #storeSwitch(row: MoveRow, brought: Brought, resume: ResumeRow | null): Promise<Partial<TorrentRow>> {
    const { services, record, recheck } = this.deps;
    const isInDoubt = recheck.state !== 'none' && !record.row.pendingCheck;
    try {
      return await storeSwitch(services, record.row, row, brought, { resume, isInDoubt });
    } catch (error) {
      this.#isInDoubt = true;
      throw error;
    }
  }

  /** Everything stays where it was. */
  async #giveUp(row: MoveRow, error: unknown): Promise<void> {
    if (this.#endedBy === 'engine') return this.#note(error, 'move not ended');
    if (this.#isInDoubt) {
      this.#note(error, 'move may not be recorded');
      return this.#rest();
    }
    const isCancelled = this.#endedBy === 'person';
    this.#endedBy = 'nobody';
    if (!isCancelled) this.#log('warn', 'move failed', error);
    try {
      await this.#other.undo(row, isCancelled ? null : failed(row, error, 'failed'));
    } catch (undoError) {
      this.#note(undoError, 'what a move has left could not be removed');
      await this.deps.record.update({ move: failed(row, error, 'copying') });
    } finally {
      await this.#goOn();
    }
  }

  async #cleanUp(): Promise<void> {
    this.deps.change(() => (this.#phase = 'cleaning'));
    this.deps.saveSoon();
    await this.#goOn('cleaning');
    try {
      await this.#putInOrder();
    } catch (error) {
      this.#note(error, 'what a move has left could not be removed');
    }
    // Links that have gone have changed the times by which the files are known.
    this.deps.record.onPiecesChanged();
    this.deps.saveSoon();
    this.#rest();
  }

  /** Makes up for what was held back meanwhile: bytes of files that became wanted. */
  async #goOn(phase: Phase = 'none'): Promise<void> {
    await this.deps.swarmManager.moveWanted();
    this.deps.lookAtNames();
    if (phase === 'cleaning')
      await this.deps.onOtherDisk().catch((error: unknown) => this.#note(error, 'not looked at'));
    else this.#rest();
  }

  /** Removes what is left at the place where the torrent does not lie. `again`: the move begins again. */
  async #putInOrder(again: MoveRow | null = null): Promise<void> {
    if (!isUnfinished(this.#row)) return;
    if (this.#isInDoubt) {
      throw new AppError('STORAGE_FAILED', 'move: may not be recorded, and is looked at by the next run');
    }
    await this.#other.putInOrder(again);
    this.#trouble = null;
  }

  async #leaveQueue(): Promise<void> {
    const row = this.#row;
    this.deps.leaveMoveQueue();
    this.#rest();
    await forget(this.deps.record, 0, null);
    if (row) this.#other.letGo(row.to);
  }

  #note(error: unknown, message: string): void {
    this.#trouble = toErrorRecord(error);
    this.#log('warn', message, error);
  }

  #log(level: 'warn' | 'info', message: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.deps.services.log[level](message, { torrent: this.deps.record.row.id, reason });
  }
}

/** The path that is taken is the one that was asked for. */
function ofRename(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'MOVE_TARGET_TAKEN') return error;
  return new AppError(error.code, error.message.replace(/^path: /, 'to: '), error.data);
}

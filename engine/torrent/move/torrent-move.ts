// A torrent's move to another save path: asked for, waiting for its turn, copying, cleaning up; ended by a person, by the
// removal of the torrent or by the end of the engine, and taken up again by the next run (docs/decisions/0026-moves-keep-a-journal.md).
// Owns: at each moment one of the two places is whole, and the row names it; nothing is written to the files meanwhile.
import type { MoveParams, MoveStatus } from '../../../shared-protocol/commands.js';
import { AppError, toErrorRecord, type ErrorRecord } from '../../../shared-protocol/errors.js';
import type { MoveState } from '../../../shared-protocol/move-state.js';
import type { MoveRow } from '../../../storage/types.js';
import type { ClaimingTorrent, FilesElsewhere, Reservation, TorrentFiles } from '../../claims/index.js';
import type { KeepFile, Relocation } from '../../disk/index.js';
import type { TorrentInfo } from '../../metainfo/index.js';
import type { Recheck } from '../check/recheck.js';
import { volumeMissing, type ErrorState } from '../error-state.js';
import { readInfo, type Content } from '../files/content.js';
import type { TorrentProgress } from '../pieces/progress.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { bringFiles } from './bring-files.js';
import { failed, forget, isUnfinished, otherPlace, storePointed, storeSwitch } from './move-journal.js';

export interface MoveDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly progress: TorrentProgress;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly errorState: ErrorState;
  /** The torrent, as it is known by its place on disk. */
  readonly claiming: ClaimingTorrent;
  change(mutate: () => void): void;
  saveSoon(): void;
  /** The disk that refused writes is another one now. */
  onOtherDisk(): Promise<void>;
  /** Makes it known by another place from within `mutate` on. */
  switchPlace(mutate: () => void): void;
  /** Does not want it any more. */
  leaveMoveQueue(): void;
  /** Tells which files others have below that save path. */
  filesOfOthers(savePath: string): KeepFile;
  /** Whatever is added to the save path meanwhile waits. */
  whileRemoving(savePath: string, work: Promise<void>): Promise<void>;
}

/** `asked`: it is being found out whether it can be. */
type Phase = 'none' | 'asked' | 'waiting' | 'copying' | 'cleaning';

export class TorrentMove {
  #phase: Phase = 'none';
  #bytesDone = 0;
  #bytesTotal = 0;
  /** Says by whom it was ended while it copied. */
  #endedBy: 'nobody' | 'person' | 'engine' = 'nobody';
  /** The switch may or may not be stored: until the next run has read the row nothing is removed at either place. */
  #isInDoubt = false;
  #isLeaving = false;
  /** The record of the run that is copying: it knows which files it was only about to make. */
  #elsewhere: FilesElsewhere | null = null;
  /** Why what an earlier run left could not be put in order; it is tried again. */
  #trouble: ErrorRecord | null = null;
  /** Holds the place at which the torrent does not lie. */
  #hold: Reservation | null = null;
  /** Never rejects. */
  #work: Promise<void> = Promise.resolve();

  constructor(private readonly deps: MoveDeps) {}

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
    if (!isUnfinished(row)) return;
    const { disk, claims } = this.deps.services;
    disk.savePaths.use(otherPlace(row));
    this.#hold = claims.hold(this.deps.claiming, otherPlace(row));
  }

  /** Durable when it resolves. @throws AppError `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`, `SAVE_PATH_INVALID` */
  async ask(params: MoveParams): Promise<void> {
    if (this.#phase !== 'none') throw new AppError('MOVE_CONFLICT', 'move: one is under way already');
    this.#phase = 'asked';
    this.#endedBy = 'nobody';
    try {
      await this.#putInOrder();
      await this.deps.record.turns.run(() => this.#begin(params));
    } catch (error) {
      this.#rest();
      throw error;
    }
  }

  /** In its turn. Never rejects. */
  async run(): Promise<void> {
    if (this.#phase !== 'waiting' || this.deps.recheck.state === 'running') return;
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
      await record.update({ move: null });
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
    this.#release();
  }

  /** The engine stops; the next run goes on. Resolves when nothing is read or written any more. */
  stop(): Promise<void> {
    this.#endedBy = 'engine';
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
  }

  #wait(): void {
    this.deps.change(() => (this.#phase = 'waiting'));
  }

  async #begin({ path: to, existing = false, takeOver = false, accountId }: MoveParams): Promise<void> {
    const { record, services, claiming, swarmManager } = this.deps;
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
    const info = this.#info();
    disk.savePaths.use(to);
    try {
      if (!info) return await this.#pointAt(to, 0);
      const wanted = { savePath: to, existing, mayTakeOver: takeOver, accountId };
      this.#hold = await claims.reserveAt(claiming, wanted, info.files);
      if (existing) return await this.#check(to, info, takeOver);
      if (!(await disk.savePaths.isHere(to))) throw volumeMissing();
      this.#bytesDone = 0;
      const row: MoveRow = { from, to, phase: 'copying' };
      this.#bytesTotal = (await this.#relocation(info, row, swarmManager.content()?.ownership).look()).bytes;
      swarmManager.releaseContent();
      await record.update({ move: row });
    } catch (error) {
      this.#release();
      disk.savePaths.leave(to);
      throw error;
    }
    this.#trouble = null;
    this.#wait();
  }

  /** Points it at what lies there, which is hashed before anything of it is served: the torrent is `checking` before it lies there. */
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
    this.#rest();
  }

  async #pointAt(to: string, fileCount: number): Promise<void> {
    const { record, services, swarmManager } = this.deps;
    const { id, savePath: from } = record.row;
    const content = fileCount > 0 ? swarmManager.content() : null;
    const settle = async () => this.#lieAt(await storePointed(services, id, to, fileCount), content);
    if (content) await content.storage.moveTo(to, settle);
    else await settle();
    swarmManager.releaseContent();
    this.#release();
    services.disk.savePaths.leave(from);
    if (fileCount === 0) this.#rest();
  }

  /** The change of the row is stored. */
  #lieAt(change: Partial<MoveDeps['record']['row']>, content: Content | null) {
    const { record, services, claiming } = this.deps;
    this.deps.switchPlace(() => record.onMoved(change));
    const count = content?.info.files.length ?? 0;
    const ownership = services.claims.filesOf(placeOf(claiming), count, true);
    if (content) content.ownership = ownership;
    return ownership;
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
    const { services, record, progress, swarmManager, errorState, claiming } = this.deps;
    await swarmManager.ended;
    await swarmManager.released.catch(() => undefined);
    // Whoever opens files by what the row says has done so.
    await record.turns.run(async () => undefined);
    const content = swarmManager.content();
    if (!content) throw new AppError('STORAGE_FAILED', 'torrent: its metadata cannot be read');
    if (errorState.filesMissing) throw new AppError('FILES_MISSING', errorState.error?.message ?? 'files are missing');
    if (!(await services.disk.savePaths.isHere(row.to))) throw volumeMissing();
    await content.storage.sync();
    const elsewhere = services.claims.elsewhereOf(claiming, content.info.files.length);
    this.#elsewhere = elsewhere;
    const brought = await bringFiles({ services, content, have: progress.have, elsewhere }, row, {
      isStopped: () => this.#endedBy !== 'nobody',
      onFound: (bytes) => {
        this.#bytesDone = 0;
        this.#bytesTotal = bytes;
      },
      onBytes: (count) => (this.#bytesDone += count),
    });
    await content.storage.moveTo(row.to, async () => {
      const change = await this.#storeSwitch(row, brought);
      const ownership = this.#lieAt(change, content);
      this.#elsewhere = null;
      this.#hold?.release();
      this.#hold = services.claims.hold(claiming, row.from);
      return ownership;
    });
  }

  /** One that fails may be stored all the same: then nothing is removed at either place until a row has been read. */
  async #storeSwitch(row: MoveRow, brought: Parameters<typeof storeSwitch>[3]) {
    try {
      return await storeSwitch(this.deps.services, this.deps.record.row.id, row, brought);
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
      await this.#undo(row, isCancelled ? null : failed(row, error, 'failed'));
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
    if (phase === 'cleaning')
      await this.deps.onOtherDisk().catch((error: unknown) => this.#note(error, 'not looked at'));
    else this.#rest();
  }

  /** Removes what is left at the place where the torrent does not lie. `again`: the move begins again. */
  async #putInOrder(again: MoveRow | null = null): Promise<void> {
    const row = this.#row;
    if (!isUnfinished(row)) return;
    if (this.#isInDoubt)
      throw new AppError('STORAGE_FAILED', 'move: may not be recorded, and is looked at by the next run');
    const { savePaths } = this.deps.services.disk;
    for (const path of [row.from, row.to]) if (!(await savePaths.isHere(path))) throw volumeMissing();
    if (row.phase === 'cleaning') await this.#clean(row);
    else if (again) await this.#removeMade(row, again);
    else await this.#undo(row, row.error ? { ...row, phase: 'failed' } : null);
    this.#trouble = null;
  }

  async #undo(row: MoveRow, kept: MoveRow | null): Promise<void> {
    await this.#removeMade(row, kept);
    this.#release();
    this.deps.services.disk.savePaths.leave(row.to);
  }

  async #removeMade(row: MoveRow, kept: MoveRow | null): Promise<void> {
    const info = this.#info();
    if (info) await this.deps.whileRemoving(row.to, this.#relocation(info, row).undo());
    this.#elsewhere = null;
    await forget(this.deps.record, info?.files.length ?? 0, kept);
  }

  async #clean(row: MoveRow): Promise<void> {
    const info = this.#info();
    const keep = this.deps.filesOfOthers(row.from);
    if (info) await this.deps.whileRemoving(row.from, this.#relocation(info, row).clean(keep));
    await forget(this.deps.record, info?.files.length ?? 0, null);
    this.#release();
    this.deps.services.disk.savePaths.leave(row.from);
  }

  async #leaveQueue(): Promise<void> {
    const row = this.#row;
    this.deps.leaveMoveQueue();
    this.#rest();
    await this.deps.record.update({ move: null });
    this.#release();
    if (row) this.deps.services.disk.savePaths.leave(row.to);
  }

  /** `ownership`: of what lies at the old place, where that is asked. */
  #relocation(info: TorrentInfo, { from, to }: MoveRow, ownership?: TorrentFiles): Relocation {
    const { services, claiming } = this.deps;
    const elsewhere = this.#elsewhere ?? services.claims.elsewhereOf(claiming, info.files.length);
    return services.disk.relocation({ info, from, to, elsewhere, ...(ownership && { ownership }) });
  }

  #info(): TorrentInfo | null {
    const { services, record, swarmManager } = this.deps;
    return record.row.summary ? readInfo(services, record.row, swarmManager.openedContent) : null;
  }

  #release(): void {
    this.#hold?.release();
    this.#hold = null;
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

/** A copy that others may change. */
function placeOf({ id, ownerId, isShared, savePath, topName }: ClaimingTorrent): ClaimingTorrent {
  return { id, ownerId, isShared, savePath, topName };
}

// A torrent's move to another save path, or of some of its files to other paths below it: asked for, waiting for its turn,
// in its turn (`move-turn.ts`); ended by a person, by the removal of the torrent or by the end of the engine, and taken up
// again by the next run (docs/decisions/0026-moves-keep-a-journal.md).
// Owns: at each moment one of the two places is whole, and the row names it; nothing is written to the files meanwhile.
import type { MoveParams, MoveStatus, RenameParams } from '../../../shared-protocol/commands/moves.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { MoveState } from '../../../shared-protocol/move-state.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { MoveRow, PathsRow } from '../../../storage/types.js';
import { SECOND_MS } from '../../environment.js';
import { SerialQueue } from '../../util/serial-queue.js';
import type { Recheck } from '../check/recheck.js';
import type { ErrorState } from '../error-state.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { beginMove, type BeginMoveDeps } from './begin-move.js';
import { beginRename, type BeginRenameDeps } from './begin-rename.js';
import { failed, forget, isUnfinished, liesAt } from './move-journal.js';
import { MoveTrouble } from './move-trouble.js';
import { MoveTurn, type MoveTurnDeps } from './move-turn.js';
import { OtherPlace, type OtherPlaceDeps } from './other-place.js';
import type { Begun, MoveParts } from './store-begin.js';
import { UnderWay, type UnderWayDeps } from './under-way.js';

export interface MoveDeps extends BeginMoveDeps, BeginRenameDeps, MoveTurnDeps, OtherPlaceDeps, UnderWayDeps {
  readonly services: OtherPlaceDeps['services'];
  readonly claiming: OtherPlaceDeps['claiming'];
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly errorState: ErrorState;
  /** Does not want its turn any more. */
  leaveMoveQueue(): void;
}

/** A rename is answered by then, done or not: a check may last for hours. Well under the deadline of its command. */
const RENAME_WAIT_MS = 10 * SECOND_MS;

export class TorrentMove {
  readonly #underWay: UnderWay;
  readonly #other: OtherPlace;
  readonly #trouble: MoveTrouble;
  readonly #turn: MoveTurn;
  #isLeaving = false;
  #isGoingHome = false;
  /** Never rejects. */
  #work: Promise<void> = Promise.resolve();
  /** One after another, each as long as it is waited for. */
  readonly #renames = new SerialQueue();

  constructor(private readonly deps: MoveDeps) {
    this.#underWay = new UnderWay(deps);
    this.#other = new OtherPlace(deps);
    this.#trouble = new MoveTrouble(deps);
    this.#turn = new MoveTurn(deps, { ...this.#parts, trouble: this.#trouble });
  }

  /** Nothing may be written to the files. */
  get isCopying(): boolean {
    return this.#underWay.phase === 'copying';
  }

  /** Says that it would copy if it were its turn. */
  get isWaiting(): boolean {
    return this.#underWay.phase === 'waiting';
  }

  /** Where it is going, for whoever gives turns. */
  get target(): string {
    return this.#row?.to ?? '';
  }

  status(): MoveStatus {
    const row = this.#row;
    const { bytesDone, bytesTotal } = this.#underWay;
    const error = row?.error ?? this.#trouble.error;
    return { state: this.#state(), path: row?.to ?? null, bytesDone, bytesTotal, error };
  }

  /** At the load of the torrent: the place at which it does not lie is still its own. Its path has been learnt. */
  holdPlace(): void {
    const row = this.#row;
    if (isUnfinished(row)) this.#other.holdAgain(row);
  }

  /** Durable when it resolves. @throws AppError `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`, `SAVE_PATH_INVALID` */
  async ask(params: MoveParams): Promise<void> {
    if (!this.#isAtRest)
      throw new AppError('MOVE_CONFLICT', 'move: one is under way already', because('MOVE_UNDER_WAY'));
    await this.#askFor(() => beginMove(this.deps, this.#parts, params));
  }

  /** The torrent is complete, and is brought where complete ones lie; tried once. Never rejects. */
  async goHome(to: string): Promise<void> {
    const { record } = this.deps;
    const { move: last = null } = record.row;
    if (this.#isGoingHome || !this.#isAtRest || (last && (last.phase !== 'failed' || last.to === to))) return;
    const { savePath: from, ownerId: accountId } = record.row;
    this.#isGoingHome = true;
    try {
      await this.ask({ path: to, accountId });
    } catch (error) {
      const move = failed({ from, to, phase: 'failed' }, error, 'failed');
      await record.update({ move }).catch((thrown: unknown) => {
        this.#trouble.note(thrown, 'a failed move could not be noted');
      });
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
      if (!this.#isAtRest) {
        const said = 'rename: files of the torrent are being moved or renamed already';
        throw new AppError('MOVE_CONFLICT', said, because('MOVE_UNDER_WAY'));
      }
      let wanted: PathsRow | undefined;
      try {
        await this.#askFor(async () => {
          const begun = await beginRename(this.deps, this.#parts, params);
          if (begun === 'to-copy') wanted = this.#row?.paths;
          return begun;
        });
      } catch (error) {
        throw ofRename(error);
      }
      await this.#underWay.restedWithin(RENAME_WAIT_MS);
      return this.#renamed(wanted);
    });
  }

  /** `wanted`: what it was to bring about. @throws AppError what kept it from being done; `MOVE_CONFLICT` where somebody ended it */
  async #renamed(wanted: PathsRow | undefined): Promise<MoveState> {
    const row = this.#row;
    if (this.#isAtRest && !row && wanted && !liesAt(this.deps.record.row, wanted)) {
      throw new AppError('MOVE_CONFLICT', 'rename: it was ended before it was done');
    }
    if (!this.#isAtRest || !row?.error) return this.#state();
    // It is told now, and is not to be found for ever.
    if (row.phase === 'failed') await this.deps.record.update({ move: null });
    throw ofRename(new AppError(row.error.code, row.error.message));
  }

  /** In its turn. Never rejects. */
  async run(): Promise<void> {
    if (!this.isWaiting || !this.deps.recheck.isSettled) return;
    await this.#do(async () => {
      const row = this.#row;
      if (row && this.isWaiting && !this.#underWay.isStopped()) await this.#turn.run(row);
    });
  }

  /** After an end at any moment: what it was about is put in order, and begun again. Never rejects. */
  async recover(): Promise<void> {
    const row = this.#row;
    if (!isUnfinished(row) || !this.#isAtRest) return;
    const isToGoOn = row.phase === 'copying' && !row.error;
    this.#underWay.ask();
    await this.#do(async () => {
      try {
        await this.#putInOrder(isToGoOn ? row : null);
        if (isToGoOn && !this.#underWay.isStopped()) return this.#underWay.enter('waiting');
      } catch (error) {
        this.#trouble.note(error, 'what a move has left could not be put in order');
      }
      this.#underWay.rest();
    });
  }

  /** All of it lies at the old place when it resolves. @throws AppError `MOVE_CONFLICT` when it lies at the new one */
  async cancel(): Promise<void> {
    if (this.#underWay.phase === 'asked') throw new AppError('MOVE_CONFLICT', 'move: it is about to begin');
    const { record } = this.deps;
    const { savePath, completePath } = record.row;
    // What a person has ended does not begin by itself again.
    if (completePath && this.#row && !this.#row.paths) await record.update({ completePath: null });
    if (this.isWaiting) await this.#leaveQueue();
    this.#underWay.endCopying();
    const isLate = (): boolean => this.#row?.phase === 'cleaning' || record.row.savePath !== savePath;
    if (!isLate()) await this.#work;
    if (isLate()) throw new AppError('MOVE_CONFLICT', 'move: the files lie at the new place already');
    if (!this.#row) return;
    if (!this.#isAtRest) throw new AppError('MOVE_CONFLICT', 'move: another has begun meanwhile');
    this.#underWay.ask();
    try {
      await this.#putInOrder();
      await forget(record, 0, null);
    } finally {
      this.#underWay.rest();
    }
  }

  /** The torrent is about to be removed: nothing is left where it does not lie. Never rejects. */
  async finish(): Promise<void> {
    this.#isLeaving = true;
    await this.deps.record.turns.run(async () => undefined);
    try {
      if (this.isWaiting) await this.#leaveQueue();
      this.#underWay.endCopying();
      await this.#work;
      if (isUnfinished(this.#row)) await this.#putInOrder();
    } catch (error) {
      this.#trouble.note(error, 'what a move has left stays');
    }
    this.#other.release();
  }

  /** The engine stops; the next run goes on. Resolves when nothing is read or written any more. */
  stop(): Promise<void> {
    this.#underWay.stop();
    return this.#work;
  }

  get #row(): MoveRow | null {
    return this.deps.record.row.move ?? null;
  }

  get #isAtRest(): boolean {
    return this.#underWay.phase === 'none';
  }

  get #parts(): MoveParts {
    return { other: this.#other, underWay: this.#underWay };
  }

  #state(): MoveState {
    const { phase } = this.#underWay;
    if (phase === 'waiting' || phase === 'copying' || phase === 'cleaning') return phase;
    const row = this.#row;
    if (!row) return 'none';
    return row.phase === 'copying' && (row.error || this.#trouble.error) ? 'failed' : row.phase;
  }

  /** One thing at a time. */
  #do(work: () => Promise<void>): Promise<void> {
    const doing = this.#work.then(work).catch((error: unknown) => this.#trouble.note(error, 'move failed'));
    this.#work = doing;
    return doing;
  }

  /** Nothing is under way; what was left before is put in order first. */
  async #askFor(begin: () => Promise<Begun>): Promise<void> {
    const { record } = this.deps;
    this.#underWay.ask();
    this.#underWay.forgetEnd();
    try {
      await this.#putInOrder();
      await record.turns.run(async () => {
        if (this.#isLeaving) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id: record.row.id });
        if ((await begin()) === 'done') return this.#underWay.rest();
        this.#trouble.over();
        this.#underWay.enter('waiting');
      });
    } catch (error) {
      this.#underWay.rest();
      throw error;
    }
  }

  /** Removes what is left at the place where the torrent does not lie. `again`: the move begins again. */
  async #putInOrder(again: MoveRow | null = null): Promise<void> {
    if (!isUnfinished(this.#row)) return;
    await this.#other.putInOrder(again);
    this.#trouble.over();
  }

  /** Nothing else is begun before the row says nothing of it. */
  #leaveQueue(): Promise<void> {
    this.deps.leaveMoveQueue();
    this.#underWay.enter('leaving');
    const leaving = this.#forgetWaiting();
    this.#work = leaving.catch(() => undefined);
    return leaving;
  }

  async #forgetWaiting(): Promise<void> {
    const row = this.#row;
    try {
      await forget(this.deps.record, 0, null);
      if (row) this.#other.letGo(row.to);
    } finally {
      this.#underWay.rest();
    }
  }
}

/** The path that is taken is the one that was asked for. */
function ofRename(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'MOVE_TARGET_TAKEN') return error;
  return new AppError(error.code, error.message.replace(/^path: /, 'to: '), error.data);
}

// The moves as they are stored and, in between, as they are: a byte that has come is not worth a write of its own, a step is.
import type { Collection } from '../../../storage/types.js';
import type { Clock } from '../../clocks.js';
import type { MoveChange, ServerMovesData, StoredMove } from './move-records.js';

const STORE_EVERY_MS = 30_000;
/** Fields that are stored with the next step, or when they are old enough. */
const FIGURES: ReadonlySet<string> = new Set([
  'bytes_done',
  'bytes_total',
  'progressed_at',
  'reason',
] satisfies (keyof MoveChange)[]);

export class MoveBook {
  /** Changes that are not stored, by move. */
  readonly #fresh = new Map<number, { readonly sinceMs: number; readonly change: MoveChange }>();

  constructor(
    private readonly collection: Collection<ServerMovesData>,
    private readonly clock: Pick<Clock, 'nowMs'>,
  ) {}

  get all(): readonly StoredMove[] {
    return this.collection.data.moves.map((move) => ({ ...move, ...this.#fresh.get(move.id)?.change }));
  }

  /**
   * Stored when it resolves, if it is a step; nothing of one that is gone. A step that was begun before the move was ended by
   * hand changes nothing: what both ends show then decides.
   * @throws AppError `STORAGE_FAILED`
   */
  async change(seen: Pick<StoredMove, 'id' | 'giving_up'>, change: MoveChange): Promise<void> {
    const { id } = seen;
    const fresh = this.#fresh.get(id) ?? { sinceMs: this.clock.nowMs(), change: {} };
    const all = { ...fresh.change, ...change };
    const isStep = Object.keys(change).some((field) => !FIGURES.has(field));
    if (!isStep && this.clock.nowMs() - fresh.sinceMs < STORE_EVERY_MS) {
      if (this.collection.data.moves.some((move) => move.id === id)) this.#fresh.set(id, { ...fresh, change: all });
      return;
    }
    await this.#edit(id, (move) => (isDecided(move, seen) ? fresh.change : all));
    // Figures that came meanwhile wait for the next step.
    if (this.#fresh.get(id) === fresh) this.#fresh.delete(id);
  }

  /** Ended by hand, with the copy, whatever it was given up for before. @throws AppError `STORAGE_FAILED` */
  end(id: number): Promise<void> {
    return this.#edit(id, () => ({ giving_up: { reason: 'ended by hand', removes_copy: true } }));
  }

  /** @throws AppError `STORAGE_FAILED` */
  async drop(isGone: (move: StoredMove) => boolean): Promise<void> {
    await this.collection.update((data) => {
      data.moves = data.moves.filter((move) => !isGone(move));
    });
    const left = new Set(this.collection.data.moves.map(({ id }) => id));
    for (const id of this.#fresh.keys()) if (!left.has(id)) this.#fresh.delete(id);
  }

  #edit(id: number, changeOf: (move: StoredMove) => MoveChange): Promise<void> {
    return this.collection.update((data) => {
      data.moves = data.moves.map((move) => (move.id === id ? { ...move, ...changeOf(move) } : move));
    });
  }
}

/** Whether it was ended by hand after it was seen: the next step ends it so. */
function isDecided({ giving_up }: StoredMove, seen: Pick<StoredMove, 'giving_up'>): boolean {
  return giving_up?.removes_copy === true && !seen.giving_up?.removes_copy;
}

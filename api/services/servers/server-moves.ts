// Moves of torrents between servers: which there are, and the steps of those that go on, one after another for each account.
// Owns: each step is stored before the next one begins, and an account moves what is its own to move, by its own rights.
import type { NewServerMove, ServerMoveDto } from '../../../shared-protocol/dto/server-moves.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import type { Account } from '../../auth/account.js';
import { unixSecondsOf, type Clock, type Timer } from '../../clocks.js';
import { notFound, RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { parseTorrentId } from '../library/torrent-id.js';
import { MoveBook } from './move-book.js';
import { isEnded, toServerMoveDto, type ServerMovesData, type StoredMove } from './move-records.js';
import { step } from './move-step.js';
import { Refused, ServerEnd, type Servers } from './servers.js';

/** That go on; ended ones are kept as long as there is room for them. */
const MAX_MOVES_OF_ACCOUNT = 100;
/** Moves of an account that take a step in one turn; the others wait until one of them has ended. */
const AT_A_TIME = 4;
const TURN_MS = 2_000;

export interface ServerMovesDeps {
  readonly collection: Collection<ServerMovesData>;
  readonly servers: Servers;
  /** Enabled ones. */
  readonly accountOf: (id: number) => Account | undefined;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class ServerMoves implements BackgroundService {
  #timer: Timer | null = null;
  #isRunning = false;
  #isTurning = false;
  #turn: Promise<void> = Promise.resolve();

  readonly #book: MoveBook;

  constructor(private readonly deps: ServerMovesDeps) {
    this.#book = new MoveBook(deps.collection, deps.clock);
    deps.collection.onChanged(() => this.#wake());
  }

  start(): void {
    this.#isRunning = true;
    this.#wake();
  }

  /** Ends the step that is under way; all go on with the next start. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    await this.#turn;
  }

  of(accountId: AccountId): ServerMoveDto[] {
    return this.#book.all.filter(({ user_id }) => user_id === accountId).map(toServerMoveDto);
  }

  /**
   * The id. Looks at both servers first.
   * @throws RequestError `BODY_INVALID`, `NOT_FOUND`, `CONFLICT` for what cannot be moved, `QUOTA_EXCEEDED`, `REMOTE_AWAY`;
   * AppError `STORAGE_FAILED`
   */
  async begin(account: Account, wanted: NewServerMove): Promise<number> {
    const { clock, collection } = this.deps;
    const parsed = parseTorrentId(wanted.infohash);
    if (parsed.kind !== 'id') throw new RequestError('BODY_INVALID', 'infohash: expected 40 hexadecimal digits');
    if (wanted.from === wanted.to) throw new RequestError('BODY_INVALID', 'to: it is there already');
    const { source, target } = this.#endsOf(account, { ...wanted, infohash: parsed.id });
    const here = await source.look();
    if (!here) throw notFound('torrent');
    if (here.access !== 'owner') throw new RequestError('FORBIDDEN');
    if (!here.completed || here.bytes_done !== here.total_bytes) {
      throw new RequestError('CONFLICT', 'infohash: not all of it is there to be moved', because('TORRENT_INCOMPLETE'));
    }
    const was_paused = await source.isPaused().catch((error: unknown) => {
      // A version that does not tell it by itself.
      if (error instanceof Refused) return here.paused;
      throw error;
    });
    const existed = (await target.look()) !== null;
    const now = unixSecondsOf(clock);
    let id = 0;
    await collection.update((data) => {
      const own = data.moves.filter(({ user_id }) => user_id === account.id);
      if (own.some((move) => move.infohash === parsed.id && !isEnded(move))) {
        throw new RequestError('CONFLICT', 'infohash: it is being moved', because('MOVE_UNDER_WAY'));
      }
      if (own.filter((move) => !isEnded(move)).length >= MAX_MOVES_OF_ACCOUNT) {
        throw new RequestError('QUOTA_EXCEEDED', `server_moves: at most ${MAX_MOVES_OF_ACCOUNT} of an account`, {
          of: 'server_moves',
          max: MAX_MOVES_OF_ACCOUNT,
        });
      }
      const oldest = own.length >= MAX_MOVES_OF_ACCOUNT ? own.find(isEnded) : undefined;
      data.moves = data.moves.filter((move) => move !== oldest);
      id = data.next_id++;
      data.moves.push({
        ...wanted,
        ...{ id, user_id: account.id, infohash: parsed.id, name: here.name, existed, was_paused, tiers: null },
        ...{ state: 'copying', reason: null, giving_up: null, bytes_done: 0, bytes_total: here.total_bytes },
        ...{ started_at: now, progressed_at: now, announced_at: 0, ended_at: 0 },
      });
    });
    this.#wake();
    return id;
  }

  /**
   * Ends one that goes on, as if it had never begun; forgets one that has ended.
   * @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED`
   */
  async end(accountId: AccountId, id: number): Promise<void> {
    const move = this.#book.all.find((each) => each.id === id && each.user_id === accountId);
    if (!move) throw notFound('move');
    if (isEnded(move)) return this.#book.drop((each) => each.id === id);
    await this.#book.end(id);
    this.#wake();
  }

  /** The account is gone. */
  async forgetAccount(accountId: AccountId): Promise<void> {
    if (this.#book.all.some(({ user_id }) => user_id === accountId))
      await this.#book.drop(({ user_id }) => user_id === accountId);
  }

  /** A turn that is under way wakes the next one itself. */
  #wake(): void {
    this.#timer?.cancel();
    if (this.#isTurning || !this.#isRunning || this.#book.all.every(isEnded)) return;
    this.#timer = this.deps.clock.after(TURN_MS, () => {
      this.#isTurning = true;
      this.#turn = this.#takeTurn().then(() => {
        this.#isTurning = false;
        this.#wake();
      });
    });
  }

  /** Never rejects. */
  async #takeTurn(): Promise<void> {
    const going = new Map<number, StoredMove[]>();
    for (const move of this.#book.all.filter((each) => !isEnded(each))) {
      going.set(move.user_id, [...(going.get(move.user_id) ?? []), move]);
    }
    // An account's one after another: the servers are asked for people, too.
    await Promise.all(
      Array.from(going.values(), async (moves) => {
        for (const move of moves.slice(0, AT_A_TIME)) if (this.#isRunning) await this.#advance(move);
      }),
    );
  }

  /** Never rejects. */
  async #advance(move: StoredMove): Promise<void> {
    const account = this.deps.accountOf(move.user_id);
    if (!account) return;
    const { clock, log } = this.deps;
    try {
      const change = await step(move, this.#endsOf(account, move), unixSecondsOf(clock));
      await this.#book.change(move, change);
      if (change.state)
        log.info('server move', { name: move.name, state: change.state, reason: change.reason ?? null });
    } catch (error) {
      await this.#failed(move, error).catch((reason: unknown) =>
        log.warn('server move not stored', { name: move.name, reason: String(reason) }),
      );
    }
  }

  async #failed(move: StoredMove, error: unknown): Promise<void> {
    if (error instanceof Refused && !move.giving_up) {
      return this.#book.change(move, { giving_up: { reason: error.message, removes_copy: false } });
    }
    const isOver = error instanceof RequestError && error.code === 'NOT_FOUND';
    const reason = messageOf(error);
    if (isOver || error instanceof Refused) {
      const ended_at = unixSecondsOf(this.deps.clock);
      return this.#book.change(move, {
        state: 'failed',
        reason: move.giving_up?.reason ?? reason,
        giving_up: null,
        ended_at,
      });
    }
    // Nothing is lost: the next turn tries again.
    await this.#book.change(move, { reason });
  }

  #endsOf(account: Account, move: Pick<StoredMove, 'from' | 'to' | 'infohash'>) {
    const { servers } = this.deps;
    return {
      source: new ServerEnd(servers, account, move.from, move.infohash),
      target: new ServerEnd(servers, account, move.to, move.infohash),
    };
  }
}

// When an account's request is answered: a few of an account at a time, and a few of all in one turn of the event loop,
// accounts in turn. An account that asks on hundreds of connections waits for itself; what others ask comes between.
// Owns: a slot is held until the answer is there, and for the rest of the loop's turn at least, as most answers are
// there at once.
import type { AccountId } from '../../shared-protocol/ids.js';
import { RequestError } from '../errors.js';

/** Requests of an account; pages ask six at a time (RFC 9112 leaves it to clients, browsers chose six connections). */
const MAX_AT_A_TIME = 6;
/** Some 10 ms of this thread where each makes a long list. */
const MAX_A_TURN = 8;
/** Requests of an account; a connection may ask many things without waiting for answers. */
const MAX_WAITING = 512;

/** Bodies that wait with the requests of an account; no spec value: more than its connections bring before one is answered. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

interface Line {
  running: number;
  waitingBytes: number;
  readonly waiting: (() => void)[];
}

export class RequestQueue {
  /** Lines of the accounts that are asking something; the next in turn comes first. */
  readonly #lines = new Map<AccountId, Line>();
  #begun = 0;
  #isTurning = false;

  constructor(private readonly nextTurn: (work: () => void) => void = setImmediate) {}

  /** `bodyBytes`: that the request holds in memory while it waits. @throws RequestError `TOO_MANY_REQUESTS` */
  async run<Result>(account: AccountId, work: () => Promise<Result>, bodyBytes = 0): Promise<Result> {
    let line = this.#lines.get(account);
    if (!line) this.#lines.set(account, (line = { running: 0, waiting: [], waitingBytes: 0 }));
    const { waiting, waitingBytes } = line;
    const hasRoom = waiting.length < MAX_WAITING && waitingBytes + bodyBytes <= MAX_WAITING_BYTES;
    if (!hasRoom) throw new RequestError('TOO_MANY_REQUESTS');
    if (line.running >= MAX_AT_A_TIME || this.#begun >= MAX_A_TURN) {
      line.waitingBytes += bodyBytes;
      await new Promise<void>((resolve) => waiting.push(resolve));
      line.waitingBytes -= bodyBytes;
    } else {
      this.#begin(line);
    }
    try {
      return await work();
    } finally {
      this.nextTurn(() => this.#leave(account, line));
    }
  }

  #begin(line: Line): void {
    line.running++;
    this.#begun++;
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.nextTurn(() => this.#turn());
  }

  #leave(account: AccountId, line: Line): void {
    line.running--;
    if (line.running + line.waiting.length === 0) this.#lines.delete(account);
    else if (!this.#isTurning) this.#turn();
  }

  /** One of each account after the other, until there is no more room in this turn. */
  #turn(): void {
    this.#isTurning = false;
    this.#begun = 0;
    for (let isAny = true; isAny && this.#begun < MAX_A_TURN;) {
      isAny = false;
      for (const [account, line] of [...this.#lines]) {
        const next = line.running < MAX_AT_A_TIME && this.#begun < MAX_A_TURN ? line.waiting.shift() : undefined;
        if (!next) continue;
        isAny = true;
        this.#begin(line);
        this.#lines.delete(account);
        this.#lines.set(account, line);
        next();
      }
    }
  }
}

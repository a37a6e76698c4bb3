// Large torrent files are for the engine's thread to parse in one go: half a second for some hundred thousand files, in
// which nobody's blocks are moved and nobody is answered. So they have their turns, by account, and after each one as much
// time is left to all others as it has taken.
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { AccountTurns } from './account-turns.js';

/** A smaller one is parsed in some milliseconds. */
const LARGE_BYTES = 512 * 1024;
const TURNS = { slots: 1, slotsPerAccount: 1, waitingPerAccount: 64 };
/** Time left to others at most: what took longer waited for a disk. */
const MAX_PAUSE_MS = 5_000;

export interface LargeTorrentFilesDeps {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

export class LargeTorrentFiles {
  readonly #turns = new AccountTurns(TURNS);

  constructor(private readonly deps: LargeTorrentFilesDeps = { nowMs: () => performance.now(), pause }) {}

  /** Has the engine parse a torrent file of that size. @throws RequestError `TOO_MANY_REQUESTS`; what `parse` throws */
  async inTurn<Result>(accountId: AccountId, bytes: number, parse: () => Promise<Result>): Promise<Result> {
    if (bytes < LARGE_BYTES) return parse();
    return new Promise((resolve, reject) => {
      this.#turns.run(accountId, () => this.#parse(parse, resolve, reject)).catch(reject);
    });
  }

  /** Answers at once, and ends when others have had their time. */
  async #parse<Result>(
    parse: () => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    const begunMs = this.deps.nowMs();
    await parse().then(resolve, reject);
    await this.deps.pause(Math.min(this.deps.nowMs() - begunMs, MAX_PAUSE_MS));
  }
}

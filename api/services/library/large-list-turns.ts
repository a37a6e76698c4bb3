// Who reads large file lists, one after the other: the engine keeps few of them, reads each as a whole, at once, and each is
// to be looked through while it has it. A list of 10,000 files takes it a tenth of a second.
import { setTimeout as pause } from 'node:timers/promises';
import type { TorrentId } from '../../../shared-protocol/ids.js';

/** Files of a list that are asked for together: about two milliseconds of this thread, from the message to the text. */
export const FILES_AT_A_TIME = 1_000;
/** The time from the end of one large list to the list of another torrent. */
const NEXT_LARGE_LIST_MS = 3_000;

export class LargeListTurns {
  #turn: Promise<unknown> = Promise.resolve();
  #last: { readonly id: TorrentId; readonly atMs: number } | null = null;

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Resolves when it is the turn of this list, with what ends that: `total`: how many files it turned out to have. */
  async begin(id: TorrentId): Promise<(total: number) => void> {
    const before = this.#turn;
    let pass = (): void => undefined;
    this.#turn = new Promise<void>((resolve) => (pass = resolve));
    await before;
    const sinceMs = this.#last && this.#last.id !== id ? this.now() - this.#last.atMs : Infinity;
    if (sinceMs < NEXT_LARGE_LIST_MS) await pause(NEXT_LARGE_LIST_MS - sinceMs);
    return (total) => {
      if (total > FILES_AT_A_TIME) this.#last = { id, atMs: this.now() };
      pass();
    };
  }
}

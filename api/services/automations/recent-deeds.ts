// What rules of one account did and failed to do lately: others leave it alone for a while, and it is not tried again at once.
// Not stored: after a start of the service nothing was lately.
import type { TorrentId } from '../../../shared-protocol/ids.js';

/** How long a rule leaves alone what another one did, and what it failed to do. */
const COOLING_S = 3_600;
const FAILED_S = 600;
const MAX_REMEMBERED = 50_000;

export class RecentDeeds {
  /** By torrent and kind. */
  readonly #acted = new Map<string, { readonly ruleId: number; readonly at: number }>();
  /** By torrent, kind and rule: until when. */
  readonly #failed = new Map<string, number>();

  /** `now`: unix seconds. */
  constructor(private readonly now: () => number) {}

  noteActed(torrent: TorrentId, kind: string, ruleId: number): void {
    this.#acted.set(`${torrent} ${kind}`, { ruleId, at: this.now() });
  }

  noteFailed(torrent: TorrentId, kind: string, ruleId: number): void {
    this.#failed.set(`${torrent} ${kind} ${ruleId}`, this.now() + FAILED_S);
  }

  /** Until when the rule is to leave the kind alone, as another one acted last; 0: it need not. */
  coolsUntil(torrent: TorrentId, kind: string, ruleId: number): number {
    const last = this.#acted.get(`${torrent} ${kind}`);
    return last && last.ruleId !== ruleId ? last.at + COOLING_S : 0;
  }

  failedUntil(torrent: TorrentId, kind: string, ruleId: number): number {
    return this.#failed.get(`${torrent} ${kind} ${ruleId}`) ?? 0;
  }

  forgetOld(): void {
    const now = this.now();
    const isFull = (map: ReadonlyMap<string, unknown>) => map.size > MAX_REMEMBERED;
    for (const [key, { at }] of this.#acted) if (at + COOLING_S <= now || isFull(this.#acted)) this.#acted.delete(key);
    for (const [key, until] of this.#failed) if (until <= now || isFull(this.#failed)) this.#failed.delete(key);
  }
}

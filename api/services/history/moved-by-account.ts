// Bytes that accounts have moved since the process began, each counted as in their series (attribution.ts), and all of them
// together. Of an account that is deleted two numbers stay.
import type { Moved } from '../../../storage/traffic-history.js';
import type { ListedTorrent } from '../library/shares.js';
import { countedFor } from './attribution.js';
import type { Scope } from './series-name.js';

const NOTHING: Moved = { down: 0, up: 0 };

export class MovedByAccount {
  readonly #moved = new Map<Scope, Moved>();

  count(torrent: ListedTorrent, { down, up }: Moved): void {
    for (const scope of ['all' as const, ...countedFor(torrent).map(({ accountId }) => accountId)]) {
      const before = this.of(scope);
      this.#moved.set(scope, { down: before.down + down, up: before.up + up });
    }
  }

  of(scope: Scope): Moved {
    return this.#moved.get(scope) ?? NOTHING;
  }
}

// Bytes that torrents are still to bring, by the root that they are saved on: room that a disk shows as free, and that is spoken for.
// Counted anew every ten seconds at most; what is placed in between is added to the count.
import { setImmediate as othersRan } from 'node:timers/promises';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import type { Engines } from '../../engines/engines.js';
import { rootOf, type PlacementNode } from '../../engines/placement/candidates.js';
import type { Library } from './library.js';

const FRESH_MS = 10_000;
/** Measured: a millisecond (disk-usage.ts). */
const COUNTED_AT_A_TIME = 1_000;

export interface PromisedBytesDeps {
  readonly library: Pick<Library, 'all' | 'stats'>;
  readonly engines: Pick<Engines, 'nodes' | 'nameOf'>;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}

export class PromisedBytes {
  #bytes = new Map<string, number>();
  #countedAtMs = -Infinity;
  #counting: Promise<void> | null = null;

  constructor(private readonly deps: PromisedBytesDeps) {}

  /** Resolves when the count is fresh. */
  async look(): Promise<void> {
    if (this.deps.nowMs() - this.#countedAtMs < FRESH_MS) return;
    this.#counting ??= this.#count().finally(() => (this.#counting = null));
    await this.#counting;
  }

  at(volume: string): number {
    return this.#bytes.get(volume) ?? 0;
  }

  /** A torrent of that size is about to be there. */
  add(volume: string, bytes: number): void {
    this.#bytes.set(volume, this.at(volume) + bytes);
  }

  async #count(): Promise<void> {
    const { library, engines, nowMs } = this.deps;
    const nodes = new Map(engines.nodes.map((node) => [node.name, node]));
    const before = new Map(this.#bytes);
    const counted = new Map<string, number>();
    const stats = emptyStats();
    let seen = 0;
    for (const { id, row, rowTag, savePath } of [...library.all]) {
      if (++seen % COUNTED_AT_A_TIME === 0) await othersRan();
      const node = nodes.get(engines.nameOf(id));
      if (!node || !library.stats.read(row, rowTag, stats)) continue;
      const left = stats.wantedBytes - stats.wantedDone;
      if (left <= 0) continue;
      const volume = volumeOf(node, savePath);
      counted.set(volume, (counted.get(volume) ?? 0) + left);
    }
    // What was placed while others were counted may be in neither.
    for (const [volume, bytes] of this.#bytes) {
      const added = bytes - (before.get(volume) ?? 0);
      if (added > 0) counted.set(volume, (counted.get(volume) ?? 0) + added);
    }
    this.#bytes = counted;
    this.#countedAtMs = nowMs();
  }
}

/** The file system that a path of an engine is taken to be on: a root is one, and one that engines share is the same one. */
export function volumeOf(node: Pick<PlacementNode, 'name' | 'roots'>, path: string): string {
  const root = rootOf(node, path);
  return root?.isShared ? `shared ${root.path}` : `${node.name} ${root?.path ?? ''}`;
}

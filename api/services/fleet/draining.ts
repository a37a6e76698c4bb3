// Engines that are to be left: their torrents on shared roots go to others a few at a time, each away for as long as its own way
// takes. What lies elsewhere stays, and is counted for whoever asks (`GET /api/engines`).
import { messageOf } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import type { Clock } from '../../clocks.js';
import { fewestTorrents, hasPath, type EngineNode } from '../../engines/nodes.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { RegularLook } from './regular-look.js';

const LOOK_MS = 2_000;
const AT_ONCE = 20;
/** One that could not go is asked again after it: its files may be on their way elsewhere. */
const AGAIN_MS = 60_000;

export interface DrainingDeps {
  readonly engines: { readonly nodes: readonly EngineNode[]; nameOf(id: TorrentId): string };
  readonly library: { readonly all: Iterable<{ readonly id: TorrentId; readonly savePath: string }> };
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class Draining implements BackgroundService {
  /** Torrents that could not go, by when they may be asked again. */
  readonly #later = new Map<TorrentId, number>();
  /** Engines that may have been handed torrents that they have not taken. */
  readonly #owed = new Set<string>();
  readonly #looks: RegularLook;

  constructor(private readonly deps: DrainingDeps) {
    this.#looks = new RegularLook(deps.clock, LOOK_MS, () => this.#look());
  }

  start(): void {
    this.#later.clear();
    // The front before may have ended between the two.
    for (const { name, sharedRoots } of this.deps.engines.nodes) if (sharedRoots.length > 0) this.#owed.add(name);
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    try {
      this.#askAgain();
      await this.#takeOwed();
      for (const node of this.deps.engines.nodes)
        if (node.isDraining && node.awaySinceMs === null) await this.#drain(node);
    } catch (error) {
      this.deps.log.warn('draining goes on later', { reason: messageOf(error) });
    }
  }

  /** Torrents whose time has come, also those that are gone by now, are passed over no more. */
  #askAgain(): void {
    const nowMs = this.deps.clock.unixMs();
    for (const [id, atMs] of this.#later) if (atMs <= nowMs) this.#later.delete(id);
  }

  async #drain(node: EngineNode): Promise<void> {
    const { engines, clock, log } = this.deps;
    for (let moved = true; moved && !this.#looks.isStopped;) {
      moved = false;
      for (const [heir, ids] of this.#next(node)) {
        this.#owed.add(heir.name);
        const { given, failures } = await node.give({ ids, engineId: heir.engineId! });
        for (const { id, message } of failures) {
          this.#later.set(id, clock.unixMs() + AGAIN_MS);
          log.warn('a torrent does not leave its engine', { torrent: id, engine: engines.nameOf(id), reason: message });
        }
        await this.#takeOwed();
        moved ||= given > 0;
      }
    }
  }

  /** A few torrents of an engine, by who is to have them. */
  #next(node: EngineNode): Map<EngineNode, TorrentId[]> {
    const { engines, library } = this.deps;
    const others = engines.nodes.filter(({ name, engineId }) => name !== node.name && engineId !== null);
    const parts = new Map<EngineNode, TorrentId[]>();
    let count = 0;
    for (const { id, savePath } of library.all) {
      if (count === AT_ONCE) break;
      if (engines.nameOf(id) !== node.name || !hasPath(node, savePath)) continue;
      if (this.#later.has(id)) continue;
      const heir = fewestTorrents(others.filter((other) => hasPath(other, savePath)));
      if (!heir) continue;
      parts.set(heir, [...(parts.get(heir) ?? []), id]);
      count++;
    }
    return parts;
  }

  async #takeOwed(): Promise<void> {
    for (const node of this.deps.engines.nodes) {
      if (!this.#owed.has(node.name) || node.awaySinceMs !== null) continue;
      try {
        await node.take({ from: null, limit: Number.MAX_SAFE_INTEGER });
        this.#owed.delete(node.name);
      } catch (error) {
        this.deps.log.warn('what was handed over is taken later', { engine: node.name, reason: String(error) });
      }
    }
  }
}

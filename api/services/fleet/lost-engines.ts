// Torrents of an engine that is lost, on roots that others share: another engine takes them, and they go on there. Owns: an engine
// is held off by its lease before the first of them is taken, and until the last one is (docs/operate/fleet.md "Shared roots").
import type { Lease, Leases } from '../../../storage/types.js';
import type { Clock } from '../../clocks.js';
import { fewestTorrents, NODE_LEASE_MS, nodeLease, type EngineNode } from '../../engines/nodes.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { RegularLook } from './regular-look.js';

const LOOK_MS = 3_000;
/** Torrents that one engine takes at a time: several that share the root have a part each. */
const BATCH = 50;
/** More than any engine has. */
const MAX_LEFT = 2_000_000;

export interface LostEnginesDeps {
  readonly engines: { readonly nodes: readonly EngineNode[]; readonly takeOverAfterMs: number };
  readonly leases: Leases;
  /** This front among the others. */
  readonly holder: string;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

export class LostEngines implements BackgroundService {
  /** Engines of which nothing is left to be taken, by since when they are away. */
  readonly #emptied = new Map<string, number>();
  readonly #looks: RegularLook;

  constructor(private readonly deps: LostEnginesDeps) {
    this.#looks = new RegularLook(deps.clock, LOOK_MS, () => this.#look());
  }

  start(): void {
    this.#emptied.clear();
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    for (const node of this.deps.engines.nodes) {
      if (!this.#isLost(node) || this.#looks.isStopped) continue;
      try {
        await this.#replace(node);
      } catch (error) {
        this.deps.log.warn('torrents of a lost engine not taken over', { engine: node.name, reason: String(error) });
      }
    }
  }

  #isLost({ engineId, awaySinceMs }: EngineNode): boolean {
    const { engines, clock } = this.deps;
    if (engineId === null || awaySinceMs === null || this.#emptied.get(engineId) === awaySinceMs) return false;
    return clock.unixMs() - awaySinceMs >= engines.takeOverAfterMs && this.#heirs().length > 0;
  }

  async #replace({ engineId, name, awaySinceMs }: EngineNode): Promise<void> {
    const { leases, holder, log } = this.deps;
    const lease = await leases.claim(nodeLease(engineId!), holder, NODE_LEASE_MS);
    // It is there all the same, and another front reaches it.
    if (!lease) return;
    try {
      const taken = await this.#takeAll(engineId!, lease);
      this.#emptied.set(engineId!, awaySinceMs!);
      if (taken > 0)
        log.warn('engine lost: others have its torrents on shared roots', { engine: name, torrents: taken });
    } finally {
      await leases.release(nodeLease(engineId!), holder, lease.epoch);
    }
  }

  /** Returns how many were taken, when none is left that anyone can take. */
  async #takeAll(engineId: string, lease: Lease): Promise<number> {
    let total = 0;
    const asked = new Set<string>();
    /** Torrents that each said were left, last: there are fewer after each part, or it says anything. */
    const lefts = new Map<string, number>();
    for (;;) {
      const heir = fewestTorrents(this.#heirs().filter((node) => !asked.has(node.name)));
      if (!heir) return total;
      const { leases, holder } = this.deps;
      if (this.#looks.isStopped || !(await leases.renew(nodeLease(engineId), holder, lease.epoch, NODE_LEASE_MS))) {
        throw new Error('it is not held off any more');
      }
      const { taken, left } = await heir.take({ from: { engineId, epoch: lease.epoch }, limit: BATCH });
      if (!isCount(taken) || !isCount(left)) throw new Error(`engine ${heir.name} does not say how many it has taken`);
      total += taken;
      // Another one may share a root that this one does not have.
      if (taken === 0 || left === 0 || left >= (lefts.get(heir.name) ?? MAX_LEFT)) asked.add(heir.name);
      lefts.set(heir.name, left);
    }
  }

  #heirs(): readonly EngineNode[] {
    return this.deps.engines.nodes.filter(
      ({ awaySinceMs, sharedRoots }) => awaySinceMs === null && sharedRoots.length > 0,
    );
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

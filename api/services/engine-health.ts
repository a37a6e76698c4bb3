// Whether the engine answers. Any client may ask, so the engine is asked at most once a second, never twice at a time.
import type { EngineClient } from '../../shared-protocol/commands.js';
import type { EngineHealth as EngineFigures } from '../../shared-protocol/commands/engine-options.js';
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { Account } from '../auth/account.js';
import type { Engines } from '../engines/engines.js';

const REUSE_MS = 1_000;

export interface EngineHealthDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'health'> };
  readonly engines: Pick<Engines, 'names' | 'awaySinceMs'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export class EngineHealth {
  #check: Promise<EngineFigures> | null = null;
  #checkedAtMs = -Infinity;

  constructor(private readonly deps: EngineHealthDeps) {}

  /**
   * Unix seconds since which the engine of an account, or for administrators any, is away: what is shown is what it told before.
   * null: it is there.
   */
  awaySince({ role, engine }: Pick<Account, 'role' | 'engine'>): number | null {
    const { engines } = this.deps;
    const names = role === 'admin' ? engines.names : [engine];
    const since = names.flatMap((name) => engines.awaySinceMs(name) ?? []);
    return since.length === 0 ? null : Math.floor(Math.min(...since) / 1_000);
  }

  /** Adds that to totals, only while it is so. */
  withAway(totals: GlobalStats, account: Pick<Account, 'role' | 'engine'>): GlobalStats {
    const since = this.awaySince(account);
    if (since === null) return totals;
    const { engines } = this.deps;
    const isPartly = engines.names.some((name) => engines.awaySinceMs(name) === null);
    return { ...totals, engine_away_since: since, ...(isPartly && { engine_away_partly: true }) };
  }

  /** Resolves while the engine answers, to what it answered last; rejects with its error otherwise. */
  check(): Promise<EngineFigures> {
    const { engine, now } = this.deps;
    if (this.#check && now() - this.#checkedAtMs < REUSE_MS) return this.#check;
    this.#checkedAtMs = now();
    this.#check = engine.client.health({});
    return this.#check;
  }
}

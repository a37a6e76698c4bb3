// Whether the engine answers. Any client may ask, so the engine is asked at most once a second, never twice at a time.
import type { EngineClient, EngineHealth as EngineFigures } from '../../shared-protocol/commands.js';

const REUSE_MS = 1_000;

export class EngineHealth {
  #check: Promise<EngineFigures> | null = null;
  #checkedAtMs = -Infinity;

  /** `now`: monotonic milliseconds. */
  constructor(
    private readonly engine: { readonly client: EngineClient },
    private readonly now: () => number,
  ) {}

  /** Resolves while the engine answers, to what it answered last; rejects with its error otherwise. */
  check(): Promise<EngineFigures> {
    if (this.#check && this.now() - this.#checkedAtMs < REUSE_MS) return this.#check;
    this.#checkedAtMs = this.now();
    this.#check = this.engine.client.health({});
    return this.#check;
  }
}

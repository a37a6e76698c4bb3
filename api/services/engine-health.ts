// Whether the engine answers. Anybody may ask, so the engine is asked at most once a second, and never twice at a time.
import type { EngineClient } from '../../shared-protocol/commands.js';

const REUSE_MS = 1_000;

export class EngineHealth {
  #check: Promise<void> | null = null;
  #checkedAtMs = -Infinity;

  /** `now`: monotonic milliseconds. */
  constructor(
    private readonly engine: { readonly client: EngineClient },
    private readonly now: () => number,
  ) {}

  /** Resolves while the engine answers; rejects with its error otherwise. */
  check(): Promise<void> {
    if (this.#check && this.now() - this.#checkedAtMs < REUSE_MS) return this.#check;
    this.#checkedAtMs = this.now();
    this.#check = this.engine.client.health({}).then(() => undefined);
    return this.#check;
  }
}

// The list in force: held in memory, kept in the data directory, told to the engine together with the bans. Owns the
// order: changes follow one another, so that what is asked for last is what holds; and the list in force is only ever
// replaced by a whole one.
import { countRanges, type AddressRanges } from '../../../shared-protocol/address-ranges.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import type { Log } from '../../logging.js';
import { tellEngine } from '../settings/engine-settings.js';
import type { CachedList, HeldList } from './cached-list.js';

export interface EnforcementDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setBlocklist'> };
  readonly cache: Pick<CachedList, 'read' | 'write' | 'drop'>;
  /** Addresses banned by hand, which hold whatever becomes of the list. */
  readonly bans: { readonly ranges: AddressRanges | null };
  readonly log: Log;
}

export class Enforcement {
  #held: HeldList | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: EnforcementDeps) {}

  get held(): HeldList | null {
    return this.#held;
  }

  /** All that the engine is started with. */
  get lists(): AddressRanges[] {
    return [this.#held?.ranges ?? null, this.deps.bans.ranges].filter((ranges) => ranges !== null);
  }

  /** Before the engine is started: the copy of this list; null: there is to be none. */
  load(url: string | null): Promise<void> {
    return this.#inTurn(async () => {
      if (url === null) return this.#drop();
      this.#held = await this.deps.cache.read(url);
      if (this.#held) this.deps.log.info('blocklist read', { ranges: countRanges(this.#held.ranges) });
    });
  }

  /** Unless that is given up before its turn comes. Resolves when it holds and is kept. Never rejects. */
  put(list: HeldList, signal: AbortSignal): Promise<void> {
    return this.#inTurn(async () => {
      if (signal.aborted) return;
      this.#held = list;
      await this.apply();
      await this.deps.cache.write(list).catch((error: unknown) => {
        // It holds all the same, until the next start.
        this.deps.log.warn('blocklist not kept', { reason: messageOf(error) });
      });
    });
  }

  /** Everybody is let in again who is not banned. Never rejects. */
  clear(): Promise<void> {
    return this.#inTurn(async () => {
      this.#held = null;
      await this.apply();
      await this.#drop();
    });
  }

  /** Tells the engine, also one that takes another's place. Never rejects: an engine that is busy has it in its queue. */
  async apply(): Promise<void> {
    const { engine, log } = this.deps;
    try {
      await tellEngine(() => engine.client.setBlocklist({ lists: this.lists }));
    } catch (error) {
      log.warn('blocklist not applied', { reason: messageOf(error) });
    }
  }

  async #drop(): Promise<void> {
    await this.deps.cache.drop().catch((error: unknown) => {
      this.deps.log.warn('copy of the blocklist not removed', { reason: messageOf(error) });
    });
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(change);
    return this.#last;
  }
}

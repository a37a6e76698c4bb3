// The list of addresses to keep away from: where it comes from, and what came of the last fetch. Owns: one fetch at a time,
// and a fetch that was overtaken by a change of the settings leaves no trace. While it is enabled, what was fetched last
// holds (enforcement.ts), whatever becomes of later fetches.
import type { z } from 'zod';
import type { AddressRanges } from '../../../shared-protocol/address-ranges.js';
import type { BlocklistDto, blocklistBodySchema } from '../../../shared-protocol/dto/settings.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import { maskAddress } from '../../../shared-protocol/masking.js';
import { reasonIn } from '../../../shared-protocol/reasons.js';
import type { Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import type { Settings } from '../settings/settings.js';
import { Enforcement, type EnforcementDeps } from './enforcement.js';
import { fetchList, type FetchedList, type FetchListDeps } from './fetch-list.js';

export interface BlocklistDeps extends EnforcementDeps, FetchListDeps {
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  readonly egress: Pick<Egress, 'read' | 'check'>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** `changed`: an account changed the settings, and what was before says nothing about what comes. */
export type BlocklistEvent = 'loaded' | 'failed' | 'changed';

/** The facts that decide when the next fetch is due (refresh.ts). */
export interface RefreshState {
  readonly enabled: boolean;
  /** A list is in force. */
  readonly isHeld: boolean;
  /** Unix seconds; 0: never. */
  readonly lastLoadedAt: number;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class Blocklist {
  readonly #enforcement: Enforcement;
  #running: Running | null = null;
  #onEvent: (event: BlocklistEvent) => void = () => undefined;

  constructor(private readonly deps: BlocklistDeps) {
    this.#enforcement = new Enforcement(deps);
  }

  /** The lists that the engine is started with, bans among them; none: nothing is blocked. */
  get lists(): AddressRanges[] {
    return this.#enforcement.lists;
  }

  shown({ withSecrets }: { readonly withSecrets: boolean }): BlocklistDto {
    const stored = this.deps.settings.stored('blocklist');
    return withSecrets ? stored : { ...stored, url: maskAddress(stored.url) };
  }

  /** Whether it is time for another fetch follows from this. */
  get refreshState(): RefreshState {
    const { enabled, last_loaded_at: lastLoadedAt } = this.deps.settings.stored('blocklist');
    return { enabled, isHeld: this.#enforcement.held !== null, lastLoadedAt };
  }

  /** The one listener; told of every fetch that ended without being overtaken, and of changes. */
  onEvent(listener: (event: BlocklistEvent) => void): void {
    this.#onEvent = listener;
  }

  /** The copy of the last run, before the engine is started. Never rejects. */
  async load(): Promise<void> {
    const { enabled, url } = this.deps.settings.stored('blocklist');
    await this.#enforcement.load(enabled ? url : null);
  }

  /** Tells an engine that takes another's place, or one that bans have changed for. Never rejects. */
  apply(): Promise<void> {
    return this.#enforcement.apply();
  }

  /**
   * Enabled, the list is fetched in the background, and the one before holds until that is there; disabled, everybody is
   * let in when it resolves. @throws RequestError `URL_REFUSED`
   */
  async set({ url, enabled }: z.infer<typeof blocklistBodySchema>): Promise<void> {
    await this.check({ url, enabled }, 'url');
    // Before, so that nothing of it is written after the change; and after, for what was started meanwhile.
    this.#giveUp();
    // Why another URL failed says nothing about this one.
    await this.deps.settings.edit('blocklist', (stored: BlocklistDto) => ({
      ...(url === stored.url ? stored : withoutError(stored)),
      url,
      enabled,
    }));
    this.#giveUp();
    if (enabled) this.#start(url).done.catch(() => undefined);
    else await this.#enforcement.clear();
    this.#onEvent('changed');
  }

  /** Admits what is to be set; `field`: the name that the client knows the URL by. @throws as {@link set} */
  async check({ url, enabled }: z.infer<typeof blocklistBodySchema>, field: string): Promise<void> {
    if (!enabled) return;
    if (url === '') throw new RequestError('URL_REFUSED', `${field}: required when enabled`);
    await this.deps.egress.check(url, field, null);
  }

  /** Resolves when the list is there. @throws RequestError `URL_REFUSED` (none, or not to be fetched), `UPSTREAM_FAILED` */
  async refresh(): Promise<void> {
    const { url } = this.deps.settings.stored('blocklist');
    if (url === '') throw new RequestError('URL_REFUSED', 'url: not configured');
    await this.deps.egress.check(url, 'url', null);
    if (this.deps.settings.stored('blocklist').url !== url) return this.refresh();
    await (this.#running ?? this.#start(url)).done;
  }

  /** Fetches the list unasked; what comes of it is in the settings. Never rejects. */
  async refreshByItself(): Promise<void> {
    const { url, enabled } = this.deps.settings.stored('blocklist');
    if (enabled) await (this.#running ?? this.#start(url)).done.catch(() => undefined);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#giveUp();
    await running?.done.catch(() => undefined);
  }

  #giveUp(): void {
    this.#running?.controller.abort();
    this.#running = null;
  }

  #start(url: string): Running {
    const controller = new AbortController();
    const running: Running = {
      controller,
      done: this.#fetch(url, controller.signal).finally(() => {
        if (this.#running === running) this.#running = null;
      }),
    };
    this.#running = running;
    return running;
  }

  async #fetch(url: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#take(url, await fetchList(this.deps, url, this.#enforcement.held, signal), signal);
      if (!signal.aborted) this.#onEvent('loaded');
    } catch (error) {
      if (signal.aborted) throw new RequestError('UPSTREAM_FAILED', 'blocklist: the settings were changed meanwhile');
      this.#onEvent('failed');
      if (!(error instanceof RequestError)) {
        this.deps.log.error('blocklist not stored', { reason: messageOf(error) });
        throw error;
      }
      const reason = error.message;
      this.deps.log.warn('blocklist not loaded', { url: maskAddress(url), reason });
      const code = reasonIn(error.data);
      await this.#record(signal, (stored) => ({
        ...withoutError(stored),
        error: reason,
        ...(code && { reason: code }),
      }));
      throw new RequestError('UPSTREAM_FAILED', `blocklist: ${reason}`, error.data);
    }
  }

  async #take(url: string, fetched: FetchedList | null, signal: AbortSignal): Promise<void> {
    const { log, now, settings } = this.deps;
    if (fetched && settings.stored('blocklist').enabled) {
      const { ranges, validators } = fetched;
      await this.#enforcement.put({ url, ranges, validators }, signal);
    }
    await this.#record(signal, (stored) => ({
      ...withoutError(stored),
      entries: fetched?.entries ?? stored.entries,
      last_loaded_at: now(),
    }));
    const { entries, skipped } = fetched ?? { entries: null, skipped: null };
    log.info('blocklist loaded', { url: maskAddress(url), entries, skipped });
  }

  /** Unless the settings were changed meanwhile, up to the very moment of writing. */
  async #record(signal: AbortSignal, change: (stored: BlocklistDto) => BlocklistDto): Promise<void> {
    await this.deps.settings.edit('blocklist', (stored: BlocklistDto) => (signal.aborted ? stored : change(stored)));
  }
}

function withoutError({ error: _past, reason: _code, ...others }: BlocklistDto): BlocklistDto {
  return others;
}

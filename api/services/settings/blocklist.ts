// The list of addresses to keep away from: where it comes from, and what came of the last fetch. Owns: one fetch at a time,
// and a fetch that was overtaken by a change of the settings leaves no trace.
import type { z } from 'zod';
import type { BlocklistDto, blocklistBodySchema } from '../../../shared-protocol/dto/settings.js';
import type { Egress } from '../../egress/egress.js';
import { redactUrl } from '../../egress/redact-url.js';
import { RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import { countLines } from './blocklist-lines.js';
import type { Settings } from './settings.js';

/** interface.md, "Limits". */
const MAX_BODY_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

export interface BlocklistDeps {
  readonly settings: Pick<Settings, 'stored' | 'edit'>;
  readonly egress: Pick<Egress, 'read' | 'check'>;
  readonly log: Log;
  /** Unix seconds. */
  readonly now: () => number;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class Blocklist {
  #running: Running | null = null;

  constructor(private readonly deps: BlocklistDeps) {}

  shown({ withSecrets }: { readonly withSecrets: boolean }): BlocklistDto {
    const stored = this.deps.settings.stored('blocklist');
    return withSecrets ? stored : { ...stored, url: redactUrl(stored.url) };
  }

  /** Enabled, the list is fetched in the background. @throws RequestError `URL_REFUSED` */
  async set({ url, enabled }: z.infer<typeof blocklistBodySchema>): Promise<void> {
    if (enabled && url === '') throw new RequestError('URL_REFUSED', 'url: required when enabled');
    if (enabled) await this.deps.egress.check(url, 'url');
    // Before, so that nothing of it is written after the change; and after, for what was started meanwhile.
    this.#giveUp();
    // Why another URL failed says nothing about this one.
    await this.deps.settings.edit('blocklist', (stored: BlocklistDto) => ({
      ...(url === stored.url ? stored : withoutError(stored)),
      url,
      enabled,
    }));
    this.#giveUp();
    if (enabled) this.#start(url).done.catch((error: unknown) => this.#logUnexpected(error));
  }

  /** Resolves when the list is there. @throws RequestError `URL_REFUSED` (none, or not to be fetched), `UPSTREAM_FAILED` */
  async refresh(): Promise<void> {
    const { url } = this.deps.settings.stored('blocklist');
    if (url === '') throw new RequestError('URL_REFUSED', 'url: not configured');
    await this.deps.egress.check(url, 'url');
    if (this.deps.settings.stored('blocklist').url !== url) return this.refresh();
    await (this.#running ?? this.#start(url)).done;
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
    const { egress, log, now } = this.deps;
    try {
      const entries = await egress.read(url, { maxBytes: MAX_BODY_BYTES, timeoutMs: TIMEOUT_MS, signal }, countLines);
      await this.#record(signal, (stored) => ({ ...withoutError(stored), entries, last_loaded_at: now() }));
      log.info('blocklist loaded', { url: redactUrl(url), entries });
    } catch (error) {
      if (signal.aborted) throw new RequestError('UPSTREAM_FAILED', 'blocklist: the settings were changed meanwhile');
      if (!(error instanceof RequestError)) throw error;
      const reason = error.message;
      log.warn('blocklist not loaded', { url: redactUrl(url), reason });
      await this.#record(signal, (stored) => ({ ...stored, error: reason }));
      throw new RequestError('UPSTREAM_FAILED', `blocklist: ${reason}`);
    }
  }

  /** The outcome of a fetch is in the settings already. */
  #logUnexpected(error: unknown): void {
    if (error instanceof RequestError) return;
    this.deps.log.error('blocklist not stored', { reason: error instanceof Error ? error.message : String(error) });
  }

  /** Unless the settings were changed meanwhile, up to the very moment of writing. */
  async #record(signal: AbortSignal, change: (stored: BlocklistDto) => BlocklistDto): Promise<void> {
    await this.deps.settings.edit('blocklist', (stored: BlocklistDto) => (signal.aborted ? stored : change(stored)));
  }
}

function withoutError({ error: _past, ...others }: BlocklistDto): BlocklistDto {
  return others;
}

// For how many seconds the engine has run, over all its runs: the time that torrents count theirs in
// (engine/torrent/resume/active-times.ts). One record for all of them, written now and then and at the end. After an end that was not in order what has passed since
// the last record is lost.
import type { TorrentStore } from '../../storage/types.js';
import { MINUTE_MS, SECOND_MS, type Clock, type Log, type Timer } from '../environment.js';

const KEY = 'service-seconds';
const RECORD_BYTES = 8;
/** So much is lost at most. No spec value: each record may wake a disk that sleeps. */
const RECORD_AFTER_MS = 5 * MINUTE_MS;

export class ServiceTime {
  readonly #before: number;
  readonly #startMs: number;
  #timer: Timer | null = null;

  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly log: Log;
      readonly store: Pick<TorrentStore, 'meta' | 'putMeta'>;
    },
  ) {
    this.#startMs = deps.clock.nowMs();
    this.#before = stored(deps.store.meta(KEY));
  }

  seconds(): number {
    return this.#before + (this.deps.clock.nowMs() - this.#startMs) / SECOND_MS;
  }

  start(): void {
    this.#timer = this.deps.clock.after(RECORD_AFTER_MS, () => {
      this.start();
      void this.record();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** Never rejects: the next record says as much. */
  async record(): Promise<void> {
    const record = new Uint8Array(RECORD_BYTES);
    new DataView(record.buffer).setFloat64(0, this.seconds());
    await this.deps.store.putMeta(KEY, record).catch((error: unknown) => {
      this.deps.log.warn('the time that the engine has run was not recorded', { reason: String(error) });
    });
  }
}

function stored(record: Uint8Array | undefined): number {
  if (record?.byteLength !== RECORD_BYTES) return 0;
  const seconds = new DataView(record.buffer, record.byteOffset, RECORD_BYTES).getFloat64(0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

// The rates of the last five minutes, one sample for each tick of the server.
import { createEffect, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';

export interface Rates {
  /** Bytes per second. */
  readonly down: number;
  readonly up: number;
}

/** Ticks come each second. */
export const SAMPLES = 300;

export function createRecentRates(live: Pick<Live, 'stats'>): Accessor<readonly Rates[]> {
  const [samples, setSamples] = createSignal<readonly Rates[]>([]);
  createEffect(
    on(
      live.stats,
      ({ total_download_rate: down, total_upload_rate: up }) =>
        void setSamples((before) => [...before.slice(1 - SAMPLES), { down, up }]),
      { defer: true },
    ),
  );
  return samples;
}

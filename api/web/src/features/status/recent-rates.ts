// The rates of the last five minutes: what the server has kept, and then one sample for each of its ticks.
import { createEffect, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';
import { fetchPastRates } from '../../state/fetch-past-rates.js';

export interface Rates {
  /** Bytes per second. */
  readonly down: number;
  readonly up: number;
}

/** Ticks come each second. */
export const SAMPLES = 300;

const AT_REST: Rates = { down: 0, up: 0 };

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
  void fetchPastRates(`/api/stats/rates?seconds=${SAMPLES}&points=${SAMPLES}`).then((past) =>
    // What has come meanwhile is the end of it.
    setSamples((since) => {
      const first = past.findIndex(({ rates }) => rates !== null);
      const before =
        first < 0 ? [] : past.slice(first, -since.length || undefined).map(({ rates }) => rates ?? AT_REST);
      return [...before, ...since].slice(-SAMPLES);
    }),
  );
  return samples;
}

// The rates of the last five minutes: what the server has kept, and then one sample for every few of its ticks, as many as
// the picture can show.
import { createEffect, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';
import { fetchPastRates } from '../../state/fetch-past-rates.js';
import type { PastRate } from '../../state/past-rates.js';

export interface Rates {
  /** Bytes per second. */
  readonly down: number;
  readonly up: number;
}

export const SAMPLES = 100;
/** Ticks come each second. */
const TICKS_OF_SAMPLE = 3;
const SECONDS = SAMPLES * TICKS_OF_SAMPLE;

export function createRecentRates(live: Pick<Live, 'stats'>): Accessor<readonly Rates[]> {
  const [samples, setSamples] = createSignal<readonly Rates[]>([]);
  let ticks: Rates[] = [];
  createEffect(
    on(
      live.stats,
      ({ total_download_rate: down, total_upload_rate: up }) => {
        ticks.push({ down, up });
        if (ticks.length < TICKS_OF_SAMPLE) return;
        const sample = meanOf(ticks);
        ticks = [];
        setSamples((before) => [...before.slice(1 - SAMPLES), sample]);
      },
      { defer: true },
    ),
  );
  void fetchPastRates(`/api/stats/rates?seconds=${SECONDS}&points=${SECONDS}`).then((past) =>
    // What has come meanwhile is the end of it.
    setSamples((since) => {
      const first = past.findIndex(({ rates }) => rates !== null);
      const before = first < 0 ? [] : past.slice(first, past.length - since.length * TICKS_OF_SAMPLE);
      return [...samplesOf(before), ...since].slice(-SAMPLES);
    }),
  );
  return samples;
}

/** `seconds`: one after the other. */
function samplesOf(seconds: readonly PastRate[]): Rates[] {
  const samples: Rates[] = [];
  for (let end = seconds.length; end > 0; end -= TICKS_OF_SAMPLE) {
    const rates = seconds.slice(Math.max(0, end - TICKS_OF_SAMPLE), end).flatMap(({ rates: known }) => known ?? []);
    samples.unshift(meanOf(rates));
  }
  return samples;
}

/** The mean of none is that nothing moves. */
function meanOf(rates: readonly Rates[]): Rates {
  const mean = (way: keyof Rates) => rates.reduce((sum, each) => sum + each[way], 0) / Math.max(1, rates.length);
  return { down: mean('down'), up: mean('up') };
}

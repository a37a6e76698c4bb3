// The rates of the last five minutes: what the server has kept, in steps as long as a sample is, and then one sample for every
// few of its ticks, as many as the picture can show.
import { createEffect, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';
import { fetchRates } from '../../state/fetch-past-rates.js';
import { knownSteps, type Rates } from '../../state/past-rates.js';

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
  void fetchRates(`/api/stats/rates?seconds=${SECONDS}&points=${SAMPLES}`).then((kept) => {
    if (!kept) return;
    const past = knownSteps(kept);
    // What has come meanwhile is the end of it.
    setSamples((since) => [...past.slice(0, Math.max(0, past.length - since.length)), ...since].slice(-SAMPLES));
  });
  return samples;
}

function meanOf(rates: readonly Rates[]): Rates {
  const mean = (way: keyof Rates) => rates.reduce((sum, each) => sum + each[way], 0) / rates.length;
  return { down: mean('down'), up: mean('up') };
}

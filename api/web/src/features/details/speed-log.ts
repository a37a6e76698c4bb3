// Collects rates from the ticks from when details are first opened on, and asks the server for those before, so that the
// graph of a torrent is full when it is opened.
import { createEffect, createRoot, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';
import { torrentAddress } from '../../state/row-id.js';
import { fetchPastRates } from '../../state/fetch-past-rates.js';
import { SpeedHistory, type Columns, type Rates } from './speed-history.js';

export const WINDOW_S = 600;
/** Torrents that were looked at last. */
const FOLLOWED = 8;

export interface SpeedLog {
  follow(id: string): void;
  /** Asks the server for what it has kept of the torrent and of all. */
  fetchPast(id: string): Promise<void>;
  /** Reading it is waiting for the next sample. */
  columnsOf(id: string): Columns;
}

const logs = new WeakMap<Live, SpeedLog>();

export function speedLogOf(live: Live): SpeedLog {
  let log = logs.get(live);
  if (!log) logs.set(live, (log = createRoot(() => createSpeedLog(live))));
  return log;
}

function createSpeedLog(live: Live): SpeedLog {
  const history = new SpeedHistory(WINDOW_S);
  const [added, setAdded]: [Accessor<number>, (count: number) => number] = createSignal(0);
  let followed: readonly string[] = [];
  createEffect(
    on(
      live.stats,
      ({ total_download_rate: down, total_upload_rate: up }) => {
        const torrents = new Map<string, Rates>();
        for (const id of followed) {
          const torrent = live.torrents.all.get(id);
          if (torrent) torrents.set(id, { down: torrent.download_rate, up: torrent.upload_rate });
        }
        history.add({ atS: Math.round(Date.now() / 1000), total: { down, up }, torrents });
        setAdded(added() + 1);
      },
      { defer: true },
    ),
  );
  return {
    follow: (id) => void (followed = [id, ...followed.filter((other) => other !== id)].slice(0, FOLLOWED)),
    async fetchPast(id) {
      const [total, torrent] = await Promise.all([
        fetchPastRates(`/api/stats/rates?seconds=${WINDOW_S}&points=${WINDOW_S}`),
        fetchPastRates(torrentAddress(id, '/rates')),
      ]);
      const own = new Map(torrent.map(({ atS, rates }) => [atS, rates]));
      history.addPast(
        id,
        total.map(({ atS, rates }) => ({ atS, total: rates, torrent: own.get(atS) ?? null })),
      );
      setAdded(added() + 1);
    },
    columnsOf(id) {
      added();
      return history.columnsOf(id);
    },
  };
}

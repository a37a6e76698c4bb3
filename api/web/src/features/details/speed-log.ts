// Collects rates from the ticks from when details are first opened on, so that the graph of a torrent that is opened
// again has a past.
import { createEffect, createRoot, createSignal, on, type Accessor } from 'solid-js';
import type { Live } from '../../state/live.js';
import { SpeedHistory, type Columns, type Rates } from './speed-history.js';

export const WINDOW_S = 600;
/** Torrents that were looked at last. */
const FOLLOWED = 8;

export interface SpeedLog {
  follow(id: string): void;
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
    columnsOf(id) {
      added();
      return history.columnsOf(id);
    },
  };
}

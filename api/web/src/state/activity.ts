// What the tab of the browser shows of what goes on: the rates in its title, a dot on its icon.
import { createEffect, createMemo, on, onCleanup, untrack } from 'solid-js';
import type { GlobalStats } from '../../../../shared-protocol/dto/torrents.js';
import { rate } from '../format/quantities.js';
import type { ConnectionState } from '../live/messages.js';
import { t } from '../strings/index.js';
import type { Live } from './live.js';
import { Paced } from './paced.js';

/** Pictures of dots: the browser reads the icon anew with each change of the address, and of an SVG it makes a page. */
const ICONS = { idle: '/favicon.png', busy: '/favicon-busy.png' } as const;
/** To write a title costs as much as several rows of the list, and nobody reads rates by the second there. */
const RATES_EVERY_MS = 3_000;

/** Whether what is shown is older than it should be. */
export function isConnectionLost(state: ConnectionState): boolean {
  return state.kind === 'lost' || state.kind === 'silent' || (state.kind === 'connecting' && state.isAgain);
}

/** Whether nothing that is shown is of the moment. Of several engines each torrent says whether its own is there. */
export function isEngineAway({ engine_away_since, engine_away_partly }: GlobalStats): boolean {
  return engine_away_since !== undefined && engine_away_partly === undefined;
}

type Rates = Pick<GlobalStats, 'total_download_rate' | 'total_upload_rate'>;

/** Returns a title as in `(3) ↓ 1.20 MiB/s ↑ 85.0 KiB/s – Swarmd`; what is nothing is left out. */
export function titleOf({ total_download_rate: down, total_upload_rate: up }: Rates, downloads: number): string {
  const parts = [
    downloads > 0 && down > 0 ? `(${downloads})` : '',
    down > 0 ? `↓ ${rate(down)}` : '',
    up > 0 ? `↑ ${rate(up)}` : '',
  ].filter(Boolean);
  return [parts.join(' '), t('app.name')].filter(Boolean).join(' – ');
}

/** For the component that is there as long as a user is signed in. */
export function showActivity({ stats, torrents, connection }: Live): void {
  const isOpen = () => connection.state().kind === 'open';
  const title = createMemo(() =>
    isOpen()
      ? titleOf(stats(), torrents.facets.count('state:downloading'))
      : isConnectionLost(connection.state())
        ? `${t('app.notConnected')} – ${t('app.name')}`
        : t('app.name'),
  );
  const isBusy = createMemo(() => isOpen() && stats().total_download_rate > 0);
  const isMoving = () => isOpen() && (stats().total_download_rate > 0 || stats().total_upload_rate > 0);
  let wasMoving = false;
  const write = new Paced(RATES_EVERY_MS, () => {
    wasMoving = untrack(isMoving);
    document.title = untrack(title);
  });
  createEffect(on(title, () => write.ask(!wasMoving || !untrack(isMoving))));
  createEffect(() => setIcon(isBusy() ? ICONS.busy : ICONS.idle));
  onCleanup(() => {
    write.stop();
    document.title = t('app.name');
    setIcon(ICONS.idle);
  });
}

function setIcon(href: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute('href', href);
}

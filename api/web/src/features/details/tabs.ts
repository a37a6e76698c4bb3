// The tabs of the details: their names, what each needs of the server, and who sees them.
import type { Accessor } from 'solid-js';
import type { DetailDto } from '../../../../../shared-protocol/dto/inspector.js';
import type { Torrent } from '../../live/messages.js';
import type { FocusTab } from '../../state/focus.js';
import type { Live } from '../../state/live.js';
import { may } from '../../state/session.js';

export const TABS = ['overview', 'files', 'peers', 'trackers', 'speed', 'sharing', 'limits'] as const;
export type TabName = (typeof TABS)[number];

/** The properties that every tab is given. A tab is made anew for another torrent. */
export interface TabProps {
  readonly live: Live;
  readonly torrent: Accessor<Torrent>;
  readonly detail: Accessor<DetailDto | null>;
  /** Why its server does not tell them; null: it does, or has not answered yet. */
  readonly refusal: Accessor<string | null>;
}

/** Returns what is asked of the server: what limits the speed is seen from the peers, the next announce from the trackers. */
export function focusTabsOf(tab: TabName): readonly FocusTab[] {
  if (tab === 'speed') return ['speed', 'peers'];
  if (tab === 'overview') return ['overview', 'trackers'];
  return [tab === 'sharing' || tab === 'limits' ? 'overview' : tab];
}

/** Shares are of accounts of one server. */
export function tabsFor({ access, server_id: server }: Pick<Torrent, 'access' | 'server_id'>): readonly TabName[] {
  const maySee = access === 'owner' && may('perm_share') && server === undefined;
  return TABS.filter((tab) => tab !== 'sharing' || maySee);
}

/** How many there are of what the tab shows; null where that is not known, or says nothing. */
export function countOf(tab: TabName, torrent: Torrent, detail: DetailDto | null): number | null {
  switch (tab) {
    case 'files':
      // None while the metadata is unknown.
      return detail?.files?.length || null;
    case 'peers':
      return torrent.peers;
    case 'trackers':
      return detail?.trackers?.length ?? trackersIn(torrent.magnet);
    default:
      return null;
  }
}

function trackersIn(magnet: string): number {
  return new Set(new URLSearchParams(magnet.slice(magnet.indexOf('?') + 1)).getAll('tr')).size;
}

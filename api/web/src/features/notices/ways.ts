// How the account wants to be told of each kind of notice; asked for on whichever browser it signs in.
import type { Accessor } from 'solid-js';
import type { NoticeKind, UnreadNotices } from '../../../../../shared-protocol/dto/notices.js';
import { createAccountPreference } from '../../state/account-preferences.js';

/** Counted by the bell; shown at the edge of the page; shown by the browser while the page is not looked at. */
export const WAYS = ['bell', 'toast', 'browser'] as const;
export type Way = (typeof WAYS)[number];
type Chosen = Readonly<Partial<Record<NoticeKind, readonly Way[]>>>;

const DEFAULTS: Readonly<Record<NoticeKind, readonly Way[]>> = {
  completed: WAYS,
  error: WAYS,
  disk_full: WAYS,
  added_by_feed: ['bell', 'toast'],
  seeding_ended: ['bell'],
  feed_failing: ['bell', 'toast'],
  automation: ['bell'],
  upload_used_up: ['bell', 'toast'],
  files_left: ['bell', 'toast'],
  backup_failing: ['bell', 'toast'],
};

export const KINDS = Object.keys(DEFAULTS) as readonly NoticeKind[];

export interface NoticeWays {
  readonly has: (kind: NoticeKind, way: Way) => boolean;
  readonly set: (kind: NoticeKind, way: Way, isWanted: boolean) => void;
  /** Returns how many the bell counts. */
  readonly unread: (unread: Partial<UnreadNotices>) => number;
}

/** For the component that is there as long as a user is signed in. */
export function createNoticeWays(): NoticeWays {
  const [chosen, choose]: readonly [Accessor<Chosen>, (chosen: Chosen) => void] = createAccountPreference<Chosen>(
    'bell.ways',
    {},
    isChosen,
  );
  const waysOf = (kind: NoticeKind) => chosen()[kind] ?? DEFAULTS[kind];
  const has = (kind: NoticeKind, way: Way) => waysOf(kind).includes(way);
  return {
    has,
    set: (kind, way, isWanted) =>
      choose({
        ...chosen(),
        [kind]: WAYS.filter((each) => (each === way ? isWanted : has(kind, each))),
      }),
    unread: (unread) => KINDS.reduce((sum, kind) => sum + (has(kind, 'bell') ? (unread[kind] ?? 0) : 0), 0),
  };
}

function isChosen(stored: unknown): stored is Chosen {
  return typeof stored === 'object' && stored !== null && Object.values(stored).every(Array.isArray);
}

// A torrent as a column of an answer looks at it: its facts and its numbers, which cost no message, and what the engine was
// asked for where a column needs it.
import type { DetailPart } from '../../../../shared-protocol/commands/details.js';
import type { ShareRef } from '../../../../shared-protocol/commands/shares.js';
import type { TorrentDetails } from '../../../../shared-protocol/commands/inspection.js';
import type { TorrentPeerLimits } from '../../../../shared-protocol/commands/limits.js';
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import { emptyStats, type TorrentStats } from '../../../../shared-protocol/stats-table.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { forEachLimit } from '../../../../shared-protocol/for-each-limit.js';
import type { Services } from '../../../routes/services.js';
import { includesAccess, refOf, statsOfShare, type ListedTorrent } from '../../../services/library/shares.js';
import type { Call } from '../row.js';
import { filesOf, isLarge } from './large.js';

/** The engine is asked for parts of the details, or limits of the torrent's own. */
export type Need = (typeof PARTS)[number] | 'peer limits';

export interface View {
  readonly facts: ListedTorrent;
  readonly stats: Readonly<TorrentStats>;
  readonly share: ShareRef;
  readonly access: Access;
  readonly services: Services;
  /** Unix seconds. */
  readonly now: number;
  details: TorrentDetails;
  peerLimits: TorrentPeerLimits | null;
}

export interface Column {
  /** Nothing where the facts and the numbers of this torrent are enough. */
  readonly needs?: (view: View) => Need | null;
  readonly of: (view: View) => unknown;
}

/** By the names that versions up to 4.0 have for them. */
export type Columns = Readonly<Record<string, Column>>;

const NO_DETAILS: TorrentDetails = {};
const NO_NEEDS: ReadonlySet<Need> = new Set();
const PARTS = ['files', 'peers', 'trackers', 'pieces', 'metainfo', 'webSeeds'] as const satisfies readonly DetailPart[];
const ASKED_AT_A_TIME = 64;

export function mayEdit({ access }: View): boolean {
  return includesAccess(access, 'editor');
}

/** Null for a torrent that is gone, or not for the account any more. */
export function viewOf({ services, principal }: Call, facts: ListedTorrent): View | null {
  const { account } = principal;
  const { library } = services;
  const whole = library.find(facts.id);
  const access = whole ? library.accessOf(account, whole) : null;
  const stats = emptyStats();
  if (access === null || !library.stats.read(facts.row, facts.rowTag, stats)) return null;
  return {
    facts,
    access,
    services,
    stats: facts.own ? statsOfShare(stats, facts) : stats,
    share: account.role === 'admin' ? { id: facts.id } : refOf(facts),
    now: Math.floor(Date.now() / 1_000),
    details: NO_DETAILS,
    peerLimits: null,
  };
}

/** Asks the engine for what the columns need, for all that need the same at once. Those that are gone meanwhile stay as they were. */
export async function fillIn(views: readonly View[], columns: readonly Column[], services: Services): Promise<void> {
  const needing = columns.filter(({ needs }) => needs !== undefined);
  if (needing.length === 0) return;
  const groups = new Map<string, { readonly needs: ReadonlySet<Need>; readonly views: View[] }>();
  for (const view of views) {
    const needs = needsOf(view, needing);
    if (needs.size === 0) continue;
    const key = [...needs].sort().join();
    const group = groups.get(key) ?? { needs, views: [] };
    group.views.push(view);
    groups.set(key, group);
  }
  for (const { needs, views: group } of groups.values()) await fillInGroup(group, needs, services);
}

function needsOf(view: View, columns: readonly Column[]): ReadonlySet<Need> {
  let needs: Set<Need> | null = null;
  for (const column of columns) {
    const need = column.needs?.(view);
    if (need) (needs ??= new Set()).add(need);
  }
  return needs ?? NO_NEEDS;
}

async function fillInGroup(views: readonly View[], needs: ReadonlySet<Need>, { library }: Services): Promise<void> {
  const parts = PARTS.filter((part) => needs.has(part) && (part !== 'files' || !views.some(isOfLarge)));
  if (parts.length > 0) {
    const shares = views.map(({ share }) => share);
    for (const [index, details] of (await library.details(shares, parts)).entries()) {
      views[index]!.details = details ?? NO_DETAILS;
    }
  }
  if (needs.has('files') && !parts.includes('files')) {
    for (const view of views) {
      const files = await ifThere(filesOf({ library }, view.share, view.facts));
      view.details = { ...view.details, ...(files && { files }) };
    }
  }
  if (!needs.has('peer limits')) return;
  await forEachLimit(views, ASKED_AT_A_TIME, async (view) => {
    view.peerLimits = await ifThere(library.peerLimits(view.share));
  });
}

function isOfLarge({ facts }: View): boolean {
  return isLarge(facts);
}

async function ifThere<Value>(asked: Promise<Value>): Promise<Value | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND') return null;
    throw error;
  }
}

// Who may see and do what with a torrent, as a model beside the program's own code. Pure. The rules:
//
// - An administrator may do everything with every torrent, and acts on all shares of it at once.
// - Anybody else sees a torrent that it holds (access `owner`) or that a holder has shared with it (`viewer`, `editor`),
//   and acts on that share alone: its own first, else the one with the most access.
// - What it cannot see is refused (403) as what does not exist is. Rights of the account (`perm_…`) are asked first.
// - Who adds a torrent that it may edit merges its trackers into that share, unless the torrent is private. Anybody else
//   becomes one more holder; of a private torrent with the torrent file alone.
// - The first holder is the owner. Who leaves takes its share along, and with the last one the torrent goes.
// - Where it lies is shown to the owner, and to who asked for that very folder.
// - A torrent is paused when all its shares are, and as sequential as the one who runs it wants most. Administrators are
//   shown that, and everybody's trackers.
import type { PoolTorrent } from './pool.js';

export type Access = 'viewer' | 'editor' | 'owner';
export type Right = 'perm_add_torrents' | 'perm_share' | 'perm_manage_cat_tags' | 'perm_change_settings';

export interface Person {
  readonly id: number;
  readonly username: string;
  role: 'admin' | 'user';
  disabled: boolean;
  /** Absolute; empty: none. */
  home: string;
  rights: Set<Right>;
}

/** What one holder has of a torrent. */
export interface Share {
  readonly holder: number;
  /** Where it would have saved the torrent. */
  readonly askedFor: string;
  /** Before the metadata is known. */
  readonly name: string;
  paused: boolean;
  sequential: boolean;
  category: number | null;
  trackers: string[];
  readonly grants: Map<number, 'viewer' | 'editor'>;
}

export interface Torrent {
  readonly made: PoolTorrent;
  readonly savePath: string;
  /** The owner's first. */
  shares: [Share, ...Share[]];
  hasMetadata: boolean;
  /** One of several holders has asked for a check in this run. */
  isCheckedLately: boolean;
}

export function isAdmin({ role }: Person): boolean {
  return role === 'admin';
}

export function hasRight(person: Person, right: Right): boolean {
  return isAdmin(person) || person.rights.has(right);
}

/** What it is shown of the torrent and acts on: its own share, else the one granted with the most access. */
export function shareFor({ id }: Person, { shares }: Torrent): Share | undefined {
  const granted = (level: Access) => shares.find(({ grants }) => grants.get(id) === level);
  return shares.find(({ holder }) => holder === id) ?? granted('editor') ?? granted('viewer');
}

/** What it may do with a share that `shareFor` names. */
export function accessByShare({ id }: Person, share: Share | undefined): Access | null {
  if (!share) return null;
  return share.holder === id ? 'owner' : (share.grants.get(id) ?? null);
}

export function accessOf(person: Person, torrent: Torrent): Access | null {
  return isAdmin(person) ? 'owner' : accessByShare(person, shareFor(person, torrent));
}

/** Shares that an act of this person changes. */
export function actedOn(person: Person, torrent: Torrent): Share[] {
  if (isAdmin(person)) return torrent.shares;
  const share = shareFor(person, torrent);
  return share ? [share] : [];
}

/** The status of an act on a torrent that needs the access, and perhaps a right. */
export function verdict(person: Person, torrent: Torrent | undefined, needed: Access, right?: Right): number {
  if (person.disabled) return 401;
  if (right && !hasRight(person, right)) return 403;
  if (!torrent) return isAdmin(person) ? 404 : 403;
  const access = accessOf(person, torrent);
  return access && includes(access, needed) ? 200 : 403;
}

export function includes(has: Access, needed: Access): boolean {
  const ranks: readonly Access[] = ['viewer', 'editor', 'owner'];
  return ranks.indexOf(has) >= ranks.indexOf(needed);
}

/** Who still holds it when its metadata is known: of a private torrent those who brought a tracker or its file. */
export function stayingWithMetadata({ made, shares }: Torrent, sure: number): Torrent['shares'] {
  const [first, ...others] = shares.filter(
    ({ holder, trackers }) => !made.isPrivate || holder === sure || trackers.length > 0,
  );
  return first ? [first, ...others] : shares;
}

/** What a list shows that follows from shares; `trackers` null: viewers see none with a passkey. */
export interface Shown {
  readonly access: Access;
  readonly paused: boolean;
  readonly sequential: boolean;
  readonly category: number | null;
  /** As long as the metadata is unknown. */
  readonly name: string;
  readonly trackers: readonly string[] | null;
  /** Empty where it was added to another folder than this share asked for. */
  readonly savePath: string;
}

/** null: it must not even know of it. */
export function shownTo(person: Person, torrent: Torrent): Shown | null {
  const access = accessOf(person, torrent);
  if (access === null) return null;
  if (!isAdmin(person)) {
    const share = shareFor(person, torrent)!;
    const { paused, sequential, category, name, trackers } = share;
    const savePath = share === torrent.shares[0] || share.askedFor === torrent.savePath ? torrent.savePath : '';
    return { access, paused, sequential, category, name, savePath, trackers: access === 'viewer' ? null : trackers };
  }
  const [{ category, name }] = torrent.shares;
  const running = torrent.shares.filter(({ paused }) => !paused);
  const active = running.length > 0 ? running : torrent.shares;
  return {
    access,
    paused: running.length === 0,
    sequential: active.some(({ sequential }) => sequential),
    category,
    name,
    savePath: torrent.savePath,
    trackers: [...new Set(torrent.shares.flatMap(({ trackers }) => trackers))],
  };
}

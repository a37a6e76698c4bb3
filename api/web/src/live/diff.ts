// What is different between the torrents that the page has and those that a frame tells of: a full list, or a delta of
// one. Pure.
import type { TorrentDto } from '../../../../shared-protocol/dto/torrents.js';
import type { Torrent, TorrentChanges, TorrentPatch } from './messages.js';

/** The fields of a torrent that have changed, or all of them. */
export type ChangedTorrent = Partial<TorrentDto> & Pick<TorrentDto, 'id'>;

/** Payload of `torrents:delta`. */
export interface TorrentsDelta {
  readonly upsert: readonly ChangedTorrent[];
  readonly removed: readonly string[];
}

export class TorrentDiff {
  #known = new Map<string, Torrent>();

  /** Returns what changed since the snapshot before; all are added, the first time. */
  next(snapshot: readonly TorrentDto[]): TorrentChanges {
    const before = this.#known;
    const now = new Map<string, Torrent>();
    const added: Torrent[] = [];
    const patches: TorrentPatch[] = [];
    for (const dto of snapshot) {
      const old = before.get(dto.id);
      const patch = old && patchOf(old, dto);
      const torrent = old ? (patch ? { ...old, ...patch } : old) : withTrackerHosts(dto);
      now.set(dto.id, torrent);
      if (patch) patches.push(patch);
      else if (!old) added.push(torrent);
    }
    const removed = [...before.keys()].filter((id) => !now.has(id));
    this.#known = now;
    return { added, patches, removed };
  }

  /** By what a delta says of the list before it. One that was not in that list comes whole. */
  apply({ upsert, removed }: TorrentsDelta): TorrentChanges {
    const known = this.#known;
    const added: Torrent[] = [];
    const patches: TorrentPatch[] = [];
    for (const dto of upsert) {
      const old = known.get(dto.id);
      const patch = old && patchOf(old, dto);
      if (patch) {
        known.set(dto.id, { ...old, ...patch });
        patches.push(patch);
      } else if (!old) {
        const torrent = withTrackerHosts(dto as TorrentDto);
        known.set(dto.id, torrent);
        added.push(torrent);
      }
    }
    return { added, patches, removed: removed.filter((id) => known.delete(id)) };
  }
}

function withTrackerHosts(dto: TorrentDto): Torrent {
  return { ...dto, trackerHosts: trackerHostsOf(dto.magnet) };
}

/** By the fields of the newer one: what this build does not know of a torrent still counts. null: nothing is different. */
function patchOf(old: Torrent, dto: ChangedTorrent): TorrentPatch | null {
  let patch: Record<string, unknown> | null = null;
  for (const key in dto) {
    const field = key as keyof TorrentDto; // the keys of the object itself
    if (old[field] === dto[field] || isSame(field, old, dto)) continue;
    patch ??= { id: dto.id };
    patch[field] = dto[field];
    if (field === 'magnet') patch['trackerHosts'] = trackerHostsOf(dto.magnet ?? '');
  }
  return patch as TorrentPatch | null; // each field was taken from a torrent
}

/** Whether both say the same in fields that are objects, and so new ones in each frame. */
function isSame(field: keyof TorrentDto, old: Torrent, dto: ChangedTorrent): boolean {
  switch (field) {
    case 'tags':
      return sameTags(old.tags, dto.tags ?? []);
    case 'error':
    case 'tracker_error':
      return JSON.stringify(old[field]) === JSON.stringify(dto[field]);
    default:
      return false;
  }
}

function sameTags(old: TorrentDto['tags'], now: TorrentDto['tags']): boolean {
  return (
    old.length === now.length &&
    old.every(({ id, name, color }, i) => now[i]?.id === id && now[i].name === name && now[i].color === color)
  );
}

/** Returns the hosts of its `tr` parameters, in their order, each once. */
export function trackerHostsOf(magnet: string): readonly string[] {
  const hosts = new Set<string>();
  for (const [, encoded = ''] of magnet.matchAll(/[?&]tr(?:\.\d+)?=([^&]*)/g)) {
    const host = hostOf(encoded);
    if (host) hosts.add(host);
  }
  return [...hosts];
}

function hostOf(encoded: string): string {
  try {
    return new URL(decodeURIComponent(encoded).replace(/^udp:/i, 'http:')).hostname;
  } catch {
    return '';
  }
}

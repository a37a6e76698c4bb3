// What is different between one full snapshot of the torrents and the next. Pure.
import type { TorrentDto } from '../../../../shared-protocol/dto/torrents.js';
import type { Torrent, TorrentChanges } from './messages.js';

export class TorrentDiff {
  #known = new Map<string, Torrent>();

  /** What changed since the snapshot before; everything, the first time. */
  next(snapshot: readonly TorrentDto[]): TorrentChanges {
    const before = this.#known;
    const now = new Map<string, Torrent>();
    const upserts: Torrent[] = [];
    for (const dto of snapshot) {
      const old = before.get(dto.id);
      if (old && isSame(old, dto)) {
        now.set(dto.id, old);
        continue;
      }
      const trackerHosts = old?.magnet === dto.magnet ? old.trackerHosts : trackerHostsOf(dto.magnet);
      const torrent = { ...dto, trackerHosts };
      now.set(dto.id, torrent);
      upserts.push(torrent);
    }
    const removed = [...before.keys()].filter((id) => !now.has(id));
    this.#known = now;
    return { upserts, removed };
  }
}

/** By the fields of the newer one: what this build does not know of a torrent still counts as a change. */
function isSame(old: Torrent, dto: TorrentDto): boolean {
  for (const key in dto) {
    const field = key as keyof TorrentDto; // the keys of the object itself
    if (old[field] !== dto[field] && !(field === 'tags' && sameTags(old.tags, dto.tags))) return false;
  }
  return true;
}

function sameTags(old: TorrentDto['tags'], now: TorrentDto['tags']): boolean {
  return (
    old.length === now.length &&
    old.every(({ id, name, color }, i) => now[i]?.id === id && now[i].name === name && now[i].color === color)
  );
}

/** Of its `tr` parameters, in their order, each once. */
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

// One chunk of an account's torrents as qBittorrent's objects. Never changed once it is made, as it is a part of many versions
// of the list; what is made of it when it is first wanted is kept.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { maskUrl } from '../../../../shared-protocol/masking.js';
import type { TorrentChunk } from '../../../services/library/torrent-order.js';
import type { ObjectEntry } from './object-entry.js';

type IdsByTracker = ReadonlyMap<string, readonly TorrentId[]>;

/** Labels and rules with which a chunk was looked at last. */
export interface Revisions {
  readonly labels: number;
  readonly rules: number;
}

export class ObjectChunk {
  readonly rows: readonly number[];
  readonly sequences: readonly number[];
  /** Bytes per second and connections of all its torrents. */
  readonly sums: { readonly down: number; readonly up: number; readonly peers: number };
  /** Shared with other chunks of the same torrents. */
  readonly #trackers: { known: IdsByTracker | null };
  /** The bytes of one moment, for as long as the garbage collector leaves them. */
  #bytes: { readonly now: number; readonly ref: WeakRef<Buffer> } | null = null;

  /** `before`: a chunk that is made anew by this one. */
  constructor(
    readonly torrents: TorrentChunk,
    readonly entries: readonly ObjectEntry[],
    readonly revisions: Revisions,
    before?: ObjectChunk,
  ) {
    this.rows = torrents.map(({ row }) => row);
    this.sequences = entries.map(({ from }) => from.sequence);
    let [down, up, peers] = [0, 0, 0];
    for (const { stats } of entries.map(({ from }) => from)) {
      down += Math.round(stats.downloadRate);
      up += Math.round(stats.uploadRate);
      peers += stats.peers;
    }
    this.sums = { down, up, peers };
    this.#trackers = before?.torrents === torrents ? before.#trackers : { known: null };
  }

  /** Each torrent as `,`, its hash and its object. `now`: Unix seconds. Never changed: they wait in sockets. */
  bytes(now: number): Buffer {
    const known = this.#bytes?.now === now ? this.#bytes.ref.deref() : undefined;
    if (known) return known;
    let text = '';
    for (const entry of this.entries) text += `,"${entry.from.torrent.id}":${entry.text(now)}`;
    const bytes = Buffer.from(text);
    this.#bytes = { now, ref: new WeakRef(bytes) };
    return bytes;
  }

  /** Torrents by the addresses of their trackers, as the account is shown them. */
  get trackers(): IdsByTracker {
    return (this.#trackers.known ??= idsByTracker(this.entries));
  }
}

function idsByTracker(entries: readonly ObjectEntry[]): IdsByTracker {
  const ids = new Map<string, TorrentId[]>();
  for (const entry of entries) {
    for (const url of shownTrackers(entry)) {
      const known = ids.get(url);
      if (known) known.push(entry.from.torrent.id);
      else ids.set(url, [entry.from.torrent.id]);
    }
  }
  return ids;
}

/** Each address once; viewers see no passkeys. */
export function shownTrackers({ from: { torrent, access } }: ObjectEntry): Iterable<string> {
  if (torrent.trackers === '') return [];
  const urls = torrent.trackers.split('\n');
  return new Set(access === 'viewer' ? urls.map((url) => maskUrl(url)) : urls);
}

// What clients are shown of all torrents, as bytes. A torrent is encoded when its row or its facts changed and kept;
// a list is those bytes behind one another. Owns: an entry is as new as the row's sequence it was read at.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { emptyStats, type TorrentStats } from '../../shared-protocol/stats-table.js';
import type { Account } from '../services/accounts.js';
import type { Access, Library } from '../services/library.js';
import { hasFlag, toSharedTorrentDto } from './torrent-dto.js';

/** interface.md, GlobalStats: over what the account sees. */
export interface GlobalStats {
  readonly total_torrents: number;
  readonly active_torrents: number;
  readonly seeding_torrents: number;
  readonly total_download_rate: number;
  readonly total_upload_rate: number;
  readonly total_peers: number;
}

interface Entry {
  readonly sequence: number;
  readonly stats: Readonly<TorrentStats>;
  /** The JSON object up to and without the value of its last member, `access`. */
  readonly bytes: Buffer;
}

const ENDINGS: { readonly [Level in Access]: Buffer } = {
  owner: Buffer.from('"owner"}'),
  editor: Buffer.from('"editor"}'),
  viewer: Buffer.from('"viewer"}'),
};
const OPEN = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from(']');
const TICK_OPEN = Buffer.from('{"type":"torrents:tick","payload":');
const TICK_CLOSE = Buffer.from('}');

export class Snapshots {
  /** By the facts themselves: changed facts are another object, and those of a removed torrent go with it. */
  readonly #entries = new WeakMap<TorrentFacts, Entry>();

  constructor(private readonly library: Library) {}

  /** JSON of TorrentDTO[]. */
  list(account: Account): Buffer {
    return concat(this.#listParts(account));
  }

  torrentsTick(account: Account): Buffer {
    return concat([TICK_OPEN, ...this.#listParts(account), TICK_CLOSE]);
  }

  stats(account: Account): GlobalStats {
    const torrents = this.library.visibleTo(account);
    let [active, seeding, downloadRate, uploadRate, peers] = [0, 0, 0, 0, 0];
    for (const facts of torrents) {
      const { stats } = this.#entry(facts);
      const isCompleted = hasFlag(stats, 'completed');
      if (isCompleted) seeding++;
      else if (!hasFlag(stats, 'paused')) active++;
      downloadRate += Math.round(stats.downloadRate);
      uploadRate += Math.round(stats.uploadRate);
      peers += stats.peers;
    }
    return {
      total_torrents: torrents.length,
      active_torrents: active,
      seeding_torrents: seeding,
      total_download_rate: downloadRate,
      total_upload_rate: uploadRate,
      total_peers: peers,
    };
  }

  statsTick(account: Account): Buffer {
    return Buffer.from(JSON.stringify({ type: 'stats:tick', payload: this.stats(account) }));
  }

  #listParts(account: Account): Buffer[] {
    const parts: Buffer[] = [OPEN];
    for (const facts of this.library.visibleTo(account)) {
      const access = this.library.accessOf(account, facts);
      if (access === null) continue;
      if (parts.length > 1) parts.push(COMMA);
      parts.push(this.#entry(facts).bytes, ENDINGS[access]);
    }
    parts.push(CLOSE);
    return parts;
  }

  #entry(facts: TorrentFacts): Entry {
    const reader = this.library.stats;
    const sequence = reader.sequence(facts.row);
    const known = this.#entries.get(facts);
    if (known && known.sequence === sequence) return known;
    const read = emptyStats();
    const isOwn = reader.read(facts.row, facts.rowTag, read);
    // The row is another torrent's by now: this one is about to go, and keeps its last numbers until then.
    const stats = isOwn ? read : (known?.stats ?? emptyStats());
    const json = JSON.stringify(toSharedTorrentDto(facts, stats));
    const entry = { sequence, stats, bytes: Buffer.from(`${json.slice(0, -1)},"access":`) };
    this.#entries.set(facts, entry);
    return entry;
  }
}

/** Never a view of the shared pool: the bytes wait in sockets for as long as a slow client likes. */
function concat(parts: readonly Buffer[]): Buffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

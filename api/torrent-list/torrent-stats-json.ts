// The numbers of one torrent as clients are sent them: read and written as JSON once, however many accounts see it.
import type { TorrentStats } from '../../shared-protocol/stats-table.js';
import type { OwnFlags } from '../services/library/shares.js';
import { toStatsFields } from '../services/library/torrent-dto.js';
import type { CountedStats } from './totals.js';

/** One torrent's numbers at one moment, as text and as what totals are made of. Never changed. */
export class TorrentStatsJson implements CountedStats {
  /** JSON of an object without its opening brace. ASCII. */
  readonly text: string;
  readonly flags: number;
  readonly downloadRate: number;
  readonly uploadRate: number;
  readonly peers: number;
  /** The last answer of `changeSince`: all accounts ask for the same. */
  #change: { readonly since: TorrentStatsJson; readonly text: string | null } | null = null;

  constructor(
    stats: Readonly<TorrentStats>,
    /** Sequence of the row when it was read. */
    readonly sequence: number,
    /** Tag of the row: the torrent's own. */
    readonly rowTag: number,
    /** Flags of the share that they are shown of. */
    readonly own: OwnFlags | null = null,
  ) {
    this.text = JSON.stringify(toStatsFields(stats)).slice(1);
    this.flags = stats.flags;
    this.downloadRate = stats.downloadRate;
    this.uploadRate = stats.uploadRate;
    this.peers = stats.peers;
  }

  /** JSON of an object of the fields that differ, without its opening brace; null: none does. */
  changeSince(since: TorrentStatsJson): string | null {
    if (this.#change?.since !== since) this.#change = { since, text: this.#differenceFrom(since) };
    return this.#change.text;
  }

  #differenceFrom(since: TorrentStatsJson): string | null {
    if (this.text === since.text) return null;
    const before = since.#fields;
    const changed = Object.entries(this.#fields).filter(([field, value]) => value !== before[field]);
    return JSON.stringify(Object.fromEntries(changed)).slice(1);
  }

  get #fields(): Record<string, unknown> {
    // The text is our own JSON of an object.
    return JSON.parse(`{${this.text}`) as Record<string, unknown>;
  }
}

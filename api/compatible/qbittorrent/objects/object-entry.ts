// One torrent of an account's list as qBittorrent's object: texts of what changes rarely, which the next entry takes over while
// they are true, and a copy of the row of figures. Never changed, but for the text that is made when it is first wanted.
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import type { TorrentStats } from '../../../../shared-protocol/stats-table.js';
import type { ListedTorrent } from '../../../services/library/shares.js';
import {
  objectFigures,
  objectTimes,
  type ObjectFacts,
  type ObjectFigures,
  type ObjectTimes,
} from '../torrent-object.js';

/** The facts, texts and figures that an entry is made of. */
export interface EntrySources {
  readonly torrent: ListedTorrent;
  readonly access: Access;
  /** JSON of {@link ObjectFacts} without its braces. */
  readonly facts: string;
  readonly stats: Readonly<TorrentStats>;
  /** Sequence of the row when it was read. */
  readonly sequence: number;
  /** Revisions of the labels and the rules that the facts show. */
  readonly labelsRevision: number;
  readonly rulesRevision: number;
}

export class ObjectEntry {
  #figures: string | null = null;

  constructor(readonly from: EntrySources) {}

  /** JSON of the object. `now`: Unix seconds. */
  text(now: number): string {
    const { facts } = this.from;
    const { time_active, seeding_time, popularity } = this.times(now);
    const times = `"time_active":${time_active},"seeding_time":${seeding_time},"popularity":${popularity}`;
    this.#figures ??= bare(this.figures());
    return `{${facts},${this.#figures},${times}}`;
  }

  facts(): ObjectFacts {
    // The text is our own JSON of it.
    return JSON.parse(`{${this.from.facts}}`) as ObjectFacts;
  }

  figures(): ObjectFigures {
    const { torrent, access, stats } = this.from;
    return objectFigures(torrent, access, stats);
  }

  /** `now`: Unix seconds. */
  times(now: number): ObjectTimes {
    return objectTimes(this.from.stats, now);
  }
}

/** JSON of an object without its braces. */
export function bare(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

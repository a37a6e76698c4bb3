// One chunk of torrents as the JSON that lists are made of, for one account: what changes rarely (chunk-fields.ts), then the
// numbers. Never changed once it is made: it is a part of many snapshots. It holds texts that it shares with the chunk
// before it and with other accounts; they are put together when the bytes are wanted.
import type { TorrentChunk } from '../services/library/torrent-order.js';
import type { ListedTorrent } from '../services/library/shares.js';
import { fieldsOf, type ChunkFields, type FieldSources } from './chunk-fields.js';
import type { DeflatedPart } from './deflate/deflated-part.js';
import type { StatsJsonReader } from './stats-json-reader.js';
import { Totals } from './totals.js';
import type { TorrentStatsJson } from './torrent-stats-json.js';

/** A chunk in DEFLATE as it stands first in a list, and behind others: with its comma. A promise while it is being deflated. */
export interface DeflatedChunk {
  first: DeflatedPart | Promise<void> | null;
  later: DeflatedPart | Promise<void> | null;
}

/** A torrent in a list: the chunk it is in, and where in that. */
export interface TorrentPlace {
  readonly in: ListChunk;
  readonly index: number;
}

/** Fields and stats of one chunk. Never changed, but for what is made of it once: its bytes, and those deflated. */
export class ListChunk {
  /** The bytes in DEFLATE, kept here by deflated-lists.ts for as long as the chunk is in use. */
  readonly deflated: DeflatedChunk = { first: null, later: null };
  /** Length of the bytes. */
  readonly byteLength: number;
  readonly totals = new Totals();
  /** The bytes, for as long as the garbage collector leaves them: those of a list are as long as its texts. */
  #bytes: WeakRef<Buffer> | null = null;

  constructor(
    readonly fields: ChunkFields,
    readonly stats: readonly TorrentStatsJson[],
    /** Sequences of the torrents' rows when the numbers were read. */
    readonly sequences: readonly number[],
  ) {
    let byteLength = fields.byteLength;
    for (const each of stats) {
      this.totals.count(each);
      // Numbers are ASCII.
      byteLength += each.text.length;
    }
    this.byteLength = byteLength;
  }

  get torrents(): TorrentChunk {
    return this.fields.torrents;
  }

  /** JSON of one torrent. */
  torrentJson(index: number): string {
    return this.fields.texts[index]!.slice(1) + this.stats[index]!.text;
  }

  /** Each torrent as `,` and an object. Never changed: they wait in sockets. */
  get bytes(): Buffer {
    const known = this.#bytes?.deref();
    if (known) return known;
    // Not of the shared pool, of which a part that is kept for long would hold 8 KiB.
    const bytes = Buffer.allocUnsafeSlow(this.byteLength);
    this.copyTo(bytes, 0);
    this.#bytes = new WeakRef(bytes);
    return bytes;
  }

  /** Writes the bytes, which need not be made for it. */
  copyTo(into: Buffer, at: number): void {
    const { texts } = this.fields;
    let text = '';
    for (let i = 0; i < texts.length; i++) text += texts[i]! + this.stats[i]!.text;
    into.write(text, at);
  }

  /** Whether no row was written since its numbers were read. */
  hasCurrentStats(reader: StatsJsonReader): boolean {
    return reader.areUnchanged(this.fields.rows, this.sequences);
  }

  /** The chunk with the numbers of the moment: this one while what is shown of them has not changed. */
  withCurrentStats(reader: StatsJsonReader): ListChunk {
    if (this.hasCurrentStats(reader)) return this;
    const { torrents, rows } = this.fields;
    const sequences = [...this.sequences];
    const stats = [...this.stats];
    let isSame = true;
    for (let i = 0; i < rows.length; i++) {
      const sequence = reader.sequence(rows[i]!);
      if (sequence === sequences[i]) continue;
      sequences[i] = sequence;
      const read = reader.read(torrents[i]!, sequence, stats[i]);
      if (read.text === stats[i]!.text) continue;
      stats[i] = read;
      isSame = false;
    }
    return isSame ? this : new ListChunk(this.fields, stats, sequences);
  }
}

/** The sources of an account's chunks. */
export interface ChunkSources {
  readonly fields: FieldSources;
  readonly stats: StatsJsonReader;
}

/** A chunk made anew. `before`: where these very facts were shown, if they were; what is still true there is taken over. */
export function makeListChunk(
  torrents: TorrentChunk,
  { fields, stats }: ChunkSources,
  before: (facts: ListedTorrent, index: number) => TorrentPlace | undefined,
): ListChunk {
  const places = torrents.map(before);
  const sequences = torrents.map(({ row }) => stats.sequence(row));
  const read = torrents.map((facts, index) => {
    const place = places[index];
    return stats.read(facts, sequences[index]!, place?.in.stats[place.index]);
  });
  return new ListChunk(fieldsOf(torrents, fields, places), read, sequences);
}

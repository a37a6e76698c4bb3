// One run of torrents as the JSON that lists are made of, for one account. Never changed once it is made: it is a part of
// many snapshots. Kept as texts that it shares with the one of before and with other accounts; put together when somebody
// wants the bytes.
import type { DeflatedChunk } from './deflate/deflated-lists.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';
import type { ChunkStats } from './chunk-stats.js';
import type { ChunkFields } from './chunk-fields.js';

export class ListChunk {
  /** Kept here by deflate/deflated-lists.ts. */
  readonly deflated: DeflatedChunk = { first: null, later: null };
  /** Of its bytes. */
  readonly length: number;
  /** For as long as the garbage collector leaves them: together they are as long as the texts. */
  #bytes: WeakRef<Buffer> | null = null;

  constructor(
    readonly identity: ChunkFields,
    readonly figures: ChunkStats,
  ) {
    this.length = identity.bytes + figures.bytes;
  }

  get run(): TorrentChunk {
    return this.identity.run;
  }

  /** One torrent, as an object. */
  torrent(index: number): string {
    return this.identity.texts[index]!.slice(1) + this.figures.shown[index]!.text;
  }

  /** Each torrent as `,` and an object. Never changed: they wait in sockets. */
  get bytes(): Buffer {
    const known = this.#bytes?.deref();
    if (known) return known;
    // Not of the shared pool, of which a part that is kept for long would hold 8 KiB.
    const bytes = Buffer.allocUnsafeSlow(this.length);
    this.copyTo(bytes, 0);
    this.#bytes = new WeakRef(bytes);
    return bytes;
  }

  /** The same bytes. */
  copyTo(into: Buffer, at: number): void {
    const { texts } = this.identity;
    const { shown } = this.figures;
    let text = '';
    for (let i = 0; i < texts.length; i++) text += texts[i]! + shown[i]!.text;
    into.write(text, at);
  }
}

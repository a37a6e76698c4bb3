// One torrent as the bytes that lists are made of: first what changes rarely, then the numbers, so that a row that has
// changed costs the encoding of its numbers only, written over those of before. There is one copy for each access, as
// that and the masked magnet of viewers are all that differs between accounts. Owns: the bytes are as new as the row's
// sequence that they were made from.
import type { Access } from '../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import { emptyStats, type StatsReader, type TorrentStats } from '../../shared-protocol/stats-table.js';
import type { Labels } from '../services/library/labels.js';
import { maskMagnet } from './masking.js';
import { toTorrentFigures, toTorrentIdentity } from './torrent-dto.js';

export type FragmentLabels = Pick<Labels, 'revision' | 'category' | 'tag'>;

/** No row has this sequence. */
const NEVER = -1;
/** All figures at their longest, with their names, stay below. */
const FIGURES_ROOM_BYTES = 640;

/** Of memory of its own, not of the shared pool, of which one that is kept for long would hold 8 KiB. */
interface Copy {
  readonly room: Buffer;
  /** How much of the room does not depend on the row. */
  readonly identityBytes: number;
  /** Beginning of the room. */
  bytes: Buffer;
  /** Of the fragment, when the bytes were written. */
  revision: number;
}

export class TorrentFragment {
  #stats: Readonly<TorrentStats> = emptyStats();
  #sequence = NEVER;
  #labelsRevision = NEVER;
  #revision = 0;
  /** What follows the identity; null: to be encoded. */
  #figures: string | null = null;
  #copies: { [Level in Access]?: Copy } = {};

  constructor(
    readonly facts: TorrentFacts,
    private readonly reader: StatsReader,
    private readonly labels: FragmentLabels,
  ) {}

  /** As they were last read from its own row, at the last {@link refresh}. */
  get stats(): Readonly<TorrentStats> {
    return this.#stats;
  }

  /** Rises when a refresh has found a change. */
  get revision(): number {
    return this.#revision;
  }

  /** Looks whether anything has changed; a look costs next to nothing. */
  refresh(): void {
    const { facts, reader, labels } = this;
    const sequence = reader.sequence(facts.row);
    const hasLabels =
      labels.revision === this.#labelsRevision || (this.#labelsRevision !== NEVER && !isLabelled(facts));
    if (sequence === this.#sequence && hasLabels) return;
    const read = emptyStats();
    // Else the row is another torrent's by now: this one is about to go, and keeps its last numbers until then.
    if (reader.read(facts.row, facts.rowTag, read)) this.#stats = read;
    if (!hasLabels) this.#copies = {};
    this.#sequence = sequence;
    this.#labelsRevision = labels.revision;
    this.#figures = null;
    this.#revision++;
  }

  /** `,` and the JSON object, valid until the next refresh: to be copied at once. */
  bytes(access: Access): Buffer {
    const copy = (this.#copies[access] ??= this.#newCopy(access));
    if (copy.revision !== this.#revision) {
      this.#figures ??= `${JSON.stringify(toTorrentFigures(this.#stats)).replace('{', ',')}`;
      // All of it is ASCII.
      const end = copy.identityBytes + copy.room.write(this.#figures, copy.identityBytes, 'latin1');
      if (end !== copy.bytes.length) copy.bytes = copy.room.subarray(0, end);
      copy.revision = this.#revision;
    }
    return copy.bytes;
  }

  #newCopy(access: Access): Copy {
    const { facts, labels } = this;
    const magnet = access === 'viewer' ? maskMagnet(facts.magnet, facts.isPrivate) : facts.magnet;
    const json = JSON.stringify({ ...toTorrentIdentity({ ...facts, magnet }, labels), access });
    const identity = `,${json.slice(0, -1)}`;
    const room = Buffer.allocUnsafeSlow(Buffer.byteLength(identity) + FIGURES_ROOM_BYTES);
    return { room, identityBytes: room.write(identity), bytes: room, revision: NEVER };
  }
}

/** What somebody does to a label does not matter to a torrent that has none. */
function isLabelled({ library }: TorrentFacts): boolean {
  return library.categoryId !== null || library.tagIds.length > 0;
}

// What changes rarely of the torrents of one chunk, as JSON for one account: all fields but the numbers. One object for as
// long as neither the torrents nor their labels change: two list chunks with the same one differ in numbers only.
import type { Access } from '../../shared-protocol/dto/torrents.js';
import type { Labels } from '../services/library/labels.js';
import type { ListedTorrent } from '../services/library/shares.js';
import { toTorrentFields } from '../services/library/torrent-dto.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';

/** Categories and tags as lists show them; the revision changes with any of them. */
export type ListLabels = Pick<Labels, 'revision' | 'category' | 'tag'>;

/** The sources of the fields, for one account. */
export interface FieldSources {
  readonly labels: ListLabels;
  /** Access of the account to the torrent. */
  readonly accessOf: (facts: ListedTorrent) => Access | null;
}

/** The fields of one chunk as texts. Never changed. */
export class ChunkFields {
  readonly rows: readonly number[];
  readonly byteLength: number;
  readonly #isLabelled: boolean;

  constructor(
    readonly torrents: TorrentChunk,
    /** One for each torrent: `,` and JSON of an object up to where its numbers begin. */
    readonly texts: readonly string[],
    /** Revision of the labels that they show. */
    readonly labelsRevision: number,
  ) {
    this.rows = torrents.map(({ row }) => row);
    this.byteLength = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    this.#isLabelled = torrents.some(isLabelled);
  }

  /** Whether they show the labels of the moment: a change of a label does not matter to torrents that have none. */
  isCurrent({ revision }: ListLabels): boolean {
    return revision === this.labelsRevision || !this.#isLabelled;
  }
}

/** The fields of a chunk. `before`: where each of the torrents was shown with these very facts, if it was. */
export function fieldsOf(
  torrents: TorrentChunk,
  sources: FieldSources,
  before: readonly ({ readonly in: { readonly fields: ChunkFields }; readonly index: number } | undefined)[],
): ChunkFields {
  const { revision } = sources.labels;
  const texts = torrents.map((facts, index) => {
    const place = before[index];
    const isCurrent = place && (place.in.fields.labelsRevision === revision || !isLabelled(facts));
    return isCurrent ? place.in.fields.texts[place.index]! : textOf(facts, sources);
  });
  return new ChunkFields(torrents, texts, revision);
}

function textOf(facts: ListedTorrent, { labels, accessOf }: FieldSources): string {
  // A torrent that is in the account's list is one that it may see (services/library/visibility.ts).
  const access = accessOf(facts) ?? 'viewer';
  return `,${JSON.stringify({ ...toTorrentFields(facts, labels, access), access }).slice(0, -1)},`;
}

function isLabelled({ library }: ListedTorrent): boolean {
  return library.categoryId !== null || library.tagIds.length > 0;
}

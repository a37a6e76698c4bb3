// What changes rarely of the torrents of one run, as one account is shown it: one for as long as neither the torrents nor
// their labels change. Never changed itself.
import type { Access } from '../../shared-protocol/dto/torrents.js';
import type { Labels } from '../services/library/labels.js';
import type { ListedTorrent } from '../services/library/shares.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';
import { toTorrentFields } from '../services/library/torrent-dto.js';

export type SnapshotLabels = Pick<Labels, 'revision' | 'category' | 'tag'>;

export interface IdentitySources {
  readonly labels: SnapshotLabels;
  readonly accessOf: (facts: ListedTorrent) => Access | null;
}

export class ChunkFields {
  readonly rows: readonly number[];
  readonly isLabelled: boolean;
  /** Of the texts, in UTF-8. */
  readonly bytes: number;

  constructor(
    readonly run: TorrentChunk,
    /** Of each torrent: `,` and JSON of an object up to where its numbers begin. */
    readonly texts: readonly string[],
    /** Of the labels that they show. */
    readonly labelsRevision: number,
  ) {
    this.rows = run.map(({ row }) => row);
    this.isLabelled = run.some(isLabelled);
    this.bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  /** What somebody does to a label does not matter to torrents that have none. */
  isCurrent({ revision }: SnapshotLabels): boolean {
    return revision === this.labelsRevision || !this.isLabelled;
  }
}

/** `before`: what showed these very facts at this place, where there is something. */
export function identityOf(
  run: TorrentChunk,
  sources: IdentitySources,
  before: (index: number) => { readonly in: { readonly identity: ChunkFields }; readonly index: number } | undefined,
): ChunkFields {
  const { revision } = sources.labels;
  const texts = run.map((facts, index) => {
    const known = before(index);
    const isCurrent = known && (known.in.identity.labelsRevision === revision || !isLabelled(facts));
    return isCurrent ? known.in.identity.texts[known.index]! : textOf(facts, sources);
  });
  return new ChunkFields(run, texts, revision);
}

function textOf(facts: ListedTorrent, { labels, accessOf }: IdentitySources): string {
  // A torrent that is in the account's list is one that it may see (services/library/visibility.ts).
  const access = accessOf(facts) ?? 'viewer';
  return `,${JSON.stringify({ ...toTorrentFields(facts, labels, access), access }).slice(0, -1)},`;
}

function isLabelled({ library }: ListedTorrent): boolean {
  return library.categoryId !== null || library.tagIds.length > 0;
}

// The stats table as JSON: each row that was written is read and encoded once, for all accounts that see its torrent. Rows
// that were not written, or that are not the torrent's own any more, show what they showed before.
import type { ChangeLogReader, LogMark } from '../../shared-protocol/change-log.js';
import { emptyStats, type StatsReader } from '../../shared-protocol/stats-table.js';
import { statsOfShare, type ListedTorrent } from '../services/library/shares.js';
import { TorrentStatsJson } from './torrent-stats-json.js';
import type { Totals } from './totals.js';

/** One for all: objects made and dropped by the ten thousand are what a tick costs. */
const SCRATCH = emptyStats();
/** Shown of a torrent whose row was never its own. */
const NO_STATS = new TorrentStatsJson(emptyStats(), 0, 0);

/** Reads rows of the stats table as JSON; one for the lists of all accounts. */
export class StatsJsonReader {
  /** The last ones read, by row. */
  readonly #last: (TorrentStatsJson | undefined)[] = [];
  /** The change log of the table that they were read from. */
  #log: ChangeLogReader | null = null;

  constructor(private readonly table: StatsReader) {}

  /** A mark in the change log: what is written from here on comes after it. */
  mark(): LogMark | null {
    return this.table.changes?.mark() ?? null;
  }

  /** The rows that were written between the two; null: any of them may have been. */
  rowsBetween(from: LogMark | null, to: LogMark | null): ReadonlySet<number> | null {
    return from && to && to.log.rowsBetween(from, to);
  }

  /** Sequence of a row, which changes whenever it is written. */
  sequence(row: number): number {
    return this.table.sequence(row);
  }

  /** Whether none of the rows was written since it had this sequence. */
  areUnchanged(rows: readonly number[], sequences: readonly number[]): boolean {
    return this.table.areUnchanged(rows, sequences);
  }

  /**
   * The numbers of one torrent, whose row has this sequence. While the row is another torrent's this one is about to go:
   * it keeps those of `before` until then.
   */
  read({ row, rowTag, own }: ListedTorrent, sequence: number, before = NO_STATS): TorrentStatsJson {
    this.#forgetOtherTables();
    if (own) return this.#readShare({ row, rowTag, own }, sequence, before);
    const last = this.#last[row];
    if (last?.sequence === sequence && last.rowTag === rowTag) return last;
    if (!this.table.read(row, rowTag, SCRATCH)) return before;
    return (this.#last[row] = new TorrentStatsJson(SCRATCH, sequence, rowTag));
  }

  /** Counts a torrent; nothing is encoded or kept. */
  count({ row, rowTag, own }: ListedTorrent, totals: Totals): void {
    const stats = this.table.read(row, rowTag, SCRATCH) ? SCRATCH : null;
    totals.count(stats ? (own ? statsOfShare(stats, { own }) : stats) : NO_STATS);
  }

  /** Numbers of a torrent that several accounts hold, of which each is shown something else. */
  #readShare(
    { row, rowTag, own }: Required<Pick<ListedTorrent, 'row' | 'rowTag' | 'own'>>,
    sequence: number,
    before: TorrentStatsJson,
  ): TorrentStatsJson {
    if (before.own === own && before.sequence === sequence && before.rowTag === rowTag) return before;
    if (!this.table.read(row, rowTag, SCRATCH)) return before;
    return new TorrentStatsJson(statsOfShare(SCRATCH, { own }), sequence, rowTag, own);
  }

  /** A table of another engine has the same rows, tags and sequences for other torrents. */
  #forgetOtherTables(): void {
    const { changes } = this.table;
    if (this.#log === changes) return;
    this.#log = changes;
    this.#last.length = 0;
  }
}

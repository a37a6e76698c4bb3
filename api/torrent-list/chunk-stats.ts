// The numbers of the torrents of one run as they are shown at one moment. Rows that were written since are read; the others
// are taken over, from the moment before or from what another account was shown.
import type { ChangeLogReader, LogMark } from '../../shared-protocol/change-log.js';
import { emptyStats, type StatsReader } from '../../shared-protocol/stats-table.js';
import { statsOfShare, type ListedTorrent } from '../services/library/shares.js';
import type { TorrentChunk } from '../services/library/torrent-order.js';
import { TorrentStatsJson } from './torrent-stats-json.js';
import { Totals } from './totals.js';

/** One for all: objects made and dropped by the ten thousand are what a tick costs. */
const SCRATCH = emptyStats();
/** Of a torrent whose row was never its own. */
const NO_FIGURES = new TorrentStatsJson(emptyStats(), 0, 0);

/** Never changed. */
export class ChunkStats {
  readonly totals = new Totals();
  /** Of the texts, which are ASCII. */
  readonly bytes: number;

  constructor(
    readonly shown: readonly TorrentStatsJson[],
    /** Of the rows, when they were read. */
    readonly sequences: readonly number[],
  ) {
    let bytes = 0;
    for (const figures of shown) {
      this.totals.count(figures);
      bytes += figures.text.length;
    }
    this.bytes = bytes;
  }
}

export class FiguresSource {
  /** By row, of the table with these changes. */
  readonly #last: (TorrentStatsJson | undefined)[] = [];
  #table: ChangeLogReader | null = null;

  constructor(private readonly reader: StatsReader) {}

  /** What is written from now on comes after it. */
  mark(): LogMark | null {
    return this.reader.changes?.mark() ?? null;
  }

  /** The rows that were written between the two; null: any of them may have been. */
  rowsBetween(from: LogMark | null, to: LogMark | null): ReadonlySet<number> | null {
    return from && to && to.log.rowsBetween(from, to);
  }

  areCurrent({ sequences }: ChunkStats, rows: readonly number[]): boolean {
    return this.reader.areUnchanged(rows, sequences);
  }

  /** `before`: of the torrent at this place, where they are known. */
  read(run: TorrentChunk, before: (index: number) => TorrentStatsJson | undefined): ChunkStats {
    this.#forgetOtherTables();
    const sequences = run.map(({ row }) => this.reader.sequence(row));
    return new ChunkStats(
      run.map((facts, i) => this.#read(facts, sequences[i]!, before(i) ?? NO_FIGURES)),
      sequences,
    );
  }

  /** The same ones while what is shown has not changed. */
  update(run: TorrentChunk, rows: readonly number[], figures: ChunkStats): ChunkStats {
    if (this.areCurrent(figures, rows)) return figures;
    this.#forgetOtherTables();
    const sequences = [...figures.sequences];
    const shown = [...figures.shown];
    let isSame = true;
    for (let i = 0; i < rows.length; i++) {
      const sequence = this.reader.sequence(rows[i]!);
      if (sequence === sequences[i]) continue;
      sequences[i] = sequence;
      const now = this.#read(run[i]!, sequence, shown[i]!);
      if (now.text === shown[i]!.text) continue;
      shown[i] = now;
      isSame = false;
    }
    return isSame ? figures : new ChunkStats(shown, sequences);
  }

  /** Without anything being kept. */
  count(run: TorrentChunk, totals: Totals): void {
    for (const { row, rowTag, own } of run) {
      const stats = this.reader.read(row, rowTag, SCRATCH) ? SCRATCH : null;
      totals.count(stats ? (own ? statsOfShare(stats, { own }) : stats) : NO_FIGURES);
    }
  }

  /** While the row is another torrent's, this one is about to go: it keeps its last numbers until then. */
  #read({ row, rowTag, own }: ListedTorrent, sequence: number, before: TorrentStatsJson): TorrentStatsJson {
    if (own) return this.#readShare({ row, rowTag, own }, sequence, before);
    const last = this.#last[row];
    if (last?.sequence === sequence && last.rowTag === rowTag) return last;
    if (!this.reader.read(row, rowTag, SCRATCH)) return before;
    return (this.#last[row] = new TorrentStatsJson(SCRATCH, sequence, rowTag));
  }

  /** Of what others hold as well every holder is shown something else. */
  #readShare(
    { row, rowTag, own }: Required<Pick<ListedTorrent, 'row' | 'rowTag' | 'own'>>,
    sequence: number,
    before: TorrentStatsJson,
  ): TorrentStatsJson {
    if (before.own === own && before.sequence === sequence && before.rowTag === rowTag) return before;
    if (!this.reader.read(row, rowTag, SCRATCH)) return before;
    return new TorrentStatsJson(statsOfShare(SCRATCH, { own }), sequence, rowTag, own);
  }

  /** A table of another engine has the same rows, tags and sequences for other torrents. */
  #forgetOtherTables(): void {
    const { changes } = this.reader;
    if (this.#table === changes) return;
    this.#table = changes;
    this.#last.length = 0;
  }
}

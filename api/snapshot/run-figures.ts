// The numbers of one run of torrents as they were last read from the stats table, and their totals. A look at rows that
// were not written costs next to nothing.
import type { TorrentRun } from '../services/library/torrent-order.js';
import { emptyStats, type StatsReader, type TorrentStats } from '../../shared-protocol/stats-table.js';
import { hasFlag } from './torrent-dto.js';

/** The numbers of a torrent side by side: a tenth of what as many objects would take. */
const FIELDS = Object.keys(emptyStats()) as readonly (keyof TorrentStats)[]; // it has no other keys

/** One for all: objects made and dropped by the ten thousand are what a tick costs. */
const SCRATCH = emptyStats();

export class RunFigures {
  readonly rows: readonly number[];
  /** Of each row, when its numbers were read. Changed in place. */
  readonly sequences: number[];
  readonly totals = { active: 0, seeding: 0, downloadRate: 0, uploadRate: 0, peers: 0 };
  readonly #numbers: Float64Array;
  #isRead = false;

  constructor(
    private readonly run: TorrentRun,
    private readonly reader: StatsReader,
  ) {
    this.rows = run.map(({ row }) => row);
    this.sequences = run.map(() => 0);
    this.#numbers = new Float64Array(run.length * FIELDS.length);
  }

  /** Good until it is asked for another. */
  of(index: number): Readonly<TorrentStats> {
    this.#fill(SCRATCH, index);
    return SCRATCH;
  }

  /** Reads what was written since. */
  refresh(): void {
    const { rows, sequences, reader } = this;
    if (this.#isRead && reader.areUnchanged(rows, sequences)) return;
    for (let i = 0; i < rows.length; i++) {
      const sequence = reader.sequence(rows[i]!);
      if (this.#isRead && sequence === sequences[i]) continue;
      sequences[i] = sequence;
      // Else the row is another torrent's by now: this one is about to go, and keeps its last numbers until then.
      if (reader.read(rows[i]!, this.run[i]!.rowTag, SCRATCH)) this.#keep(i, SCRATCH);
    }
    this.#isRead = true;
    this.#add();
  }

  #fill(stats: TorrentStats, index: number): void {
    for (let field = 0; field < FIELDS.length; field++) {
      stats[FIELDS[field]!] = this.#numbers[index * FIELDS.length + field]!;
    }
  }

  #keep(index: number, stats: Readonly<TorrentStats>): void {
    for (let field = 0; field < FIELDS.length; field++) {
      this.#numbers[index * FIELDS.length + field] = stats[FIELDS[field]!];
    }
  }

  #add(): void {
    const { totals } = this;
    Object.assign(totals, { active: 0, seeding: 0, downloadRate: 0, uploadRate: 0, peers: 0 });
    const stats = SCRATCH;
    for (let i = 0; i < this.rows.length; i++) {
      this.#fill(stats, i);
      if (hasFlag(stats, 'completed')) totals.seeding++;
      else if (!hasFlag(stats, 'paused')) totals.active++;
      totals.downloadRate += Math.round(stats.downloadRate);
      totals.uploadRate += Math.round(stats.uploadRate);
      totals.peers += stats.peers;
    }
  }
}

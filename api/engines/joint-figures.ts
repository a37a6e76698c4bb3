// The figures of several engines in one stats table, where the services find them by row as those of one engine. Each engine's rows
// are given rows here as they come, and keep them for as long as this process lives.
import { StatsMirror } from '../../shared-protocol/stats-mirror.js';
import type { RateLimits } from '../../shared-protocol/commands/limits.js';
import { rateIn, type StatsTable } from '../../shared-protocol/stats-table.js';
import type { Figures } from '../engine-client/stream-transport.js';

export class JointFigures {
  readonly #listeners: ((table: StatsTable) => void)[] = [];
  readonly #mirror = new StatsMirror((table) => {
    for (const listener of this.#listeners) listener(table);
  });
  #used = 0;

  /** The listener is told of the table at once, and of each larger one that replaces it. */
  onTable(listener: (table: StatsTable) => void): void {
    this.#listeners.push(listener);
    listener(this.#mirror.table);
  }

  /** The table's part of one engine. */
  part(): FiguresPart {
    return new FiguresPart(this.#mirror, () => this.#used++);
  }
}

export class FiguresPart implements Figures {
  readonly #rows: number[] = [];
  /** By the row there, as it was told last. */
  readonly #down: number[] = [];
  readonly #up: number[] = [];
  readonly #sums = { downBytesPerSec: 0, upBytesPerSec: 0 };

  constructor(
    private readonly mirror: StatsMirror,
    private readonly nextRow: () => number,
  ) {}

  /** The row here of a row there. */
  rowOf(row: number): number {
    return (this.#rows[row] ??= this.nextRow());
  }

  /** Rates of all its torrents together, as they were told last. */
  get rates(): RateLimits {
    return this.#sums;
  }

  take(packed: Uint8Array): boolean {
    return this.mirror.take(packed, (row, figures) => {
      this.#note(row, rateIn(figures, 'downloadRate'), rateIn(figures, 'uploadRate'));
      return this.rowOf(row);
    });
  }

  /** Figures that it told before this process lived, in a row that is given to them: they rest. Returns that row. */
  place(packed: Uint8Array): number {
    const row = this.nextRow();
    this.mirror.take(packed, () => row);
    this.mirror.rest([row]);
    return row;
  }

  /** The figures in a row here. */
  packed(row: number): Uint8Array {
    return this.mirror.packed(row);
  }

  rest(): void {
    this.mirror.rest(this.#rows.filter((row) => row !== undefined));
    for (const row of this.#rows.keys()) this.#note(row, 0, 0);
  }

  #note(row: number, down: number, up: number): void {
    this.#sums.downBytesPerSec += down - (this.#down[row] ?? 0);
    this.#sums.upBytesPerSec += up - (this.#up[row] ?? 0);
    this.#down[row] = down;
    this.#up[row] = up;
  }
}

// The rates of the last minutes, one sample a second: of all torrents together, and of the few that were looked at last.
// What the server has kept of the time before is put under what was seen here. Pure.

export interface Rates {
  readonly down: number;
  readonly up: number;
}

export interface Sample {
  readonly atS: number;
  readonly total: Rates;
  readonly torrents: ReadonlyMap<string, Rates>;
}

/** One second as the server has it; null: not known. */
export interface PastSecond {
  readonly atS: number;
  readonly total: Rates | null;
  readonly torrent: Rates | null;
}

/** Longer without a sample is a gap in the line. */
const GAP_S = 5;

/** For a graph: times, then down and up of the torrent, then of all; null where nothing is known. */
export type Columns = [times: number[], ...lines: (number | null)[][]];

export class SpeedHistory {
  /** In order. */
  #samples: Sample[] = [];

  constructor(private readonly windowS: number) {}

  add(sample: Sample): void {
    const oldestS = sample.atS - this.windowS;
    this.#samples = [...this.#samples.filter(({ atS }) => atS >= oldestS), sample];
  }

  /** Fills in what is not known here of a torrent and of all together. */
  addPast(id: string, past: readonly PastSecond[]): void {
    const samples = new Map(this.#samples.map((sample) => [sample.atS, sample]));
    for (const { atS, total, torrent } of past) {
      const known = samples.get(atS);
      const sum = known?.total ?? total;
      if (!sum) continue;
      const torrents = new Map(known?.torrents);
      if (torrent && !torrents.has(id)) torrents.set(id, torrent);
      samples.set(atS, { atS, total: sum, torrents });
    }
    this.#samples = [...samples.values()].sort((a, b) => a.atS - b.atS);
  }

  columnsOf(id: string): Columns {
    const times: number[] = [];
    const lines: (number | null)[][] = [[], [], [], []];
    const push = (atS: number, ...values: (number | null)[]) => {
      times.push(atS);
      values.forEach((value, line) => lines[line]!.push(value));
    };
    let beforeS: number | null = null;
    for (const { atS, total, torrents } of this.#samples) {
      if (beforeS !== null && atS - beforeS > GAP_S) push(beforeS + 1, null, null, null, null);
      const own = torrents.get(id);
      push(atS, own?.down ?? null, own?.up ?? null, total.down, total.up);
      beforeS = atS;
    }
    return [times, ...lines];
  }
}

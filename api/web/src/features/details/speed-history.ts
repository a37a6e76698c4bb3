// The rates of the last minutes, one sample a second: of all torrents together, and of the few that were looked at last.
// Pure.

export interface Rates {
  readonly down: number;
  readonly up: number;
}

interface Sample {
  readonly atS: number;
  readonly total: Rates;
  readonly torrents: ReadonlyMap<string, Rates>;
}

/** Longer without a sample is a gap in the line. */
const GAP_S = 5;

/** For a graph: times, then down and up of the torrent, then of all; null where nothing is known. */
export type Columns = [times: number[], ...lines: (number | null)[][]];

export class SpeedHistory {
  #samples: Sample[] = [];

  constructor(private readonly windowS: number) {}

  add(sample: Sample): void {
    const oldestS = sample.atS - this.windowS;
    this.#samples = [...this.#samples.filter(({ atS }) => atS >= oldestS), sample];
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

// The rates that the server has kept, one after the other, or by the second of this machine's clock: that of the server may
// be another. Pure.
import type { RatesDto } from '../../../../shared-protocol/dto/rates.js';

/** Bytes per second. */
export interface Rates {
  readonly down: number;
  readonly up: number;
}

export interface PastRate {
  readonly atS: number;
  /** null: not known. */
  readonly rates: Rates | null;
}

/** Steps from the first of which something is known; what is not known after that is shown at rest. */
export function knownSteps({ down, up }: Pick<RatesDto, 'down' | 'up'>): readonly Rates[] {
  const first = down.findIndex((rate) => rate !== null);
  if (first === -1) return [];
  return down.slice(first).map((rate, index) => ({ down: rate ?? 0, up: up[first + index] ?? 0 }));
}

/** Clocks that are set by the network are as near as this. */
const SAME_CLOCK_S = 2;

/** Each second has the rates of its step; the last step is now. */
export function bySecond({ step, from, down, up }: RatesDto, nowS: number): readonly PastRate[] {
  const lastS = from + (down.length - 1) * step;
  // The last step may have begun up to its length ago.
  const aheadS = nowS < lastS ? nowS - lastS : Math.max(0, nowS - (lastS + step - 1));
  const shiftS = Math.abs(aheadS) <= SAME_CLOCK_S ? 0 : aheadS;
  return down.flatMap((rate, index) => {
    const rates = rate === null ? null : { down: rate, up: up[index] ?? 0 };
    return Array.from({ length: step }, (_, second) => ({ atS: from + index * step + second + shiftS, rates })).filter(
      ({ atS }) => atS <= nowS,
    );
  });
}

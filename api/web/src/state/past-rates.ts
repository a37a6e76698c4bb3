// The rates that the server has kept, by the second of this machine's clock: that of the server may be another. Pure.
import type { RatesDto } from '../../../../shared-protocol/dto/rates.js';

export interface PastRate {
  readonly atS: number;
  /** null: not known. */
  readonly rates: { readonly down: number; readonly up: number } | null;
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

// Sizes as people write them: `500 GB`, `1.5 TiB`, `700 B`. GB are of 1,000, GiB of 1,024; both are read, and each
// is shown as it was written where it comes out even. Pure.
import { t } from '../../strings/index.js';
import type { Codec } from './codecs.js';

const PREFIXES = ['k', 'm', 'g', 't', 'p'] as const;
/** Two decimals at most: `1,000 GB` is a thousand to some and one to others. */
const SIZE = /^(\d+(?:[.,]\d{1,2})?)\s*(?:([kmgtp])(i?))?b?$/i;
const DECIMALS = 2;
const LARGEST = '9 PB';

interface Unit {
  readonly name: string;
  readonly factor: number;
}

/** The largest first. */
const UNITS: readonly Unit[] = [...PREFIXES.keys()].reverse().flatMap((power) => [
  { name: ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'][power]!, factor: factorOf(power, true) },
  { name: ['kB', 'MB', 'GB', 'TB', 'PB'][power]!, factor: factorOf(power, false) },
]);

export const size: Codec<number> = {
  show(value) {
    for (const { name, factor } of UNITS) {
      const amount = Number((value / factor).toFixed(DECIMALS));
      if (amount >= 1 && Math.round(amount * factor) === value) return `${amount} ${name}`;
    }
    return `${value} B`;
  },
  read(typed) {
    const [, amount, prefix, binary] = SIZE.exec(String(typed).trim()) ?? [];
    if (amount === undefined) return { problem: t('settings.form.noSize') };
    // What some take for bytes are gigabytes to others.
    if (/^[\d.,]+$/.test(String(typed).trim()) && /[1-9]/.test(amount)) return { problem: t('settings.form.noUnit') };
    const power = PREFIXES.findIndex((each) => each === prefix?.toLowerCase());
    const value = Math.round(Number(amount.replace(',', '.')) * factorOf(power, Boolean(binary)));
    return Number.isSafeInteger(value) ? { value } : { problem: t('settings.form.atMost', { max: LARGEST }) };
  },
};

/** `power`: of the prefix in its order; -1: bytes. */
function factorOf(power: number, isBinary: boolean): number {
  return (isBinary ? 1024 : 1000) ** (power + 1);
}

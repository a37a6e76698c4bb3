// Ranges as the engine is given them, from the lines of a list.
import { readLine } from '../../api/services/blocklist/list-line.js';
import { RangeCollector } from '../../api/services/blocklist/range-collector.js';
import type { AddressRanges } from '../../shared-protocol/address-ranges.js';

/** @throws Error when a line is none */
export function rangesOf(...lines: readonly string[]): AddressRanges {
  const collector = new RangeCollector();
  for (const line of lines) if (readLine(line, collector) !== 'range') throw new Error(`no range: ${line}`);
  return collector.finish();
}

/** The lines of a list with so many ranges that do not touch. */
export function manyRanges(count: number): Buffer {
  const text = (address: number) =>
    `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
  const parts: Buffer[] = [];
  for (let from = 0; from < count; from += 1_000) {
    let lines = '';
    for (let at = from; at < Math.min(count, from + 1_000); at++) {
      const first = 0x0100_0000 + at * 64;
      lines += `range number ${at}:${text(first)}-${text(first + 9)}\n`;
    }
    parts.push(Buffer.from(lines));
  }
  return Buffer.concat(parts);
}

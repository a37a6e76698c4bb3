// Ports as people write them: `51413`, `6881-6889`, or several of both with commas between.
import type { PortRange } from './commands/engine-options.js';

/** Ports that are tried one after another; no list is longer. */
export const MAX_LISTED_PORTS = 1_000;
const MAX_PORT = 65_535;

/** null for what is no such list; empty for nothing. */
export function parsePortList(text: string): readonly PortRange[] | null {
  if (text.trim() === '') return [];
  const ranges: PortRange[] = [];
  let count = 0;
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{1,5})\s*(?:-\s*(\d{1,5})\s*)?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Number(to)];
    if (!(first >= 1 && last >= first && last <= MAX_PORT)) return null;
    ranges.push({ first, last });
    count += last - first + 1;
  }
  return count <= MAX_LISTED_PORTS ? ranges : null;
}

// How much memory a process has to itself, as the kernel counts it: pages that it shares with others in parts.
import { readFileSync } from 'node:fs';

/** Proportional set size in bytes (proc(5), smaps_rollup). */
export function proportionalBytes(pid: number): number {
  return parsePss(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

export function parsePss(rollup: string): number {
  const kib = /^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1];
  if (kib === undefined) throw new Error('/proc/…/smaps_rollup: no Pss');
  return Number(kib) * 1024;
}

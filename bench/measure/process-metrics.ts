// What a process costs, as the kernel counts it: processor time of all its threads, and the most memory it ever had.
import { readFileSync } from 'node:fs';

/** Linux reports times in these, whatever the kernel's own tick is (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** User and system seconds of the process with all its threads and its children that have ended. proc(5), stat. */
export function cpuSeconds(pid: number): number {
  return parseCpuSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** The same of several processes together. */
export function cpuOf(pids: readonly number[]): number {
  return pids.reduce((seconds, pid) => seconds + cpuSeconds(pid), 0);
}

/** The second field, the program's name in brackets, may itself hold spaces and brackets. */
export function parseCpuSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 to 17 of proc(5), counted from the third here: utime, stime, cutime, cstime.
  const ticks = fields.slice(11, 15).map(Number);
  if (ticks.length !== 4 || ticks.some(Number.isNaN)) throw new Error(`/proc/…/stat: not understood: ${stat}`);
  return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_SECOND;
}

/** VmHWM: the most memory the process had resident, files it maps from tmpfs included. */
export function peakMemoryBytes(pid: number): number {
  return parsePeakMemoryBytes(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** VmRSS: what is resident now. */
export function residentBytes(pid: number): number {
  return parseKib('VmRSS', readFileSync(`/proc/${pid}/status`, 'utf8'));
}

export function parsePeakMemoryBytes(status: string): number {
  return parseKib('VmHWM', status);
}

function parseKib(field: string, status: string): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kib === undefined) throw new Error(`/proc/…/status: no ${field}`);
  return Number(kib) * 1024;
}

// Memory of a process that is in use (proc(5)).
import { readFileSync } from 'node:fs';

/** Resident memory of the process, in bytes. */
export function residentBytes({ pid }: { readonly pid: number }): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

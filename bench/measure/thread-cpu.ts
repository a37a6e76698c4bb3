// What the main thread alone has cost, as the kernel counts it: what V8 and libuv do in threads of their own is left
// out, as it runs beside the main thread.
import { readFileSync } from 'node:fs';

/** Milliseconds on a processor so far, user and system. Where the kernel keeps no schedstat: of the whole process. */
export function mainThreadCpuMs(): number {
  try {
    return mainThreadCpuMsOf(process.pid);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e3;
  }
}

/** Of another process; its main thread has the id of the process. @throws Error where the kernel keeps no schedstat */
export function mainThreadCpuMsOf(pid: number): number {
  return parseSchedstatMs(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8'));
}

/** Nanoseconds running, waiting, and how often (the kernel's sched-stats.rst). */
export function parseSchedstatMs(schedstat: string): number {
  const ns = /^(\d+) \d+ \d+\s*$/.exec(schedstat)?.[1];
  if (ns === undefined) throw new Error(`schedstat: not understood: ${schedstat}`);
  return Number(ns) / 1e6;
}

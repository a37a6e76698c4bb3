// What a piece of work costs this process, in processor time: the same on a busy machine as on a free one.

const MS_US = 1_000;

/** Of the work, which does not wait for anything. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MS_US;
}

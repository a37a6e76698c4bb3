// How long a user waits for an answer while the program works at full speed.
import { Child } from '../support/child.js';
import { compiledFile } from '../support/project.js';

const TIMEOUT_MS = 30_000;

export interface LatencyProbe {
  /** 99th percentile in milliseconds. */
  stop(): Promise<number>;
}

/** Asks the daemon at this URL for its health 20 times a second, from another process; counts from when it resolves. */
export async function probeLatency(url: string): Promise<LatencyProbe> {
  const asker = new Child(process.execPath, [compiledFile('bench/load/health-asker.js'), url]);
  await asker.event('ready', TIMEOUT_MS);
  asker.order('begin');
  return {
    async stop() {
      try {
        asker.order('report');
        const { p99 } = await asker.event('report', TIMEOUT_MS);
        return Number(p99);
      } finally {
        await asker.stop();
      }
    },
  };
}

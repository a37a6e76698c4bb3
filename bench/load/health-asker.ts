// A process that asks a daemon for its health at a fixed rate, whether or not the request before has been answered, so that
// a stall is counted as often as users would have met it. In a process of its own: what the bench itself reads and parses
// meanwhile would make the answers late. Argument: the daemon's URL. Reports `ready` at the first answer. Lines on standard
// input: `begin` starts counting, `report` tells what the answers took since then.
import { Agent, get } from 'node:http';
import { createInterface } from 'node:readline';
import { percentile } from '../measure/percentile.js';
import { reportEvent } from './load-job.js';

const EVERY_MS = 50;

const url = `${process.argv[2] ?? ''}/api/healthz`;
const agent = new Agent({ keepAlive: true });
let latenciesMs: number[] = [];
let isReady = false;

createInterface({ input: process.stdin })
  .on('line', onCommand)
  // The bench holds the other end.
  .on('close', () => process.exit(0));
setInterval(ask, EVERY_MS);

function ask(): void {
  const startMs = performance.now();
  get(url, { agent }, (response) => {
    response.resume().on('end', () => {
      latenciesMs.push(performance.now() - startMs);
      if (!isReady) reportEvent('ready', {});
      isReady = true;
    });
  }).on('error', ({ message }) => reportEvent('error', { message }));
}

function onCommand(line: string): void {
  if (line === 'report') reportEvent('report', { p99: percentile(latenciesMs, 99) });
  latenciesMs = [];
}

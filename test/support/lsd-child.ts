// A program for a namespace of its own: announces the info hash of its first argument with the port of its second, and
// prints a line of JSON for each peer it hears of, and its counters when a line comes in.
import { createInterface } from 'node:readline';
import { parseInfoHash } from '../../shared-protocol/ids.js';
import { createLsd } from '../../engine/lsd/lsd.js';
import { SeededRandom } from './seeded-random.js';
import { systemClock } from '../../shared-protocol/clock.js';

const [, , hash = '', port = ''] = process.argv;
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const log = { debug: print, info: print, warn: print, error: print };
const lsd = createLsd(
  {
    clock: systemClock,
    // By the process, so that no two have the same cookie.
    random: new SeededRandom(process.pid),
    log,
    onPeer: (infoHash, { host, port }) => print({ infoHash, host, port }),
  },
  { peerPort: () => Number(port) },
);
lsd.add(parseInfoHash(hash));

const input = createInterface({ input: process.stdin });
input.on('line', () => print({ counters: lsd.counters }));
input.on('close', () => void lsd.close());

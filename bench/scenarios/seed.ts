// The program seeds; the other end connects to it and downloads everything. From the first block at the other end to
// the last.
import type { Scenario } from './scenario.js';
import { transfersOf, type Direction } from './transfers.js';

export const SEEDING: Direction = {
  prepare: (running, { payload }) => running.seed(payload),
  startOtherEnd: ({ otherEnd, payload }, port, folder, options) =>
    otherEnd.startLeeching(payload, port, folder, options),
  finished: (_running, end, timeoutMs) => end.finished(timeoutMs),
  keepsCopy: ({ otherEnd }) => otherEnd.keepsCopy,
};

export const seed: Scenario = {
  kind: 'macro',
  what: 'the program seeds to the other end',
  takesPeers: true,
  measure: transfersOf(SEEDING, 'plain'),
};

export const seedRc4: Scenario = {
  kind: 'macro',
  what: 'seed, with RC4 on every connection',
  suits: ({ rc4Settings }) => rc4Settings !== null,
  isOnRequest: true,
  measure: transfersOf(SEEDING, 'rc4'),
};

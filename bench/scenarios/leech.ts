// The program downloads from the other end, verifies and writes. From the first block sent to it until it says itself
// that it is complete; its copy is checked once.
import type { Scenario } from './scenario.js';
import { transfersOf, type Direction } from './transfers.js';

export const LEECHING: Direction = {
  expect: (running, { payload }, folder) => running.leech(payload, folder),
  startOtherEnd: ({ otherEnd, payload }, port, _folder, options) => otherEnd.startSeeding(payload, port, options),
  finished: (running, _end, timeoutMs) => running.finished(timeoutMs),
  renew: (running) => running.forget(),
  keepsCopy: () => true,
};

export const leech: Scenario = {
  kind: 'macro',
  what: 'the program downloads from the other end, verified and written',
  takesPeers: true,
  measure: transfersOf(LEECHING, 'plain'),
};

export const leechRc4: Scenario = {
  kind: 'macro',
  what: 'leech, with RC4 on every connection',
  suits: ({ rc4Settings }) => rc4Settings !== null,
  isOnRequest: true,
  measure: transfersOf(LEECHING, 'rc4'),
};

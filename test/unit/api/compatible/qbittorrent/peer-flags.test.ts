// Every letter of a connection.
import t from 'tap';
import { flagsOf } from '../../../../../api/compatible/qbittorrent/sync/peer-flags.js';
import type { PeerFlagFacts } from '../../../../../shared-protocol/peer-facts.js';
import { QUIET_PEER } from '../../../../support/shown-details.js';

const ROWS: readonly (readonly [letters: string, facts: Partial<PeerFlagFacts>])[] = [
  ['', {}],
  ['d', { weAreInterested: true }],
  ['D', { weAreInterested: true, chokesUs: false }],
  ['u', { interested: true }],
  ['U', { interested: true, choked: false }],
  ['K', { chokesUs: false }],
  ['?', { choked: false }],
  ['O', { optimisticUnchoke: true }],
  ['S', { snubbed: true }],
  ['I', { incoming: true, sources: ['incoming'] }],
  ['HXL', { sources: ['lsd', 'dht', 'tracker', 'pex', 'manual'] }],
  ['E', { encryption: 'rc4' }],
  ['e', { encryption: 'handshake' }],
  ['DUI', { weAreInterested: true, chokesUs: false, interested: true, choked: false, incoming: true }],
];

void t.test('letters', (t) => {
  for (const [letters, facts] of ROWS) {
    const shown = flagsOf({ ...QUIET_PEER, ...facts }).map(([letter]) => letter);
    t.equal(shown.join(''), letters, JSON.stringify(facts));
  }
  t.end();
});

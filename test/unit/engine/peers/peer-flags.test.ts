// The letters of a peer, as a table.
import t from 'tap';
import { peerFlags } from '../../../../engine/peers/peer-flags.js';
import type { PeerFlagFacts } from '../../../../shared-protocol/peer-facts.js';
import { QUIET_PEER } from '../../../support/shown-details.js';

void t.test('letters', async (t) => {
  const cases: readonly { readonly given: Partial<PeerFlagFacts>; readonly expected: string }[] = [
    { given: {}, expected: '' },
    { given: { weAreInterested: true, chokesUs: false }, expected: 'D' },
    { given: { weAreInterested: true }, expected: 'd' },
    { given: { interested: true, choked: false }, expected: 'U' },
    { given: { interested: true }, expected: 'u' },
    { given: { chokesUs: false }, expected: 'K' },
    { given: { choked: false }, expected: '?' },
    { given: { snubbed: true }, expected: 'S' },
    { given: { interested: true, choked: false, optimisticUnchoke: true }, expected: 'UO' },
    { given: { incoming: true, sources: ['incoming'] }, expected: 'I' },
    { given: { encryption: 'rc4' }, expected: 'E' },
    { given: { encryption: 'handshake' }, expected: 'e' },
    { given: { sources: ['tracker', 'manual', 'magnet', 'resume'] }, expected: '' },
    { given: { sources: ['dht'] }, expected: 'H' },
    { given: { sources: ['lsd', 'dht', 'pex'] }, expected: 'XHL' },
    { given: { chokesUs: false, choked: false }, expected: 'K?' },
    {
      given: {
        weAreInterested: true,
        interested: true,
        choked: false,
        optimisticUnchoke: true,
        snubbed: true,
        incoming: true,
        encryption: 'rc4',
        sources: ['pex', 'dht', 'lsd'],
      },
      expected: 'dUOSIXHEL',
    },
  ];
  for (const { given, expected } of cases)
    t.equal(peerFlags({ ...QUIET_PEER, ...given }), expected, JSON.stringify(given));
});

void t.test('no letter twice, and never both of a pair', async (t) => {
  for (let bits = 0; bits < 128; bits++) {
    const bit = (at: number): boolean => (bits & (1 << at)) !== 0;
    const flags = peerFlags({
      weAreInterested: bit(0),
      chokesUs: bit(1),
      interested: bit(2),
      choked: bit(3),
      optimisticUnchoke: bit(4),
      snubbed: bit(5),
      incoming: bit(6),
      encryption: 'handshake',
      sources: ['dht'],
    });
    t.equal(new Set(flags).size, flags.length, flags);
    t.notMatch(flags, /[Dd].*K|D.*d|U.*u|[Uu].*\?/, flags);
  }
});

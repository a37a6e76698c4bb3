// A connected peer as people see it: the letters of what goes on with it, and how much it has.
import t from 'tap';
import { maskOf } from '../../../../../engine/peers/peer-list/sources.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import type { Peer } from '../../../../../engine/torrent/peer/peer.js';
import { peerDetail } from '../../../../../engine/torrent/details/peer-detail.js';
import { peerWith, type PeerTraits } from '../scripted-swarm-peer.js';

const CASES: readonly { name: string; traits?: PeerTraits; given: (peer: Peer) => void; flags: string }[] = [
  { name: 'nothing goes on', given: () => undefined, flags: '' },
  { name: 'it came to us', traits: { direction: 'incoming' }, given: () => undefined, flags: 'I' },
  { name: 'we wait for it', given: (peer) => (peer.weAreInterested = true), flags: 'd' },
  {
    name: 'it serves us',
    given: (peer) => Object.assign(peer, { weAreInterested: true, chokesUs: false }),
    flags: 'D',
  },
  {
    name: 'it has earned its slot',
    given: (peer) => Object.assign(peer, { interested: true, choked: false, unchokedAtMs: 50, optimisticAtMs: 20 }),
    flags: 'U',
  },
  {
    name: 'its slot was given by lot, a moment after the unchoke by any clock',
    given: (peer) => Object.assign(peer, { interested: true, choked: false, unchokedAtMs: 50, optimisticAtMs: 50.004 }),
    flags: 'UO',
  },
  {
    name: 'its turn by lot is over',
    given: (peer) => Object.assign(peer, { interested: true, choked: true, unchokedAtMs: 50, optimisticAtMs: 50 }),
    flags: 'u',
  },
  { name: 'it snubs us', given: (peer) => (peer.snubbed = true), flags: 'S' },
  {
    name: 'heard of in three ways',
    traits: { origin: { sources: maskOf('pex', 'dht', 'lsd'), webSeedUrl: null } },
    given: () => undefined,
    flags: 'XHL',
  },
];

void t.test('flags', async (t) => {
  for (const { name, traits, given, flags } of CASES) {
    const peer = peerWith(traits);
    given(peer);
    t.equal(peerDetail(peer, null).flags, flags, name);
  }
});

void t.test('progress is the share of its pieces, 0 while nobody knows how many there are', async (t) => {
  const peer = peerWith();
  t.equal(peerDetail(peer, null).progress, 0);
  peer.have = new Bitfield(0);
  t.equal(peerDetail(peer, null).progress, 0);
  peer.have = new Bitfield(8, Uint8Array.of(0b1100_0000));
  t.equal(peerDetail(peer, null).progress, 0.25);
});

void t.test('address, name and rates are those of the connection', async (t) => {
  const peer = peerWith();
  peer.client = 'qBittorrent 5.0.1';
  peer.down.add(10_000);
  for (let second = 0; second < 20; second++) {
    peer.tick(second * 1_000, 1_000);
    peer.down.add(10_000);
  }
  const { host, port, client, downloadRate, uploadRate } = peerDetail(peer, null);
  t.same({ host, port }, peer.connection.remote);
  t.equal(client, 'qBittorrent 5.0.1');
  t.ok(Math.abs(downloadRate - 10_000) <= 1, `${downloadRate} B/s`);
  t.equal(uploadRate, 0);
  t.match(peerDetail(peer, null), { bytesDown: 210_000, bytesUp: 0 });
});

void t.test('relevance is the share of what is missing here that it has', async (t) => {
  const peer = peerWith();
  peer.have = new Bitfield(8, Uint8Array.of(0b1100_0011));
  t.equal(peerDetail(peer, null).relevance, 0, 'nothing is known of what is missing');
  t.equal(peerDetail(peer, new Bitfield(8, Uint8Array.of(0b1010_1001))).relevance, 0.5);
  t.equal(peerDetail(peer, new Bitfield(8, Uint8Array.of(0b1111_1111))).relevance, 0, 'nothing is missing');
});

void t.test('the facts are those that the letters are made of', async (t) => {
  const peer = peerWith({ direction: 'incoming', origin: { sources: maskOf('pex', 'tracker'), webSeedUrl: null } });
  Object.assign(peer, { weAreInterested: true, interested: true, choked: false });
  const expected = { weAreInterested: true, chokesUs: true, interested: true, choked: false, incoming: true };
  t.match(peerDetail(peer, null).facts, { ...expected, encryption: 'none', sources: ['tracker', 'pex'] });
});

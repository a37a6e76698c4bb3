import t from 'tap';
import { StoredPeers } from '../../../../engine/dht/stored-peers.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

function setUp() {
  const clock = new VirtualClock();
  const peers = new StoredPeers(clock);
  const announce = (torrent: string, host: string, port = 6881): boolean => {
    const admitted = peers.admits(torrent, { host, port });
    if (admitted) peers.stored(torrent, { host, port });
    return admitted;
  };
  return { clock, peers, announce };
}

void t.test('500 peers of a torrent; known ones always, more once others are forgotten', async (t) => {
  const { clock, announce } = setUp();
  for (let i = 0; i < 500; i++) t.ok(announce('a', `8.8.${i >> 8}.${i & 255}`));
  t.notOk(announce('a', '9.9.9.9'));
  t.ok(announce('b', '9.9.9.9'), 'another torrent');
  await clock.advance(44 * 60_000);
  t.ok(announce('a', '8.8.0.7'), 'known');
  await clock.advance(60_000);
  for (let i = 0; i < 499; i++) t.ok(announce('a', `9.9.${i >> 8}.${i & 255}`));
  t.notOk(announce('a', '10.0.0.1'), 'the one that announced again still counts');
});

void t.test('eight ports of a host for one torrent', (t) => {
  const { announce } = setUp();
  const admitted = Array.from({ length: 100 }, (_, i) => announce('a', '8.8.8.8', 7_000 + i)).filter(Boolean).length;
  t.equal(admitted, 8);
  t.ok(announce('a', '8.8.8.9'));
  t.end();
});

void t.test('2,000 torrents; asking alone stores nothing', async (t) => {
  const { clock, peers, announce } = setUp();
  for (let i = 0; i < 5_000; i++) peers.admits(`asked-${i}`, { host: '8.8.8.8', port: 1 });
  t.equal(peers.torrentCount, 0);
  for (let i = 0; i < 2_000; i++) announce(`t-${i}`, '8.8.8.8');
  t.notOk(announce('one-more', '8.8.8.8'));
  await clock.advance(30 * 60_000);
  for (let i = 0; i < 1_000; i++) announce(`t-${i}`, '8.8.8.8');
  await clock.advance(15 * 60_000);
  t.ok(announce('one-more', '8.8.8.8'), 'the silent ones make room');
  t.equal(peers.torrentCount, 1_001);
});

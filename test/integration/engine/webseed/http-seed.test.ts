// HTTP seeds (BEP 17) over real connections: pieces are asked for by the query, and one server in both lists is asked for
// files.
import t from 'tap';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { AddressPolicy, parseCidrs } from '../../../../shared-protocol/address-policy.js';
import { webSeedsOnDemand } from '../../../../engine/webseed/index.js';
import { seedPartsOf } from '../../../../engine/webseed/seed-parts.js';
import { seededBytes } from '../../../support/make-torrent.js';
import { startWebSeedServer, type Exchange } from '../../../support/web-seed-server.js';
import { blocksOf, SeedPeer, seededTorrent } from '../../../unit/engine/webseed/seed-peer.js';

/** As --fetch-allow does. */
const OPEN = new AddressPolicy(parseCidrs(['127.0.0.0/8']));
const KIB = 1024;
const files = [
  { path: ['one'], bytes: seededBytes(1, 100_000) },
  { path: ['two'], bytes: seededBytes(2, 150_001) },
];
const TORRENT = seededTorrent({ name: 'both', pieceLength: 64 * KIB, files, padFiles: true });

/** As a script on a server answers, which knows the pieces and no ranges of HTTP. */
function serve({ path, response }: Exchange): boolean {
  const query = new URL(path, 'http://x/').searchParams;
  const [first = 0, last = 0] = (query.get('ranges') ?? '').split('-').map(Number);
  const start = Number(query.get('piece')) * TORRENT.info.pieceLength;
  response.writeHead(200).end(TORRENT.payload.subarray(start + first, start + last + 1));
  return true;
}

void t.test('pieces are asked for one after another, pad files and all', async (t) => {
  const server = await startWebSeedServer({ files: {}, respond: serve });
  const http = webSeedsOnDemand({ clock: systemClock }, { policy: OPEN });
  const peer = new SeedPeer({ clock: systemClock, http }, TORRENT, `${server.origin}/seed.php`, undefined, 'pieces');
  await peer.unchoked();
  const blocks = blocksOf(TORRENT.info);
  peer.request(blocks);
  await peer.until(() => peer.recorded.blocks.length === blocks.length);
  t.same(peer.count(), { right: blocks.length, wrong: [] });
  const hash = TORRENT.info.infoHash.replace(/../g, '%$&');
  const lengths = [65_536, 65_536, 65_536, 65_536, 150_001 - 2 * 65_536];
  t.same(
    server.requests.map(({ path }) => path),
    lengths.map((length, piece) => `/seed.php?info_hash=${hash}&piece=${piece}&ranges=0-${length - 1}`),
  );
  peer.request(blocksOf(TORRENT.info, 2, 2).slice(1, 3));
  await peer.until(() => peer.recorded.blocks.length === blocks.length + 2);
  t.match(server.requests.at(-1)?.path, /&piece=2&ranges=16384-49151$/, 'a part of a piece');
  peer.socket.destroy();
  await server.close();
});

void t.test('an answer that is not the range', async (t) => {
  const respond = ({ response }: Exchange): boolean => Boolean(response.writeHead(200).end('ten bytes.'));
  const server = await startWebSeedServer({ files: {}, respond });
  const http = webSeedsOnDemand({ clock: systemClock }, { policy: OPEN });
  const peer = new SeedPeer({ clock: systemClock, http }, TORRENT, `${server.origin}/seed`, undefined, 'pieces');
  await peer.unchoked();
  peer.request(blocksOf(TORRENT.info, 0, 0));
  await peer.until(() => false);
  t.match(peer.closeReason, /body ended 65526 bytes too early/);
  await server.close();
});

void t.test('a query of its own stays in front, and is for servers of the internet', async (t) => {
  const [part] = seedPartsOf('pieces', 'https://s.example/seed.php?id=7#x', TORRENT.info, 65_536, 70_000);
  const hash = TORRENT.info.infoHash.replace(/../g, '%$&');
  t.equal(part?.ask?.url.href, `https://s.example/seed.php?id=7&info_hash=${hash}&piece=1&ranges=0-4463`);
  const server = await startWebSeedServer({ files: {}, respond: serve });
  const http = webSeedsOnDemand({ clock: systemClock }, { policy: OPEN });
  const peer = new SeedPeer({ clock: systemClock, http }, TORRENT, `${server.origin}/admin?do=it`, undefined, 'pieces');
  await peer.unchoked();
  peer.request(blocksOf(TORRENT.info, 0, 0));
  await peer.until(() => false);
  t.match(peer.closeReason, /a local web seed may not have a query/);
  t.same(server.requests, []);
  await server.close();
});

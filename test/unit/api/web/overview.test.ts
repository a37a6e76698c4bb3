// What the overview of a torrent makes of what the server sends.
import t from 'tap';
import { hashesOf } from '../../../../api/web/src/features/details/hashes.js';
import { averageRates, nextAnnounceS } from '../../../../api/web/src/features/details/overview-figures.js';
import { torrent } from './torrent-samples.js';

const V1 = 'a'.repeat(40);
const V2 = 'b'.repeat(64);

void t.test('info hashes of version 1, of version 2, and of both', async (t) => {
  t.same(hashesOf(V1, `magnet:?xt=urn:btih:${V1}&dn=x`), { v1: V1, v2: null });
  t.same(hashesOf(V1, `magnet:?xt=urn:btih:${V1}&xt=urn:btmh:1220${V2}`), { v1: V1, v2: V2 });
  t.same(hashesOf(V2, `magnet:?xt=urn:btmh:1220${V2}`), { v1: null, v2: V2 });
  t.same(hashesOf(V1, ''), { v1: V1, v2: null });
});

void t.test('the next announce is that of the tracker that comes first, and none is in the past', async (t) => {
  const at = (...times: number[]) => times.map((next_announce) => ({ next_announce }));
  t.equal(nextAnnounceS(at(0, 160, 130), 100), 30);
  t.equal(nextAnnounceS(at(90), 100), 0);
  t.equal(nextAnnounceS(at(0), 100), undefined);
  t.equal(nextAnnounceS(undefined, 100), undefined);
});

void t.test('time that was seeded does not make the average of a download smaller', async (t) => {
  const seeded = { active_seconds: 1_000, seeding_seconds: 900, total_down: 100_000, total_up: 50_000 };
  t.same(averageRates(torrent('x', seeded), 0), { down: 1_000, up: 50 });
  t.same(averageRates(torrent('x', { active_seconds: 10, total_down: 0, total_up: 0 }), 0), { down: null, up: null });
});

// Places that are claimed, and taken back as they were claimed.
import t from 'tap';
import { ClaimedPlaces } from '../../../../engine/claims/claimed-places.js';
import type { ClaimingTorrent } from '../../../../engine/claims/types.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';

const BOB = parseAccountId(2);

function torrent(n: number, savePath: string, name: string | null, ownerId = ADMIN_ACCOUNT_ID): ClaimingTorrent {
  const id = parseInfoHash(n.toString(16).padStart(40, '0'));
  return { id, ownerId, isShared: false, savePath, topNames: name === null ? null : [name] };
}

function placesWith(links: Record<string, string>) {
  return new ClaimedPlaces({ realPath: async (path) => links[path] ?? path });
}

void t.test('a save path leads where it led when it was first used', async (t) => {
  const links = { '/link': '/one' };
  const places = placesWith(links);
  t.equal(await places.learn('/link'), '/one');
  const one = torrent(1, '/link', 'a');
  places.add(one);
  links['/link'] = '/other';
  t.equal(await places.learn('/link'), '/one');
  t.same(places.overlapping({ directory: '/one', names: ['a'] }), [one]);
  places.remove(one);
  t.same(places.overlapping({ directory: '/one', names: ['a'] }), []);
});

void t.test(
  'of two first looks at a time the first counts, as something is claimed by it before the other comes',
  async (t) => {
    const looks: ((directory: string) => void)[] = [];
    const places = new ClaimedPlaces({ realPath: () => new Promise((resolve) => looks.push(resolve)) });
    const [first, second] = [places.learn('/link'), places.learn('/link')];
    looks[0]!('/one');
    t.equal(await first, '/one');
    const one = torrent(1, '/link', 'a');
    places.add(one);
    looks[1]!('/other');
    t.equal(await second, '/one');
    places.remove(one);
    t.same(places.overlapping({ directory: '/one', names: ['a'] }), [], 'it is taken back as it was made');
  },
);

void t.test('one that leads nowhere is an error for a new torrent, and its name for one that is there', async (t) => {
  const places = new ClaimedPlaces({ realPath: () => Promise.reject(new Error('a loop')) });
  await t.rejects(places.learn('/loop'), { message: 'a loop' });
  await places.learnStored('/loop');
  t.equal(places.realPath('/loop'), '/loop');
  t.equal(await places.learn('/loop'), '/loop');
});

void t.test('nothing is claimed without metadata, nor where no one has looked', async (t) => {
  const places = placesWith({});
  t.equal(places.placeOf(torrent(1, '/dl', 'a')), null);
  await places.learn('/dl');
  t.equal(places.placeOf(torrent(1, '/dl', null)), null);
  t.same(places.placeOf(torrent(1, '/dl', 'a')), { directory: '/dl', names: ['a'] });
});

void t.test(
  'a place that is reserved is free when that is released, whatever the torrent claims besides',
  async (t) => {
    const places = placesWith({});
    await places.learn('/dl');
    const [own, other] = [torrent(1, '/dl', 'a'), torrent(2, '/dl', 'b')];
    const reservation = places.reserve({ ...own, topNames: ['a', 'b'] }, { name: 'a' });
    t.same(reservation.place, { name: 'a' });
    places.add(own);
    t.same([...places.neighbours(other)], [{ ...own, topNames: ['a', 'b'] }]);
    reservation.release();
    t.same([...places.neighbours(other)], []);
    t.same([...places.neighbours(torrent(3, '/dl', 'a'))], [own]);
  },
);

void t.test('torrents of different accounts that overlap are named once', async (t) => {
  const places = placesWith({});
  await places.learn('/dl');
  const [one, own, strange] = [torrent(1, '/dl', 'a'), torrent(2, '/dl', 'a'), torrent(3, '/dl', 'a', BOB)];
  for (const there of [one, own, strange]) places.add(there);
  t.same(places.overlaps(), [
    { one: one.id, other: strange.id, path: '/dl/a' },
    { one: own.id, other: strange.id, path: '/dl/a' },
  ]);
});

// Which torrents lie where, and which of them touch.
import t from 'tap';
import { Places, type Place } from '../../../../engine/claims/places.js';
import type { ClaimingTorrent } from '../../../../engine/claims/types.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';

function torrentAt(path: string, n: number): ClaimingTorrent & Place {
  const cut = path.lastIndexOf('/');
  const [directory, name] = [path.slice(0, cut) || '/', path.slice(cut + 1)];
  const id = parseInfoHash(n.toString(16).padStart(40, '0'));
  const names = [name];
  return { id, ownerId: ADMIN_ACCOUNT_ID, isShared: false, savePath: directory, topNames: names, directory, names };
}

const CASES: readonly { readonly one: string; readonly other: string; readonly touch: boolean }[] = [
  { one: '/dl/show', other: '/dl/show', touch: true },
  { one: '/dl/show', other: '/dl/Show', touch: true },
  { one: '/dl/Gr\u00f6\u00dfe', other: '/dl/Gro\u0308\u00dfe', touch: true },
  { one: '/dl/show', other: '/dl/show/season', touch: true },
  { one: '/dl/show', other: '/dl/show/a/b/c', touch: true },
  { one: '/dl/show', other: '/dl/SHOW/a/b/c', touch: true },
  { one: '/dl/show', other: '/dl/shows', touch: false },
  { one: '/dl/show', other: '/dl/shows/show', touch: false },
  { one: '/dl/show', other: '/other/show', touch: false },
  { one: '/dl/show', other: '/dl2/show', touch: false },
  { one: '/show', other: '/dl/show', touch: false },
];

for (const { one, other, touch } of CASES) {
  void t.test(`${one} and ${other} ${touch ? 'touch' : 'do not touch'}, either way`, async (t) => {
    for (const [there, asking] of [
      [torrentAt(one, 1), torrentAt(other, 2)],
      [torrentAt(other, 2), torrentAt(one, 1)],
    ] as const) {
      const places = new Places<ClaimingTorrent>();
      places.add(there, there);
      t.equal([...places.overlapping(asking)].includes(there), touch);
      places.add(asking, asking);
      t.equal([...places.touching()].length, touch ? 1 : 0);
      places.remove(asking, asking);
      places.remove(there, there);
      t.same([...places.overlapping(asking)], []);
      t.ok(places.isEmpty, 'nothing is kept of what has gone');
    }
  });
}

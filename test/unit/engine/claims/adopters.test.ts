// Who may take over what lies on disk, and lie beside whom.
import t from 'tap';
import { Adopters } from '../../../../engine/claims/adopters.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';

const [ADA, BOB, CY] = [ADMIN_ACCOUNT_ID, parseAccountId(2), parseAccountId(3)];

void t.test('until it is set, everybody may everywhere', (t) => {
  const adopters = new Adopters();
  t.ok(adopters.mayEverywhere(BOB));
  adopters.set([{ accountId: ADA, home: null }]);
  t.notOk(adopters.mayEverywhere(BOB));
  adopters.set(null);
  t.ok(adopters.mayIn(BOB, '/'));
  t.end();
});

const CASES = [
  { account: ADA, name: 'an administrator', directory: '/anywhere', may: true },
  { account: BOB, name: 'an account with a home', directory: '/home/bob', may: true },
  { account: BOB, name: 'an account with a home', directory: '/home/bob/a/b', may: true },
  { account: BOB, name: 'an account with a home', directory: '/home/bobby', may: false },
  { account: BOB, name: 'an account with a home', directory: '/home', may: false },
  { account: CY, name: 'an account without a home', directory: '/home/bob', may: false },
] as const;
for (const { account, name, directory, may } of CASES) {
  void t.test(`${name} ${may ? 'may' : 'may not'} in ${directory}`, (t) => {
    const adopters = new Adopters();
    adopters.set([
      { accountId: ADA, home: null },
      { accountId: BOB, home: '/home/bob' },
    ]);
    t.equal(adopters.mayIn(account, directory), may);
    t.end();
  });
}

void t.test('accounts lie with torrents that are theirs alone, administrators with any', (t) => {
  const adopters = new Adopters();
  adopters.set([{ accountId: ADA, home: null }]);
  const torrent = { id: parseInfoHash('ab'.repeat(20)), isShared: false, savePath: '/dl', topNames: ['a'] };
  const [own, shared] = [
    { ...torrent, ownerId: BOB },
    { ...torrent, ownerId: BOB, isShared: true },
  ];
  t.ok(adopters.mayLieWith(BOB, [own]));
  t.ok(adopters.mayLieWith(CY, []), 'with nobody');
  t.notOk(adopters.mayLieWith(BOB, [own, shared]), 'what others hold as well is not for it to write over');
  t.notOk(adopters.mayLieWith(CY, [own]));
  t.ok(adopters.mayLieWith(ADA, [own, shared]));
  t.end();
});

void t.test('where torrent files are added for one account others put none', async (t) => {
  const adopters = new Adopters();
  adopters.set([
    { accountId: ADA, home: null },
    { accountId: BOB, home: '', watched: '/srv/watch' },
  ]);
  t.notOk(adopters.mayIn(BOB, '/srv/watch'), 'which is not its home for that');
  for (const [directory, name, isWatched] of [
    ['/srv/watch', 'a.torrent', true],
    ['/srv/WATCH', 'a.Magnet', true],
    ['/srv/watch', 'a.torrent.0123abcd', false],
    ['/srv/watch', 'a', false],
    ['/srv/watch/below', 'a.torrent', false],
    ['/srv', 'watch', true],
    ['/', 'srv', true],
    ['/srv', 'a.torrent', false],
  ] as const) {
    const place = { directory, names: [name] };
    t.equal(adopters.isWatched(CY, place), isWatched, `${directory}/${name}`);
    t.notOk(adopters.isWatched(BOB, place), 'its own');
    t.notOk(adopters.isWatched(ADA, place), 'of an administrator');
  }
  adopters.set([{ accountId: ADA, home: null }]);
  t.notOk(adopters.isWatched(CY, { directory: '/srv/watch', names: ['a.torrent'] }), 'no more');
});

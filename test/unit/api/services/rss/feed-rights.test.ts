// Whose a feed is after somebody changed it, and what is added as whom: tables.
import t from 'tap';
import {
  actingAccount,
  afterAddress,
  filterShapers,
  takenOver,
  type FeedHands,
} from '../../../../../api/services/rss/feed-rights.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { account } from '../../../../support/feed-bench.js';

const ids = (...numbers: number[]) => numbers.map(parseAccountId);
/** 1 and 2 are administrators; 3 and 4 may add torrents; 5 may not, 6 is disabled. 7 is gone. */
const ACCOUNTS = [
  account(1),
  account(2, { role: 'admin' }),
  account(3),
  account(4),
  account(5, { perm_add_torrents: false }),
  account(6, { disabled: true }),
];
const find = (id: number) => ACCOUNTS.find((each) => each.id === id);
const feed = (owner: number, ...shapers: number[]): FeedHands => ({
  created_by: parseAccountId(owner),
  ...(shapers.length > 0 ? { shaped_by: ids(...shapers) } : {}),
});

for (const [name, before, changer, address, other] of [
  ["an administrator's, by its owner", feed(1), 1, feed(1, 1), feed(1, 1)],
  ["an administrator's, by another administrator", feed(1), 2, feed(1, 2), feed(1, 1)],
  ["an administrator's, by a user", feed(1), 3, feed(3, 3), feed(3, 1)],
  ["a user's, by its owner", feed(3), 3, feed(3, 3), feed(3, 3)],
  ["a user's, by an administrator", feed(3), 1, feed(3, 1), feed(3, 3)],
  ["a user's, by another user", feed(3), 4, feed(4, 4), feed(4, 3)],
  ['of one that is gone, by a user', feed(7), 3, feed(3, 3), feed(3, 7)],
  ['of many hands, by a user', feed(1, 2, 3), 4, feed(4, 4), feed(4, 2, 3)],
] as const) {
  void t.test(`${name}: a new address, another change`, async (t) => {
    const by = account(changer, { role: changer < 3 ? 'admin' : 'user' });
    t.same(afterAddress(before, by), address);
    t.same(takenOver(before, by), other);
  });
}

void t.test('a filter is the work of all who changed it', async (t) => {
  t.same(filterShapers({}, feed(1), account(3)), [1, 3], "of before it was noted: the feed's owner");
  t.same(filterShapers({ shaped_by: ids(4, 3) }, feed(1), account(3)), [4, 3]);
  t.same(filterShapers({ shaped_by: ids(4) }, feed(1), account(3)), [4, 3]);
});

for (const [name, given, filter, expected] of [
  ["an administrator's own", feed(1, 1), [1], '1 admin'],
  ['of before it was noted', feed(1), null, '1 admin'],
  ["a user's own", feed(3, 3), [3], '3 user'],
  ['two administrators', feed(1, 2), [1, 2], '1 admin'],
  ["a user's, helped by an administrator", feed(3, 1), [1, 3], '3 user'],
  ["a user's on an administrator's address", feed(3, 1), [3], '3 user'],
  ["an administrator's with a former administrator's filter", feed(1, 1), [3], '1 user'],
  ['a former administrator gave the address', feed(1, 3), [1], '1 user'],
  ['its owner may not add', feed(5, 5), [5], null],
  ["its owner may not add, the filter is an administrator's", feed(5, 5), [1], null],
  ['who gave the address may not add', feed(1, 5), [1], null],
  ['who gave the filter may not add', feed(1, 1), [1, 5], null],
  ['its owner is disabled', feed(6, 6), [6], null],
  ['who gave the filter is disabled', feed(3, 3), [6], null],
  ['its owner is gone', feed(7, 7), [7], '1 admin'],
  ["its owner is gone, an administrator's filter", feed(7, 7), [2], '1 admin'],
  ["its owner is gone, a user's filter", feed(7, 7), [3], '3 user'],
  ['its owner is gone, a filter of one who may not add', feed(7, 7), [5], null],
  ['who gave the filter is gone', feed(3, 3), [7], '3 user'],
] as const) {
  void t.test(`${name}: ${expected ?? 'nothing is added'}`, async (t) => {
    const acting = actingAccount(given, filter ? { shaped_by: ids(...filter) } : {}, find);
    t.equal(acting && `${acting.id} ${acting.role}`, expected);
  });
}

// One end of a move, which is told things by a server that may be anybody's.
import t from 'tap';
import type { Account } from '../../../../../api/auth/account.js';
import { ServerEnd, type ServerWays } from '../../../../../api/services/servers/servers.js';

/** A server that answers every request with the same. */
function endTelling(value: unknown): ServerEnd {
  const ways: ServerWays = {
    ask: () => Promise.resolve({ kind: 'value', value: value as never }),
    file: () => Promise.reject(new Error('not asked')),
    torrent: () => Promise.resolve(null),
    addresses: () => Promise.resolve([]),
    nameOf: () => 'one',
  };
  return new ServerEnd(ways, {} as Account, 1, 'a'.repeat(40));
}

void t.test('trackers in the order of their tiers, whatever numbers these have', async (t) => {
  const trackers = [
    { url: 'http://last/', tier: Number.MAX_SAFE_INTEGER },
    { url: 'http://first/', tier: 3 },
    { url: 'http://third/', tier: 2 ** 32 - 2 },
    { url: 'http://first-as-well/', tier: 3 },
    { url: 'http://second/', tier: 20 },
  ];
  t.same(await endTelling(trackers).tiers(), [
    ['http://first/', 'http://first-as-well/'],
    ['http://second/'],
    ['http://third/'],
    ['http://last/'],
  ]);
});

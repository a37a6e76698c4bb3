// Which sockets may be, and which must go so that none takes what is for all.
import t from 'tap';
import { MAX_SOCKETS, MAX_SOCKETS_OF_ACCOUNT, roomFor, tooSlow, type Crowded } from '../../../../api/ws/crowding.js';
import type { Frame } from '../../../../api/ws/frames.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';

const MIB = 1024 * 1024;
const frame = (mib: number): Frame => ({ type: 'torrents:tick', length: mib * MIB, plain: () => [], deflated: null });

interface Client extends Crowded {
  readonly name: string;
}

function client(name: string, account: number, sendingMs = 0, held: readonly Frame[] = [], idleMs = 0): Client {
  return { name, accountId: parseAccountId(account), sendingMs, idleMs, held };
}

const many = (account: number, count: number): Client[] =>
  Array.from({ length: count }, (_, i) => client(`${account}.${i}`, account));
const names = (clients: readonly Client[]): string[] => clients.map(({ name }) => name);

void t.test('an account has so many sockets, and no more', async (t) => {
  const full = many(2, MAX_SOCKETS_OF_ACCOUNT);
  t.same(roomFor(full.slice(1), parseAccountId(2)), { kind: 'free' });
  t.same(roomFor(full, parseAccountId(2)), { kind: 'none' });
  t.same(roomFor(full, parseAccountId(3)), { kind: 'free' });
});

void t.test('when there are too many of all, whoever has most makes room for whoever has fewer', async (t) => {
  const accounts = MAX_SOCKETS / MAX_SOCKETS_OF_ACCOUNT;
  const all = Array.from({ length: accounts }, (_, i) => many(10 + i, MAX_SOCKETS_OF_ACCOUNT)).flat();
  t.match(roomFor(all, parseAccountId(2)), { kind: 'instead', of: { name: '10.0' } });
  t.same(roomFor(all, parseAccountId(10)), { kind: 'none' });
  const equal = Array.from({ length: MAX_SOCKETS }, (_, i) => client(`${i}`, 10 + i));
  t.same(roomFor(equal, parseAccountId(10)), { kind: 'none' }, 'of those that have as many nobody has to go');
});

void t.test('who takes nothing for half a minute goes, who takes a little stays', async (t) => {
  const shared = frame(1);
  const idle = client('idle', 2, 31_000, [shared], 31_000);
  const slow = client('slow', 2, 300_000, [shared], 2_000);
  t.same(names(tooSlow([idle, slow, client('fast', 2)])), ['idle']);
});

void t.test('frames that slow sockets hold are bounded for each account, the slowest goes first', async (t) => {
  const shared = frame(18);
  const held = Array.from({ length: 10 }, (_, i) => client(`own ${i}`, 2, 20_000 - 1_000 * i, [frame(18)]));
  const together = Array.from({ length: 30 }, (_, i) => client(`shared ${i}`, 3, 10_000, [shared]));
  const begun = Array.from({ length: 10 }, (_, i) => client(`begun ${i}`, 4, 1_000, [frame(18)]));
  const gone = names(tooSlow([...begun, ...together, ...held]));
  t.same(gone, ['own 0', 'own 1', 'own 2', 'own 3', 'own 4', 'own 5', 'own 6'], '54 MiB are left, in three frames');
  t.same(tooSlow([client('huge', 2, 10_000, [frame(400)])]), [], 'one frame may be as large as it is');
  t.same(names(tooSlow([client('b', 2, 9_000, [frame(400)]), client('a', 2, 10_000, [frame(400)])])), ['a']);
});

void t.test('and of all together: the account that holds most lets go first', async (t) => {
  const clients = [2, 3, 4, 5, 6].flatMap((account) => [
    client(`${account} slow`, account, 9_000, [frame(account === 4 ? 30 : 28)]),
    client(`${account} slower`, account, 10_000, [frame(account === 4 ? 30 : 28)]),
  ]);
  t.same(names(tooSlow(clients)), ['4 slower'], '254 MiB are left');
});

// Names by real questions to a name server on loopback that says nothing of some names: who waits for whom, what ends
// when it is given up, and what is kept.
import t, { type Test } from 'tap';
import { abortForMany } from '../../../shared-protocol/abort-for-many.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../../shared-protocol/ids.js';
import { parseHosts } from '../../../shared-protocol/names/hosts-file.js';
import { NameResolver } from '../../../shared-protocol/names/name-resolver.js';
import { startNameServer, type NameServer } from '../../support/name-server.js';

const [BOB, ALICE] = [parseAccountId(2), parseAccountId(3)];
const NO_HOSTS = { find: () => null };

async function setUp(t: Test): Promise<{ server: NameServer; resolver: NameResolver }> {
  const names = { 'tracker.example': '192.0.2.7', 'other.example': '192.0.2.8' };
  const server = await startNameServer({ names, silent: '.dead' });
  t.teardown(() => server.close());
  return { server, resolver: new NameResolver({ servers: [server.address], hosts: NO_HOSTS }) };
}

const never = abortForMany().signal;
const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? error.message;

void t.test('what is found, what is not there, and what is never answered', async (t) => {
  const { server, resolver } = await setUp(t);
  t.same(await resolver.resolve('Tracker.Example.', null, never), [{ address: '192.0.2.7', family: 4 }]);
  await t.rejects(resolver.resolve('nowhere.example', null, never), { code: 'ENOTFOUND' });
  await t.rejects(resolver.resolve('a.dead', null, never), { code: 'EAI_AGAIN' });
  const asked = server.asked.length;
  t.same(await resolver.resolve('tracker.example', null, never), [{ address: '192.0.2.7', family: 4 }]);
  await t.rejects(resolver.resolve('nowhere.example', null, never), { code: 'ENOTFOUND' });
  await t.rejects(resolver.resolve('a.dead', null, never), { code: 'EAI_AGAIN' });
  t.equal(server.asked.length, asked, 'is known for a moment');
});

void t.test('an account whose names are never answered waits alone, and for few at a time', async (t) => {
  const { server, resolver } = await setUp(t);
  const giveUp = abortForMany();
  const dead = Array.from({ length: 300 }, (_, n) => resolver.resolve(`${n}.dead`, BOB, giveUp.signal).catch(codeOf));
  const name = 'tracker.example';
  t.same(await resolver.resolve(name, ALICE, never), [{ address: '192.0.2.7', family: 4 }]);
  const silent = new Set(server.asked.filter((asked) => asked.endsWith('.dead')));
  t.ok(silent.size <= 12, `${silent.size} at a time`);
  giveUp.abort();
  const ends = await Promise.all(dead);
  t.same([...new Set(ends)].sort(), ['ABORT_ERR', 'EBUSY']);
  t.equal(ends.filter((end) => end === 'EBUSY').length, 300 - 12 - 256, 'more than wait are refused');
  t.same(await resolver.resolve('other.example', BOB, never), [{ address: '192.0.2.8', family: 4 }]);
  t.ok(
    server.asked.filter((asked) => asked.endsWith('.dead')).length <= 4 * 12,
    'those that waited were never asked for',
  );
});

void t.test('names of this machine and of its owner need no server', async (t) => {
  const hosts = parseHosts(
    '# comment\n10.0.0.9 nas NAS.lan # mine\n::1 ip6\nfe80::1%lo0 nas\n10.0.0.9 nas\nbad line\n',
  );
  const resolver = new NameResolver({ servers: ['127.0.0.1:1'], hosts: { find: (name) => hosts.get(name) ?? null } });
  t.same(await resolver.resolve('NAS', ADMIN_ACCOUNT_ID, never), [
    { address: '10.0.0.9', family: 4 },
    { address: 'fe80::1%lo0', family: 6 },
  ]);
  t.same(await resolver.resolve('nas.lan.', null, never), [{ address: '10.0.0.9', family: 4 }]);
  for (const name of ['localhost', 'a.localhost.']) {
    t.match(await resolver.resolve(name, null, never), [{ address: '127.0.0.1' }, { address: '::1' }]);
  }
  const system = new NameResolver({ hosts: NO_HOSTS });
  t.same(
    await system
      .resolve('no-such-name-here', null, never)
      .catch((error) => ['ENOTFOUND', 'EAI_AGAIN'].includes(codeOf(error))),
    true,
  );
});

// Whom a proxy has signed in: who is believed, and which sessions go on.
import t from 'tap';
import { digestOf } from '../../../../api/auth/api-keys.js';
import { firstAdmin, type Account } from '../../../../api/auth/account.js';
import type { Credential } from '../../../../api/auth/authenticate.js';
import type { Incoming } from '../../../../api/auth/client-address.js';
import { ProxiedUsers } from '../../../../api/auth/proxied-users.js';
import { testOptions } from '../../../support/api-harness.js';

const KEY = 'a key that proxy and service share';
const { trustedProxies } = testOptions(['--trusted-proxies', '10.0.0.0/8']);
const users = new ProxiedUsers({ trustedProxies, userHeader: 'remote-user', keyDigest: digestOf(KEY) });

const request = (headers: Record<string, string>, remoteAddress = '10.1.1.1'): Incoming => ({
  socket: { remoteAddress },
  headers,
});

void t.test('a trusted proxy with the key is believed, and nobody else', async (t) => {
  const headers = { 'swarmd-proxy-key': KEY, 'remote-user': 'bob' };
  t.equal(users.of(request(headers)), 'bob');
  t.equal(users.of(request(headers, '::ffff:10.1.1.1')), 'bob');
  t.equal(users.of(request(headers, '192.0.2.1')), null, 'from elsewhere');
  t.equal(users.of(request({ 'remote-user': 'bob' })), null, 'without the key');
  t.equal(users.of(request({ ...headers, 'swarmd-proxy-key': `${KEY}x` })), null, 'with another key');
  t.equal(users.of(request({ ...headers, 'swarmd-proxy-key': '' })), null);
  t.equal(users.of(request({ 'swarmd-proxy-key': KEY })), null, 'who names nobody');
  t.equal(users.of(request({ ...headers, 'remote-user': '' })), null);
  t.equal(users.of({ socket: {}, headers }), null, 'a connection that has ended');
  t.equal(new ProxiedUsers(null).of(request(headers)), null, 'where none is set up');
});

void t.test('names are UTF-8', async (t) => {
  const asNodeHasIt = Buffer.from('jörg', 'utf8').toString('latin1');
  t.equal(users.of(request({ 'swarmd-proxy-key': KEY, 'remote-user': asNodeHasIt })), 'jörg');
});

void t.test('a session goes on for the user of its account alone', async (t) => {
  const bob: Account = { ...firstAdmin('', 0), username: 'Bob' };
  const lets = (user: string | null, credential: Credential) => {
    const headers = user === null ? {} : { 'swarmd-proxy-key': KEY, 'remote-user': user };
    return users.lets(request(headers), { account: bob, credential });
  };
  const session: Credential = { kind: 'cookie', token: 'x' };
  t.ok(lets('bob', session));
  t.ok(lets(null, session), 'one of a password, past the proxy');
  t.ok(lets('BOB', session));
  t.notOk(lets('eve', session));
  t.ok(lets('eve', { kind: 'bearer' }), 'a key is of whoever has it');
});

void t.test('letters beyond ASCII are other letters, whatever they are in lower case', async (t) => {
  const kate: Account = { ...firstAdmin('', 0), username: 'kate' };
  const lets = (user: string) => {
    const named = Buffer.from(user, 'utf8').toString('latin1');
    const headers = { 'swarmd-proxy-key': KEY, 'remote-user': named };
    return users.lets(request(headers), { account: kate, credential: { kind: 'cookie', token: 'x' } });
  };
  t.ok(lets('Kate'));
  t.notOk(lets('\u212Aate'), 'a Kelvin sign');
});

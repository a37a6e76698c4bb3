// What may be asked for, where redirects may lead, and who gets to see credentials.
import t from 'tap';
import { authorizationFor, hostOf, parseTarget, redirectTarget } from '../../../../api/egress/url-policy.js';

void t.test('only http and https are fetched', async (t) => {
  for (const url of [
    'http://a.example/',
    'HTTPS://a.example',
    'https://a.example:8443/x?y#z',
    'http://a.example:22/',
  ]) {
    t.equal(parseTarget(url).kind, 'http', url);
  }
  for (const url of [
    ...['', 'a.example', '/etc/passwd', 'file:///etc/passwd', 'ftp://a.example/', 'gopher://a.example/', 'data:,x'],
    ...[
      'javascript:1',
      'http://',
      'http://a b/',
      'http://[fe80::1%25eth0]/',
      'http://a.example:0/',
      'http://1.2.3.400/',
    ],
    ...['magnet:?xt=urn:btih:aa', 'http://a.example:99999/', 'ws://a.example/', 'unix:/run/x.sock'],
  ]) {
    t.equal(parseTarget(url).kind, 'refused', url);
  }
});

void t.test('however an IPv4 address is written, it is seen as one', async (t) => {
  for (const host of [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001', '127.0.0.1.'],
    ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1'],
  ]) {
    const target = parseTarget(`http://${host}/`);
    t.same(target.kind === 'http' && hostOf(target.url), { kind: 'literal', address: '127.0.0.1' }, host);
  }
  t.same(hostOf(new URL('http://[::1]/')), { kind: 'literal', address: '::1' });
});

void t.test('localhost by any name is this machine', async (t) => {
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.']) {
    t.equal(hostOf(new URL(`http://${host}/`)).kind, 'this-machine', host);
  }
  for (const host of ['localhost.example', 'notlocalhost', 'a.example']) {
    t.equal(hostOf(new URL(`http://${host}/`)).kind, 'name', host);
  }
});

void t.test('a redirect may lead to http, https or a magnet, but not down from https', async (t) => {
  const kindOf = (location: string, from: string) => redirectTarget(location, new URL(from)).kind;
  t.equal(kindOf('/b', 'https://a.example/a'), 'http');
  t.equal(kindOf('https://b.example/', 'http://a.example/'), 'http');
  t.equal(kindOf('http://b.example/', 'http://a.example/'), 'http');
  t.equal(kindOf('http://a.example/', 'https://a.example/'), 'refused');
  t.equal(kindOf('file:///etc/passwd', 'http://a.example/'), 'refused');
  t.equal(kindOf('http://', 'http://a.example/'), 'refused');
  t.same(redirectTarget('magnet:?xt=urn:btih:aa', new URL('https://a.example/')), {
    kind: 'magnet',
    uri: 'magnet:?xt=urn:btih:aa',
  });
});

void t.test('credentials go to the origin they were written for and to no other', async (t) => {
  const asked = new URL('https://us%40er:p%3Aw@a.example/feed');
  const basic = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`;
  t.equal(authorizationFor(asked, asked), basic);
  t.equal(authorizationFor(asked, new URL('https://a.example/other')), basic, 'same origin');
  t.equal(authorizationFor(asked, new URL('https://b.example/')), null, 'another host');
  t.equal(authorizationFor(asked, new URL('https://a.example:444/')), null, 'another port');
  t.equal(authorizationFor(asked, new URL('http://a.example/')), null, 'another scheme');
  t.equal(authorizationFor(asked, new URL('https://x:y@b.example/')), null, 'userinfo of a redirect');
  t.equal(authorizationFor(new URL('http://a.example/'), new URL('http://x:y@a.example/')), null);
  t.equal(authorizationFor(new URL('http://%zz@a.example/'), new URL('http://a.example/')), 'Basic JXp6Og==');
});

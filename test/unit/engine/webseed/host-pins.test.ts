import t from 'tap';
import { directOutlet } from '../../../support/direct-outlet.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { namesFrom } from '../../../support/names.js';
import type { LookupFunction } from 'node:net';
import type { Pin } from '../../../../engine/net/judge-target.js';
import { HostPins } from '../../../../engine/webseed/host-pins.js';
import { AddressPolicy } from '../../../../shared-protocol/address-policy.js';

/** Names and what they resolve to, one answer after another; the last one stays. */
function lookupFrom(names: Readonly<Record<string, readonly (readonly string[])[]>>): {
  lookup: LookupFunction;
  asked: string[];
} {
  const asked: string[] = [];
  const lookup: LookupFunction = (host, _options, callback) => {
    const answers = names[host] ?? [];
    const answer = answers[Math.min(asked.filter((name) => name === host).length, answers.length - 1)];
    asked.push(host);
    if (!answer) return callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 0);
    return callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { lookup, asked };
}

/** Whether torrents may reach inside; `isBlocked`: by the blocklist. */
function pinsFor(lookup: LookupFunction, mayReachInside: boolean, isBlocked = (_address: string) => false): HostPins {
  return new HostPins(
    { names: namesFrom(lookup), policy: new AddressPolicy(), isBlocked, outlet: directOutlet() },
    { account: ADMIN_ACCOUNT_ID, mayReachInside: () => mayReachInside },
  );
}

const NAMES = {
  'public.example': [['8.8.8.8', '2606:4700::1111']],
  'lan.example': [['192.168.1.9']],
  'mixed.example': [['10.0.0.1', '8.8.8.8', '127.0.0.1']],
  'rebind.example': [['8.8.8.8'], ['127.0.0.1']],
  localhost: [['127.0.0.1', '::1']],
  'metadata.example': [['169.254.169.254']],
};

async function admit(pins: HostPins, url: string, from: Pin | null = null): Promise<string> {
  const outcome = await pins.admit(new URL(url), from, new AbortController().signal).catch((error: Error) => error);
  if (outcome instanceof Error) return outcome.message;
  return `${outcome.isInside ? 'local' : 'internet'} ${outcome.addresses.map(({ address }) => address).join(' ')}`;
}

void t.test('who may be a web seed (docs/limits.md 2.22)', async (t) => {
  const pins = pinsFor(lookupFrom(NAMES).lookup, true);
  const cases = [
    { url: 'http://public.example/?q=1', expected: 'internet 8.8.8.8 2606:4700::1111' },
    { url: 'http://lan.example/', expected: 'local 192.168.1.9' },
    { url: 'http://lan.example/?reboot=1', expected: 'a local web seed may not have a query' },
    { url: 'http://192.168.1.1/?reboot=1', expected: 'a local web seed may not have a query' },
    { url: 'http://[fd00::1]/?reboot=1', expected: 'a local web seed may not have a query' },
    { url: 'http://100.64.0.1/?reboot=1', expected: 'a local web seed may not have a query' },
    { url: 'http://mixed.example/', expected: 'internet 8.8.8.8' },
    { url: 'http://localhost/', expected: 'local 127.0.0.1 ::1' },
    { url: 'http://LOCALHOST/', expected: 'local 127.0.0.1 ::1' },
    { url: 'http://2130706433/', expected: 'local 127.0.0.1' },
    { url: 'http://0x7f.1/', expected: 'local 127.0.0.1' },
    { url: 'http://[::ffff:127.0.0.1]/', expected: 'local ::ffff:7f00:1' },
    { url: 'http://0.0.0.0/', expected: 'local 0.0.0.0' },
    { url: 'http://metadata.example/', expected: 'address not allowed' },
    { url: 'http://169.254.169.254/', expected: 'address not allowed' },
    { url: 'http://nowhere.example/', expected: 'no' },
  ];
  for (const { url, expected } of cases) t.equal(await admit(pins, url), expected, url);
  const outside = pinsFor(lookupFrom(NAMES).lookup, false);
  for (const { url, expected } of cases) {
    const isInside = expected.startsWith('local') || expected === 'a local web seed may not have a query';
    t.equal(await admit(outside, url), isInside ? 'address not allowed' : expected, `${url}, not inside`);
  }
});

void t.test('redirects from the internet may not lead into a local network', async (t) => {
  const pins = pinsFor(lookupFrom(NAMES).lookup, true);
  const { signal } = new AbortController();
  const internet = await pins.admit(new URL('http://mixed.example/'), null, signal);
  const lan = await pins.admit(new URL('http://lan.example/'), null, signal);
  const refused = 'address not allowed';
  for (const url of ['http://lan.example/', 'http://10.0.0.1/', 'http://localhost/', 'http://[64:ff9b::a00:1]/']) {
    t.equal(await admit(pins, url, internet), refused, url);
  }
  t.equal(await admit(pins, 'http://public.example/', internet), 'internet 8.8.8.8 2606:4700::1111');
  t.equal(await admit(pins, 'http://10.0.0.1/', lan), 'local 10.0.0.1');
  t.equal(await admit(pins, 'http://public.example/', lan), 'internet 8.8.8.8 2606:4700::1111');
});

void t.test('a name is resolved once; sockets connect to what was judged and to nothing else', async (t) => {
  const { lookup, asked } = lookupFrom(NAMES);
  const pins = pinsFor(lookup, false);
  t.equal(await admit(pins, 'http://rebind.example/'), 'internet 8.8.8.8');
  t.equal(await admit(pins, 'http://rebind.example/again'), 'internet 8.8.8.8');
  t.same(asked, ['rebind.example']);
  t.same(pins.of('rebind.example')?.addresses, [{ address: '8.8.8.8', family: 4 }]);
  t.equal(pins.of('other.example'), undefined);
});

void t.test('who is on the blocklist is left out, and nobody is asked where all are', async (t) => {
  const blocked = new Set(['8.8.8.8']);
  const newPins = () => pinsFor(lookupFrom(NAMES).lookup, true, (address) => blocked.has(address));
  t.equal(await admit(newPins(), 'http://public.example/'), 'internet 2606:4700::1111');
  t.equal(await admit(newPins(), 'http://mixed.example/'), 'local 10.0.0.1 127.0.0.1');
  t.equal(await admit(newPins(), 'http://8.8.8.8/'), 'address on the blocklist');
  t.equal(await admit(newPins(), 'http://[64:ff9b::808:808]/'), 'address on the blocklist', 'translated');
  blocked.add('2606:4700::1111');
  t.equal(await admit(newPins(), 'http://public.example/'), 'address on the blocklist');
});

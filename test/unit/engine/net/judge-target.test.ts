// Which addresses of a host a torrent's requests may go to: by who asks, for what, and what the policy and the blocklist say.
import t from 'tap';
import { isHarmlessPath, judgeTarget } from '../../../../engine/net/judge-target.js';
import { AddressPolicy, parseCidrs } from '../../../../shared-protocol/address-policy.js';

const NOBODY = { mayReachInside: false, isHarmless: true };
const INSIDER = { mayReachInside: true, isHarmless: true };
const policy = new AddressPolicy(parseCidrs(['192.168.7.0/24']), (address) => address === '45.33.32.156');

function judge(addresses: readonly string[], use = NOBODY, blocked: readonly string[] = []): string {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const verdict = judgeTarget(found, { policy, isBlocked: (address) => blocked.includes(address) }, use);
  if (verdict.kind === 'refused') return verdict.reason;
  const where = `${verdict.isInside ? 'inside' : 'outside'}${verdict.isOpen ? ', open' : ''}`;
  return `${where}: ${verdict.addresses.map(({ address }) => address).join(' ')}`;
}

void t.test('whatever is inside is one and the same to those who may not reach it', async (t) => {
  const addresses = [
    ...['127.0.0.1', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::', '10.0.0.1'],
    ...['192.168.1.1', '100.64.0.1', 'fe80::1', 'fd12::1', '169.254.1.1', '45.33.32.156', '169.254.169.254', 'ff02::1'],
  ];
  for (const address of addresses) t.equal(judge([address]), 'address not allowed', address);
  t.equal(judge(['127.0.0.1', '10.0.0.1', '8.8.8.8']), 'outside, open: 8.8.8.8', 'beside others they are left out');
  t.equal(judge(['192.168.7.1']), 'inside, open: 192.168.7.1', 'opened for everybody');
  t.equal(judge([]), 'no address');
});

void t.test('insiders reach inside, but not metadata', async (t) => {
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', 'fd12::1', '45.33.32.156']) {
    t.equal(judge([address], INSIDER), `inside: ${address}`);
  }
  for (const address of ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254']) {
    t.equal(judge([address], INSIDER), 'address not allowed', address);
  }
  t.equal(judge(['10.0.0.1', '8.8.8.8'], INSIDER), 'outside, open: 8.8.8.8', 'a host is of the internet or inside');
  t.equal(judge(['10.0.0.1', '192.168.7.1'], INSIDER), 'inside: 10.0.0.1 192.168.7.1', 'open as a whole or not');
});

void t.test('on this very machine only what is harmless', async (t) => {
  const harmful = { mayReachInside: true, isHarmless: false };
  for (const address of ['127.0.0.1', '0.0.0.0', '::1', '2002:7f00:1::', '45.33.32.156']) {
    t.equal(judge([address], harmful), 'address not allowed', address);
  }
  t.equal(judge(['10.0.0.1', '127.0.0.1'], harmful), 'inside: 10.0.0.1');
});

void t.test('who is on the blocklist is left out', async (t) => {
  t.equal(judge(['8.8.8.8', '1.1.1.1'], NOBODY, ['8.8.8.8']), 'outside, open: 1.1.1.1');
  t.equal(judge(['8.8.8.8'], NOBODY, ['8.8.8.8']), 'address on the blocklist');
  t.equal(judge(['10.0.0.1'], NOBODY, ['10.0.0.1']), 'address not allowed', 'which tells nothing of what is inside');
});

void t.test('harmless paths', async (t) => {
  t.ok(isHarmlessPath('/announce', 'announce'));
  t.ok(isHarmlessPath('/announce.php', 'announce'));
  t.ok(isHarmlessPath('/scrape', 'scrape'));
  for (const path of ['/', '/admin', '/x/announce', '//announce', '/scrape', '/Announce']) {
    t.notOk(isHarmlessPath(path, 'announce'), path);
  }
});

// Which addresses are of the internet, which are inside, and what ranges of --fetch-allow open.
import t, { type Test } from 'tap';
import { cidrs } from '../../../api/cli/option-values.js';
import { AddressPolicy, formatCidr, parseCidrs, type Standing } from '../../../shared-protocol/address-policy.js';
import { OwnAddresses } from '../../../shared-protocol/own-addresses.js';

const PUBLIC = [
  ...['8.8.8.8', '1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111'],
  ...['[2606:4700::1111]', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700::7f00:1', '2606:4700::a9fe:a9fe'],
];

const INSIDE = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...['169.254.0.1', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
  ...['198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '::', '::1', '[::1]', '::ffff:127.0.0.1'],
  ...['::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::c0a8:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1'],
  ...['2002:7f00:1::', '2002:808:808::', 'fc00::1', 'fd00:ec2::253', 'fe80::1', 'fe80::1%eth0', 'fec0::1', '4000::1'],
  ...['5f00::1', '::ffff:0:127.0.0.1'],
];

const METADATA = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', 'fd00:ec2::254'],
  ...['::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '::169.254.169.254', '64:ff9b:1::a9fe:a9fe'],
  ...['::ffff:168.63.129.16', '64:ff9b::a83f:8110'],
];

const NEVER = [...METADATA, '224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'];
const NO_ADDRESS = ['', 'localhost', '1.2.3', '127.1', '0x7f.0.0.1', '010.0.0.1', 'example.org', '%eth0', '[]'];

function check(t: Test, policy: AddressPolicy, addresses: readonly string[], expected: Standing): void {
  for (const address of addresses) t.equal(policy.standingOf(address), expected, address);
}

void t.test('what is public, inside, and nobody to talk to', async (t) => {
  const policy = new AddressPolicy();
  check(t, policy, PUBLIC, 'public');
  check(t, policy, INSIDE, 'inside');
  check(t, policy, [...NEVER, ...NO_ADDRESS], 'never');
});

void t.test('an allowed range opens what is in it and nothing else', async (t) => {
  const policy = new AddressPolicy(cidrs('127.0.0.0/8,fd00::/8,10.1.2.3'));
  check(t, policy, ['127.0.0.1', '127.9.9.9', 'fd12::1', '10.1.2.3', '::ffff:127.0.0.1', '64:ff9b::7f00:1'], 'allowed');
  check(t, policy, ['8.8.8.8'], 'public');
  check(t, policy, ['10.1.2.4', '::1', '2002:7f00:1::', 'fe80::1', '192.168.0.1', '0.0.0.0'], 'inside');
});

void t.test('metadata is opened by its very address only, not by the network that it hides in', async (t) => {
  check(t, new AddressPolicy(cidrs('0.0.0.0/0,::/0')), METADATA, 'never');
  const named = new AddressPolicy(cidrs('169.254.169.254,fd00:ec2::254/128'));
  check(t, named, ['169.254.169.254', 'fd00:ec2::254', '::ffff:169.254.169.254'], 'allowed');
  check(t, named, ['169.254.170.2', '100.100.100.200', '168.63.129.16', '2002:a9fe:a9fe::'], 'never');
});

void t.test("this machine's own addresses are inside, public by number or not", async (t) => {
  const own = new Set(['45.33.32.156', '2a01:4f8::1']);
  const policy = new AddressPolicy(cidrs('45.33.32.157'), (address) => own.has(address));
  check(t, policy, ['45.33.32.156', '2a01:4f8::1', '[2a01:4f8:0::1]', '::ffff:45.33.32.156'], 'inside');
  check(t, policy, ['45.33.32.155', '45.33.32.157', '2a01:4f8::2'], 'public');
  for (const address of ['45.33.32.156', '127.0.0.1', '::1', '0.0.0.0', '::', '2002:7f00:1::', '64:ff9b::7f00:1']) {
    t.equal(policy.isThisMachine(address), true, address);
  }
  for (const address of ['8.8.8.8', '10.0.0.1', 'fd00::1', 'fe80::1', '']) {
    t.equal(policy.isThisMachine(address), false, address);
  }
});

void t.test('interfaces are read anew now and then', async (t) => {
  let nowMs = 0;
  const own = new OwnAddresses(() => nowMs);
  t.equal(own.has('127.0.0.1'), true);
  t.equal(own.has('8.8.8.8'), false);
  nowMs = 60_000;
  t.equal(own.has('127.0.0.1'), true);
});

void t.test('ranges as text and back', async (t) => {
  const texts = ['127.0.0.0/8', 'fd00::/8', '10.1.2.3/32'];
  t.same(parseCidrs(texts).map(formatCidr), texts);
});

// Which addresses may be connected to, with and without ranges of --fetch-allow.
import t from 'tap';
import { mayConnectTo } from '../../../../api/egress/address-policy.js';
import { cidrs } from '../../../../api/option-values.js';

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.15.255.255',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
];

const REFUSED = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...['169.254.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1'],
  ...['192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b::808:808', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '4000::1', '5f00::1', '::ffff:0:127.0.0.1'],
  ...['', 'localhost', '1.2.3', 'example.org'],
];

void t.test('public addresses may be connected to', async (t) => {
  for (const address of PUBLIC) t.ok(mayConnectTo(address, []), address);
});

void t.test('all others may not', async (t) => {
  for (const address of REFUSED) t.notOk(mayConnectTo(address, []), address);
});

void t.test('an allowed range opens what is in it and nothing else', async (t) => {
  const allowed = cidrs('127.0.0.0/8,fd00::/8,10.1.2.3');
  for (const address of ['127.0.0.1', '127.9.9.9', 'fd12::1', '10.1.2.3', '8.8.8.8']) {
    t.ok(mayConnectTo(address, allowed), address);
  }
  for (const address of ['10.1.2.4', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fe80::1', '192.168.0.1']) {
    t.notOk(mayConnectTo(address, allowed), address);
  }
});

void t.test('instance metadata stays closed whatever is allowed', async (t) => {
  const everything = cidrs('0.0.0.0/0,::/0,169.254.169.254');
  for (const address of [
    ...['169.254.169.254', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', 'fd00:ec2::254'],
    ...['::169.254.169.254', '64:ff9b:1::a9fe:a9fe'],
  ]) {
    t.notOk(mayConnectTo(address, everything), address);
  }
  t.ok(mayConnectTo('169.254.169.253', everything));
  t.ok(mayConnectTo('::1', everything));
});

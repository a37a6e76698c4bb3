// Whether a ban of one peer may hit others at its address.
import t from 'tap';
import { parsePeerId, type PeerId } from '../../../../shared-protocol/ids.js';
import { SharedAddresses } from '../../../../engine/peers/shared-addresses.js';

const HOST = '192.0.2.1';
const id = (n: number): PeerId => parsePeerId(n.toString(16).padStart(40, '0'));

void t.test('only where another has a good history', async (t) => {
  const shared = new SharedAddresses();
  t.equal(shared.onOffence(HOST, id(1)), false, 'nobody is known there');
  shared.onGood('192.0.2.2', id(2));
  t.equal(shared.onOffence('192.0.2.2', id(2)), false, 'the offender’s own counts for nothing');
  shared.onGood('192.0.2.3', id(2));
  shared.onGood('192.0.2.3', id(3));
  t.equal(shared.onOffence('192.0.2.3', id(2)), true);
  t.equal(shared.onOffence('192.0.2.3', null), true);
  t.equal(shared.onOffence('192.0.2.3', id(3)), false, 'the last good one');
});

void t.test('an IPv6 network is one address', async (t) => {
  const shared = new SharedAddresses();
  shared.onGood('2001:db8::1', id(1));
  t.equal(shared.onOffence('2001:db8::2', id(2)), true);
  t.ok(shared.hasOffended('2001:db8::3'));
  t.notOk(shared.hasOffended('2001:db8:0:1::3'));
});

void t.test('one id after the other is one poisoner', async (t) => {
  const shared = new SharedAddresses();
  shared.onGood(HOST, id(1));
  const spared = Array.from({ length: 20 }, (_, n) => shared.onOffence(HOST, id(100 + n)));
  t.equal(spared.indexOf(false), 16);
  t.notOk(spared.slice(16).includes(true));
});

void t.test('bounded', async (t) => {
  const shared = new SharedAddresses();
  shared.onOffence(HOST, id(1));
  for (let n = 0; n < 5_000; n++) shared.onGood(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, id(n));
  t.notOk(shared.hasOffended(HOST), 'heard of longest ago');
});

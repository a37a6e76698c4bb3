// BEP 40: the two vectors that it prints, and its rules spelt out as the bytes that are hashed.
import t from 'tap';
import fc from 'fast-check';
import { crc32c } from '../../../../engine/util/crc32c.js';
import { peerPriority } from '../../../../engine/peers/peer-priority.js';

const priority = (a: string, b: string, aPort = 6881, bPort = 6882): number =>
  peerPriority({ host: a, port: aPort }, { host: b, port: bPort });
const hashOf = (hex: string): number => crc32c(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

void t.test('the vectors of BEP 40', async (t) => {
  t.equal(priority('123.213.32.10', '98.76.54.32'), 0xec2d7224);
  t.equal(priority('123.213.32.10', '123.213.32.234'), 0x99568189);
});

void t.test('what is hashed', async (t) => {
  for (const { name, a, b, bytes } of [
    { name: 'different /16', a: '10.20.255.255', b: '10.21.255.170', bytes: '0a145555 0a155500' },
    { name: 'same /16', a: '10.20.255.255', b: '10.20.30.170', bytes: '0a141e00 0a14ff55' },
    { name: 'same /24', a: '10.20.30.255', b: '10.20.30.170', bytes: '0a141eaa 0a141eff' },
    {
      name: 'IPv6, different /48',
      a: '2001:db8:1:ffff::ff',
      b: '2001:db8:2:ffff::aa',
      bytes: '20010db8000155550000000000000055 20010db8000255550000000000000000',
    },
    {
      name: 'IPv6, same /48',
      a: '2001:db8:1:ffff::ff',
      b: '2001:db8:1:2ff::ff',
      bytes: '20010db8000102550000000000000055 20010db80001ff550000000000000055',
    },
    {
      name: 'IPv6, same /56',
      a: '2001:db8:1:ff01::ff',
      b: '2001:db8:1:ff02::ff',
      bytes: '20010db80001ff010000000000000055 20010db80001ff020000000000000055',
    },
    {
      name: 'IPv6, same /120',
      a: '2001:db8::fffe',
      b: '2001:db8::ffff',
      bytes: '20010db800000000000000000000fffe 20010db800000000000000000000ffff',
    },
    {
      name: 'both families',
      a: '10.20.30.255',
      b: '2001:db8::ff',
      // ::ffff:10.20.30.255
      bytes: '0000000000000000 00005555 00141455 20010db8000000000000000000000055',
    },
  ]) {
    t.equal(priority(a, b), hashOf(bytes), name);
    t.equal(priority(b, a), hashOf(bytes), `${name}, the other way round`);
  }
});

void t.test('behind one address the ports decide', async (t) => {
  t.equal(priority('10.0.0.1', '10.0.0.1', 0x4d2, 0x12c), hashOf('012c 04d2'));
  t.equal(priority('10.0.0.1', '::ffff:10.0.0.1', 0x12c, 0x4d2), hashOf('012c 04d2'));
  t.equal(priority('2001:db8::1', '2001:db8:0::1', 0x4d2, 0x12c), hashOf('012c 04d2'));
});

void t.test('both ends agree, whatever the addresses', async () => {
  const host = fc.oneof(fc.ipV4(), fc.ipV6());
  const port = fc.integer({ min: 0, max: 65_535 });
  fc.assert(
    fc.property(host, host, port, port, (a, b, aPort, bPort) => {
      const there = priority(a, b, aPort, bPort);
      return there === priority(b, a, bPort, aPort) && Number.isInteger(there) && there >= 0 && there < 2 ** 32;
    }),
  );
});

void t.test('what is no address has no priority', async (t) => {
  t.equal(priority('', '10.0.0.1'), 0);
  t.equal(priority('10.0.0.1', 'localhost'), 0);
});

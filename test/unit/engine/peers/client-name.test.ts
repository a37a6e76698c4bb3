// BEP 20 peer ids, and the name that BEP 10 lets a client say.
import t from 'tap';
import fc from 'fast-check';
import { clientName } from '../../../../engine/peers/client-name.js';

const hex = (peerId: string): string => Buffer.from(peerId.padEnd(20, 'x'), 'latin1').toString('hex');

void t.test('peer ids', async (t) => {
  for (const [peerId, name] of Object.entries({
    '-qB4630-': 'qBittorrent 4.6.3',
    '-TR4060-': 'Transmission 4.0.6',
    '-LT20B0-': 'libtorrent 2.0.11',
    '-lt0D80-': 'rTorrent 0.13.8',
    '-UT0000-': 'µTorrent 0',
    '-ZZ1234-': 'ZZ 1.2.3.4',
    'A2-1-36-0-': 'aria2 1.36.0',
    'M7-9-2--': 'unknown',
    '-qB463-x': 'unknown',
  })) {
    t.equal(clientName(hex(peerId), null), name, peerId);
  }
});

void t.test('what the client says of itself is preferred', async (t) => {
  const said = (text: string): string => clientName(hex('-qB4630-'), Buffer.from(text));
  t.equal(said('qBittorrent/4.6.3'), 'qBittorrent/4.6.3');
  t.equal(said('µTorrent 1.2'), 'µTorrent 1.2');
  t.equal(said(' \u202eevil\0\n '), 'evil');
  t.equal(said('\u0000'), 'qBittorrent 4.6.3', 'nothing that can be shown');
  t.equal(said(''), 'qBittorrent 4.6.3');
  t.equal(clientName(hex('-qB4630-'), 5), 'qBittorrent 4.6.3');
  t.equal(said('v'.repeat(10_000)).length, 64);
});

void t.test('no bytes give a name that is long or cannot be shown', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.uint8Array({ maxLength: 200 }), (id, said) => {
      const name = clientName(Buffer.from(id).toString('hex'), said);
      return name.length > 0 && name.length <= 64 && !/[\p{Cc}\p{Cf}]/u.test(name);
    }),
  );
});

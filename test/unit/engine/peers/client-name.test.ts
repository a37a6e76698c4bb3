// BEP 20 peer ids, and the name that BEP 10 lets a client say.
import t from 'tap';
import fc from 'fast-check';
import { CLIENT_CODES } from '../../../../engine/peers/client-codes.js';
import { clientName } from '../../../../engine/peers/client-name.js';

const hex = (peerId: string): string => Buffer.from(peerId.padEnd(20, 'x'), 'latin1').toString('hex');

void t.test('peer ids', async (t) => {
  for (const { peerId, name } of [
    // one digit for each number
    { peerId: '-SW0100-', name: 'Swarmd 0.1.0' },
    { peerId: '-qB4630-', name: 'qBittorrent 4.6.3' },
    { peerId: '-qB33G0-', name: 'qBittorrent 3.3.16' },
    { peerId: '-qB4191-', name: 'qBittorrent 4.1.9.1' },
    { peerId: '-qB5000-', name: 'qBittorrent 5.0.0' },
    { peerId: '-LT20B0-', name: 'libtorrent 2.0.11' },
    { peerId: '-lt0D80-', name: 'libTorrent (rTorrent) 0.13.8' },
    { peerId: '-DE13F0-', name: 'Deluge 1.3.15' },
    { peerId: '-DE211s-', name: 'Deluge 2.1.1' },
    { peerId: '-AZ5760-', name: 'Vuze 5.7.6.0' },
    { peerId: '-BI3500-', name: 'BiglyBT 3.5.0.0' },
    { peerId: '-XL0012-', name: 'Xunlei 0.0.1.2' },
    { peerId: '-Lr10X0-', name: 'LibreTorrent 1.0.33' },
    { peerId: '-FD51R\xff-', name: 'Free Download Manager 5.1.27' },
    { peerId: '-FD51\x5d\xc7-', name: 'Free Download Manager' },
    { peerId: '-MG21ab-', name: 'MediaGet 2.1' },
    { peerId: '-FL51FF-', name: 'Folx 5' },
    { peerId: '-S~2100-', name: 'Shareaza 2.1.0.0' },
    // numbers of two digits
    { peerId: '-WW0208-', name: 'WebTorrent 2.8' },
    { peerId: '-WW0110-', name: 'WebTorrent 1.10' },
    { peerId: '-BC0205-', name: 'BitComet 2.05' },
    { peerId: '-BC0171-', name: 'BitComet 1.71' },
    { peerId: '-PI0091-', name: 'PicoTorrent 0.9.1' },
    { peerId: '-PI0250-', name: 'PicoTorrent 0.25.0' },
    // Transmission through the years
    { peerId: '-TR0006-', name: 'Transmission 0.6' },
    { peerId: '-TR0072-', name: 'Transmission 0.72' },
    { peerId: '-TR111Z-', name: 'Transmission 1.11 (dev)' },
    { peerId: '-TR2940-', name: 'Transmission 2.94' },
    { peerId: '-TR3000-', name: 'Transmission 3.00' },
    { peerId: '-TR400B-', name: 'Transmission 4.0.0 (beta)' },
    { peerId: '-TR4060-', name: 'Transmission 4.0.6' },
    { peerId: '-TR4Az0-', name: 'Transmission 4.10.61' },
    // µTorrent and BitTorrent
    { peerId: '-UT0000-', name: 'µTorrent 0.0.0' },
    { peerId: '-UT355W-', name: 'µTorrent 3.5.5' },
    { peerId: '-UT341\0-', name: 'µTorrent 3.4.1' },
    { peerId: '-UT7a5\0-', name: 'µTorrent 7.10.5' },
    { peerId: '-UM1870-', name: 'µTorrent Mac 1.8.7' },
    { peerId: '-UW1110Q', name: 'µTorrent Web 1.1.10' },
    { peerId: '-UT340-', name: 'µTorrent 3.4' },
    { peerId: '-UT341-', name: 'µTorrent 3.4.1' },
    { peerId: '-KT300-', name: 'KTorrent 3.0' },
    { peerId: '-FG0180', name: 'FlashGet 1.80' },
    { peerId: '-FG0180-', name: 'FlashGet 1.80' },
    { peerId: '-BT791B-', name: 'BitTorrent 7.9.1 (beta)' },
    // of their own
    { peerId: '-BL246326', name: 'BitLord 2.4.6-326' },
    { peerId: '-KT33D1-', name: 'KTorrent 3.3 dev 1' },
    { peerId: '-KT22R2-', name: 'KTorrent 2.2 RC 2' },
    { peerId: '-KT5120-', name: 'KTorrent 5.1.2' },
    { peerId: '-ML2.7.2-', name: 'MLDonkey 2.7.2' },
    { peerId: '-BN0001-', name: 'Baidu Netdisk' },
    { peerId: '-ZZ1234-', name: 'ZZ 1.2.3.4' },
    // Shadow's
    { peerId: 'S58B-----', name: 'Shadow 5.8.11' },
    { peerId: 'T03I-----', name: 'BitTornado 0.3.18' },
    { peerId: 'T03A0----', name: 'BitTornado 0.3.10.0' },
    { peerId: 'A310-----', name: 'ABC 3.1.0' },
    // mainline's
    { peerId: 'M7-9-2--', name: 'BitTorrent 7.9.2' },
    { peerId: 'M4-20-8-', name: 'BitTorrent 4.20.8' },
    { peerId: 'Q1-23-4-', name: 'Queen Bee 1.23.4' },
    { peerId: 'A2-1-36-0-', name: 'aria2 1.36.0' },
    { peerId: 'A2-1-18-8-', name: 'aria2 1.18.8' },
    // others
    { peerId: 'TIX0193-', name: 'Tixati 1.93' },
    { peerId: 'TIX0310-', name: 'Tixati 3.10' },
    { peerId: 'FD6k4SYy9BOU4U4rk3-J', name: 'Free Download Manager 6' },
    { peerId: 'XBT054d-', name: 'XBT Client 0.5.4' },
    { peerId: 'Mbrst1-1-3', name: 'burst! 1.1.3' },
    { peerId: 'exbc\x00\x38LORD', name: 'BitLord 0.56' },
    { peerId: 'exbc\x00\x38zD', name: 'BitComet 0.56' },
    { peerId: '\0\x03BS', name: 'BitSpirit 3' },
    // nobody's
    { peerId: '-qB463-x', name: 'unknown' },
    { peerId: '-Z\u00a01234-', name: 'unknown' },
    { peerId: '-ZZ12\x1b4-', name: 'unknown' },
    { peerId: 'S58B+++++', name: 'unknown' },
    { peerId: 'M7-9-x--', name: 'unknown' },
    { peerId: '', name: 'unknown' },
  ]) {
    t.equal(clientName(hex(peerId), null), name, JSON.stringify(peerId));
  }
});

void t.test('each code has two characters and a name', async (t) => {
  for (const [code, { name }] of CLIENT_CODES) t.match(`${code} ${name}`, /^[A-Za-z0-9~]{2} \S.*\S$/, code);
});

void t.test('what the client says of itself is preferred', async (t) => {
  const said = (text: string): string => clientName(hex('-qB4630-'), Buffer.from(text));
  t.equal(said('qBittorrent/4.6.3'), 'qBittorrent/4.6.3');
  t.equal(said('µTorrent 1.2'), 'µTorrent 1.2');
  t.equal(clientName(hex('-qB4630-'), Buffer.from('µTorrent 1.2', 'latin1')), 'µTorrent 1.2', 'not UTF-8');
  t.equal(said(' \u202eevil\0\n '), 'evil');
  t.equal(said('two\nlines\u2028three\u00a0 spaces'), 'two lines three spaces');
  t.equal(said('\u2066hid\u200bden\ufeff\u2069'), 'hidden');
  t.equal(said('\u0000'), 'qBittorrent 4.6.3', 'nothing that can be shown');
  t.equal(said(''), 'qBittorrent 4.6.3');
  t.equal(clientName(hex('-qB4630-'), 5), 'qBittorrent 4.6.3');
  t.equal(said('v'.repeat(10_000)).length, 64);
  t.equal(said('€'.repeat(10_000)), '€'.repeat(64), 'not cut within a character');
  t.equal(said('🐝'.repeat(100)), '🐝'.repeat(64), 'nor within a pair');
});

void t.test('no bytes give a name that is long or cannot be shown', async () => {
  const isShowable = (id: Uint8Array, said: Uint8Array | null): boolean => {
    const name = clientName(Buffer.from(id).toString('hex'), said);
    return name.trim().length > 0 && [...name].length <= 64 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  };
  const id = fc.uint8Array({ minLength: 20, maxLength: 20 });
  fc.assert(fc.property(id, fc.uint8Array({ maxLength: 300 }), isShowable));
  const known = fc
    .tuple(fc.constantFrom(...CLIENT_CODES.keys()), fc.uint8Array({ minLength: 17, maxLength: 17 }), fc.boolean())
    .map(([code, rest, closed]) => {
      const bytes = Buffer.concat([Buffer.from(`-${code}`, 'latin1'), rest]);
      if (closed) bytes[7] = 0x2d;
      return bytes;
    });
  fc.assert(
    fc.property(known, (bytes) => isShowable(bytes, null)),
    { numRuns: 1_000 },
  );
});

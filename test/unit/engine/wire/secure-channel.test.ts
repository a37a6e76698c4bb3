// Whole connections over sockets in memory, encrypted or not by what each side wants.
import t from 'tap';
import type { EncryptionPolicy } from '../../../../shared-protocol/encryption-policy.js';
import { parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { ChannelProtection } from '../../../../engine/wire/secure-channel.js';
import { block, handshake } from '../../../support/frames.js';
import { seededBytes } from '../../../support/make-torrent.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../../support/scripted-peer.js';
import { securityOf } from '../../../support/security.js';

const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const ALICE = parsePeerId('aa'.repeat(20));
const BOB = parsePeerId('bb'.repeat(20));

function pairOf(dialler: EncryptionPolicy, encrypted: boolean, listener: EncryptionPolicy, bobHas = [INFO_HASH]) {
  const [opener, accepted] = new MemoryNetwork().pair();
  const common = { infoHash: INFO_HASH };
  const alice = new RecordedConnection(opener, {
    ...common,
    direction: 'outgoing',
    peerId: ALICE,
    encrypted,
    security: securityOf(dialler, [INFO_HASH], 1),
  });
  const bob = new RecordedConnection(accepted, {
    ...common,
    direction: 'incoming',
    peerId: BOB,
    security: securityOf(listener, bobHas, 2),
  });
  return { alice, bob };
}

const agreements: { dialler: EncryptionPolicy; listener: EncryptionPolicy; protection: ChannelProtection }[] = [
  { dialler: 'preferred', listener: 'preferred', protection: 'handshake' },
  { dialler: 'preferred', listener: 'allowed', protection: 'handshake' },
  { dialler: 'preferred', listener: 'required', protection: 'rc4' },
  { dialler: 'required', listener: 'preferred', protection: 'rc4' },
  { dialler: 'required', listener: 'required', protection: 'rc4' },
  { dialler: 'allowed', listener: 'allowed', protection: 'none' },
  { dialler: 'allowed', listener: 'off', protection: 'none' },
];
for (const { dialler, listener, protection } of agreements) {
  void t.test(`${dialler} dials ${listener}: ${protection}`, async (t) => {
    const { alice, bob } = pairOf(dialler, dialler !== 'allowed', listener);
    await settle();
    t.equal(alice.heard[1], `handshake ${INFO_HASH} ${BOB} fast`);
    t.equal(bob.heard[0], `handshake ${INFO_HASH} ${ALICE} fast`);
    t.same([alice.connection.protection, bob.connection.protection], [protection, protection]);

    alice.connection.sendInterested(true);
    alice.connection.sendRequests([{ piece: 7, begin: 16_384, length: 16_384 }]);
    alice.connection.sendHave(3);
    await settle();
    for (const heard of ['interested', 'request 7 16384 16384', 'have 3']) t.ok(bob.heard.includes(heard), heard);

    const payload = seededBytes(5, 16_384);
    let reusable = false;
    bob.connection.send(block(7, 16_384, payload), () => (reusable = true));
    bob.connection.sendChoke(false);
    await settle();
    t.same(alice.blocks.at(-1)?.bytes, payload, 'a block arrives whole');
    t.ok(alice.heard.includes('unchoke'), 'and what was said behind it');
    t.ok(reusable, 'its buffer is given back');
  });
}

void t.test('many connections one after another leave the constants of the wire alone', async (t) => {
  for (let i = 0; i < 3; i++) {
    const { alice, bob } = pairOf('required', true, 'required');
    await settle();
    bob.connection.sendChoke(false);
    bob.connection.sendKeepAlive();
    bob.connection.sendChoke(true);
    await settle();
    t.ok(alice.heard.includes('unchoke') && alice.heard.includes('choke'), `connection ${i}`);
    t.same(alice.closes, []);
  }
});

void t.test('a plain handshake is refused without a word where encryption is required', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const peer = new ScriptedPeer(opener);
  const security = securityOf('required', [INFO_HASH], 1);
  const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB, security });
  peer.send(handshake({ infoHash: INFO_HASH, peerId: ALICE }));
  await settle();
  t.match(us.closes, [{ reason: 'ENCRYPTION_REQUIRED' }]);
  t.same(
    us.heard.filter((note) => note.startsWith('handshake')),
    [],
  );
  t.equal(peer.handshake.length, 0);
});

void t.test('an encrypted one is refused where encryption is off, and the dialler learns why', async (t) => {
  const { alice, bob } = pairOf('preferred', true, 'off');
  await settle();
  t.match(bob.closes, [{ reason: 'WIRE_NOT_BITTORRENT' }]);
  t.match(alice.closes, [{ reason: 'ENCRYPTION_REFUSED' }]);
});

void t.test('a torrent we do not have ends the handshake', async (t) => {
  const { alice, bob } = pairOf('preferred', true, 'preferred', []);
  await settle();
  t.match(bob.closes, [{ reason: 'MSE_UNKNOWN_TORRENT' }]);
  t.match(alice.closes, [{ reason: 'ENCRYPTION_REFUSED' }]);
});

void t.test('a plain handshake that comes byte by byte is known for what it is', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const peer = new ScriptedPeer(opener);
  const security = securityOf('preferred', [INFO_HASH], 1);
  const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB, security });
  for (const byte of handshake({ infoHash: INFO_HASH, peerId: ALICE })) {
    peer.send(Uint8Array.of(byte));
    await settle();
  }
  t.ok(us.heard[0]?.startsWith('handshake'), us.heard[0]);
  t.equal(us.connection.protection, 'none');
});

void t.test('what was held for the handshake is given back when the connection goes', async (t) => {
  const [opener] = new MemoryNetwork().pair();
  const us = new RecordedConnection(opener, {
    infoHash: INFO_HASH,
    direction: 'outgoing',
    peerId: ALICE,
    encrypted: true,
    security: securityOf('preferred', [INFO_HASH], 1),
  });
  let done = 0;
  us.connection.send(new Uint8Array(100), () => done++);
  us.connection.close('TORRENT_STOPPED');
  await settle();
  t.equal(done, 1);
});

// Messages beyond BEP 3 that are no transfer: the DHT's port (BEP 5), allowed fast (BEP 6), taking back a have (BEP 54)
// and `upload_only` (BEP 21), over connections in memory.
import t from 'tap';
import { parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import {
  createDontHaveExtension,
  createUploadOnlyExtension,
  uploadOnlyMessage,
  type SmallExtensionListener,
} from '../../../../engine/wire/small-extensions.js';
import { extended, extendedHandshake, handshake } from '../../../support/frames.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../../support/scripted-peer.js';

const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const ALICE = parsePeerId('aa'.repeat(20));
const BOB = parsePeerId('bb'.repeat(20));

function recordingListener(): { listener: SmallExtensionListener; heard: string[] } {
  const heard: string[] = [];
  const listener = {
    onDontHave: (piece: number) => void heard.push(`dont-have ${piece}`),
    onUploadOnly: (uploadOnly: boolean) => void heard.push(`upload-only ${uploadOnly}`),
    onInvalid: (reason: string) => void heard.push(`invalid ${reason}`),
  };
  return { listener, heard };
}

async function meet(make: (listener: SmallExtensionListener) => ReturnType<typeof createDontHaveExtension>) {
  const [opener, accepted] = new MemoryNetwork().pair();
  const { listener, heard } = recordingListener();
  const common = { infoHash: INFO_HASH, extension: make(listener) };
  const alice = new RecordedConnection(opener, { ...common, direction: 'outgoing', peerId: ALICE });
  const bob = new RecordedConnection(accepted, { ...common, direction: 'incoming', peerId: BOB });
  await settle();
  return { alice: alice.connection, bob, heard };
}

void t.test('upload_only travels between two that speak it', async (t) => {
  const { alice, heard } = await meet(createUploadOnlyExtension);
  t.ok(alice.sendExtended('upload_only', uploadOnlyMessage(true)));
  t.ok(alice.sendExtended('upload_only', uploadOnlyMessage(false)));
  t.notOk(alice.sendExtended('lt_donthave', new Uint8Array(4)), 'the other does not speak that one');
  await settle();
  t.same(heard, ['upload-only true', 'upload-only false']);
});

void t.test('lt_donthave names a piece', async (t) => {
  const { alice, heard } = await meet(createDontHaveExtension);
  t.ok(alice.sendExtended('lt_donthave', Uint8Array.of(0, 1, 0, 2)));
  await settle();
  t.same(heard, ['dont-have 65538']);
});

void t.test('messages of another length are a violation, not a value', async (t) => {
  for (const [make, lengths] of [
    [createDontHaveExtension, [0, 3, 5, 500]],
    [createUploadOnlyExtension, [0, 2]],
  ] as const) {
    for (const length of lengths) {
      const { alice, heard } = await meet(make);
      alice.sendExtended('lt_donthave', new Uint8Array(length));
      alice.sendExtended('upload_only', new Uint8Array(length));
      await settle();
      t.match(heard[0], /^invalid/, `${length} bytes`);
    }
  }
});

void t.test('port and allowed fast go both ways', async (t) => {
  const { alice, bob } = await meet(createDontHaveExtension);
  alice.sendPort(6_881);
  alice.sendAllowedFast(12);
  await settle();
  t.ok(bob.heard.includes('port 6881'));
  t.ok(bob.heard.includes('allowedFast 12'));
});

void t.test('an id that no message can have is not sent to', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const peer = new ScriptedPeer(opener);
  const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB });
  peer.send(handshake({ infoHash: INFO_HASH, peerId: ALICE, extended: true }));
  peer.send(extendedHandshake({ m: { upload_only: 256, lt_donthave: 0 } }));
  await settle();
  t.notOk(us.connection.sendExtended('upload_only', uploadOnlyMessage(true)), '256 would become the handshake');
  t.notOk(us.connection.sendExtended('lt_donthave', new Uint8Array(4)), '0 withdraws it (BEP 10)');
  peer.send(extended(1, Buffer.from('x')));
  await settle();
  t.same(us.closes, []);
});

// One connection against another and against a raw peer, over sockets in memory: BEP 3, 6 and 10 as they are spoken.
import t from 'tap';
import { parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import {
  block,
  extended,
  extendedHandshake,
  frame,
  handshake,
  KEEP_ALIVE,
  reject,
  request,
} from '../../../support/frames.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection, type RecordedConnectionOptions } from '../../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../../support/scripted-peer.js';

const INFO_HASH = parseInfoHash('0123456789abcdef0123456789abcdef01234567');
const ALICE = parsePeerId('aa'.repeat(20));
const BOB = parsePeerId('bb'.repeat(20));

interface Two {
  readonly alice: RecordedConnection;
  readonly bob: RecordedConnection;
  readonly network: MemoryNetwork;
}

/** Alice connects to Bob; both have shaken hands. */
async function meet(options: Partial<RecordedConnectionOptions> = {}): Promise<Two> {
  const network = new MemoryNetwork();
  const [opener, accepted] = network.pair();
  const common = { infoHash: INFO_HASH, ...options };
  const alice = new RecordedConnection(opener, { ...common, direction: 'outgoing', peerId: ALICE });
  const bob = new RecordedConnection(accepted, { ...common, direction: 'incoming', peerId: BOB });
  await settle();
  return { alice, bob, network };
}

/** Someone raw on the other side of an incoming connection, who has sent a handshake. */
async function meetRaw(
  fields: { fast?: boolean; extended?: boolean } = {},
  options: Partial<RecordedConnectionOptions> = {},
): Promise<{ peer: ScriptedPeer; us: RecordedConnection }> {
  const [opener, accepted] = new MemoryNetwork().pair();
  const peer = new ScriptedPeer(opener);
  const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB, ...options });
  peer.send(handshake({ infoHash: INFO_HASH, peerId: ALICE, ...fields }));
  await settle();
  us.heard.length = 0;
  return { peer, us };
}

void t.test('the handshake goes both ways and enables what both speak', async (t) => {
  const { alice, bob } = await meet({ extendedHandshake: { v: 'Swarmd/1', reqq: 2000, p: 6881 } });
  t.same(alice.heard.slice(0, 2), ['connect', `handshake ${INFO_HASH} ${BOB} fast`]);
  t.same(bob.heard.slice(0, 1), [`handshake ${INFO_HASH} ${ALICE} fast`]);
  for (const { handshakes, connection } of [alice, bob]) {
    t.match(handshakes[0], { reqq: 2000, p: 6881 });
    t.equal(Buffer.from(handshakes[0]?.['v'] as Uint8Array).toString(), 'Swarmd/1');
    t.equal(connection.fast, true);
  }
});

void t.test('a peer without extensions gets no extended handshake', async (t) => {
  const { peer, us } = await meetRaw({ extended: false, fast: false });
  t.same(peer.handshake, handshake({ infoHash: INFO_HASH, peerId: BOB }));
  t.same(peer.frames, []);
  t.equal(us.connection.fast, false);
});

void t.test('every message arrives as what it is, in order', async (t) => {
  const { alice, bob } = await meet();
  bob.heard.length = 0;
  const { connection } = alice;
  connection.sendBitfield(Uint8Array.of(0xa0, 0x01));
  connection.sendHave(3);
  connection.sendInterested(true);
  connection.sendChoke(false);
  connection.sendKeepAlive();
  connection.sendInterested(false);
  connection.sendChoke(true);
  await settle();
  connection.sendRequests([
    { piece: 1, begin: 0, length: 16_384 },
    { piece: 2 ** 31 + 5, begin: 16_384, length: 1 },
  ]);
  connection.sendCancels([{ piece: 1, begin: 0, length: 16_384 }]);
  connection.sendRejects([{ piece: 4, begin: 5, length: 6 }]);
  connection.send(block(9, 32_768, Buffer.from('payload')));
  await settle();
  t.same(bob.heard, [
    'bitfield a001',
    'have 3',
    'interested',
    'unchoke',
    'notInterested',
    'choke',
    'request 1 0 16384',
    `request ${2 ** 31 + 5} 16384 1`,
    'cancel 1 0 16384',
    'reject 4 5 6',
    'blockStart 9 32768 7',
    'blockEnd 9 32768 7',
  ]);
  t.equal(Buffer.from(bob.blocks[0]?.bytes ?? []).toString(), 'payload');
});

void t.test('have-all, have-none and allowed-fast between two that speak the fast extension', async (t) => {
  const { alice, bob } = await meet();
  alice.connection.sendHaveAll();
  bob.connection.sendHaveNone();
  await settle();
  t.equal(bob.heard.at(-1), 'haveAll');
  t.equal(alice.heard.at(-1), 'haveNone');
  const { peer, us } = await meetRaw();
  peer.send(frame(17, [2 ** 32 - 1]), frame(13, [4]));
  await settle();
  t.same(us.heard, [`allowedFast ${2 ** 32 - 1}`]);
});

void t.test('fast messages from a peer that did not offer the extension close it (BEP 6)', async (t) => {
  for (const [name, message] of Object.entries({
    suggest: frame(13, [1]),
    haveAll: frame(14),
    haveNone: frame(15),
    reject: reject(1, 0, 16_384),
    allowedFast: frame(17, [1]),
  })) {
    const { peer, us } = await meetRaw({ fast: false });
    peer.send(message, request(1, 0, 16_384));
    await settle();
    t.same(us.heard, ['close WIRE_FAST_NOT_ENABLED'], name);
    t.not(peer.closed, null, `${name}: the socket is closed`);
  }
});

void t.test('rejects are not sent to a peer without the fast extension', async (t) => {
  const { peer, us } = await meetRaw({ fast: false, extended: false });
  us.connection.sendRejects([{ piece: 1, begin: 0, length: 5 }]);
  await settle();
  t.same(peer.frames, []);
});

void t.test('violations close with their reason, once, and end the stream', async (t) => {
  const tooLong = Buffer.alloc(5);
  tooLong.writeUInt32BE(2 ** 20 + 1);
  for (const [reason, bytes] of Object.entries({
    WIRE_FRAME_TOO_LARGE: tooLong,
    WIRE_MESSAGE_LENGTH: frame(4, [1, 2]),
    WIRE_BLOCK_SIZE: block(0, 0, Buffer.alloc(16_385)),
    WIRE_EXTENSION_INVALID: extended(0, Buffer.from('i5e')),
  })) {
    const { peer, us } = await meetRaw();
    peer.send(bytes, frame(1), request(0, 0, 1));
    await settle();
    t.same(us.heard, [`close ${reason}`]);
    t.equal(us.connection.closed, true);
  }
});

void t.test('what is no BitTorrent is closed as such', async (t) => {
  const other = handshake({ infoHash: INFO_HASH, peerId: ALICE });
  other.write('BitTorrent protocoL', 1, 'latin1');
  for (const bytes of [Buffer.from('GET / HTTP/1.0\r\n\r\n'), other]) {
    const [opener, accepted] = new MemoryNetwork().pair();
    const peer = new ScriptedPeer(opener);
    const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB });
    peer.send(bytes);
    await settle();
    t.same(us.heard, ['close WIRE_NOT_BITTORRENT']);
  }
});

void t.test('an orderly end and a reset are told apart by their detail', async (t) => {
  for (const [how, detail] of [
    ['destroy', ''],
    ['reset', 'read ECONNRESET'],
  ] as const) {
    const [opener, accepted] = new MemoryNetwork().pair();
    new ScriptedPeer(opener).send(handshake({ infoHash: INFO_HASH, peerId: ALICE }));
    const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB });
    await settle();
    opener[how]();
    await settle();
    t.same(us.closes, [{ reason: 'SOCKET_CLOSED', detail }]);
  }
});

void t.test('closing within a callback is the last thing heard', async (t) => {
  const stream = Buffer.concat([frame(2), frame(4, [1]), request(1, 0, 5), block(0, 0, Buffer.alloc(40)), frame(3)]);
  for (const within of ['interested', 'have 1', 'request 1 0 5', 'blockStart 0 0 40', 'blockEnd 0 0 40']) {
    const { peer, us } = await meetRaw(
      {},
      {
        onNote: (note, connection) => {
          if (note === within) connection.close('TORRENT_STOPPED');
        },
      },
    );
    peer.send(stream);
    await settle();
    t.equal(us.heard.at(-1), 'close TORRENT_STOPPED', within);
    t.equal(us.heard.at(-2), within);
    t.equal(us.closes.length, 1);
  }
});

void t.test('a closed connection sends nothing, but says that buffers may be reused', async (t) => {
  const { alice, network } = await meet();
  alice.connection.close('TORRENT_STOPPED');
  let done = 0;
  alice.connection.send(Buffer.alloc(10), () => done++);
  alice.connection.close('BAD_DATA');
  t.equal(done, 1);
  await settle();
  t.same(alice.closes, [{ reason: 'TORRENT_STOPPED', detail: '' }]);
  t.equal(network.openSockets, 0);
});

void t.test('the times of the last bytes either way', async (t) => {
  let nowMs = 1000;
  const { peer, us } = await meetRaw({}, { nowMs: () => nowMs });
  nowMs = 5000;
  peer.send(KEEP_ALIVE);
  await settle();
  t.equal(us.connection.lastReceivedMs, 5000);
  t.equal(us.connection.lastSentMs, 1000);
  nowMs = 6000;
  us.connection.sendKeepAlive();
  await settle();
  t.equal(us.connection.lastSentMs, 6000);
  t.equal(peer.frames.at(-1)?.id, -1);
});

void t.test('messages through the wire and straight ones leave in the order they were sent', async (t) => {
  const { peer, us } = await meetRaw({ extended: false });
  us.connection.sendChoke(false);
  us.connection.sendChoke(true);
  us.connection.sendRejects([{ piece: 1, begin: 0, length: 5 }]);
  await settle();
  // BEP 6: the requests pending at a choke are rejected after it.
  t.same(
    peer.frames.map(({ id }) => id),
    [1, 0, 16],
  );
});

void t.test('unknown messages and extensions are ignored', async (t) => {
  const { peer, us } = await meetRaw();
  peer.send(frame(200, [], Buffer.alloc(100)), extended(77, Buffer.from('whatever')), frame(2));
  await settle();
  t.same(us.heard, ['interested']);
});

void t.test('a handshake and what follows it in the same read are all heard', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const peer = new ScriptedPeer(opener);
  const us = new RecordedConnection(accepted, { infoHash: INFO_HASH, direction: 'incoming', peerId: BOB });
  peer.send(
    Buffer.concat([
      handshake({ infoHash: INFO_HASH, peerId: ALICE }),
      frame(14),
      extendedHandshake({ m: {} }),
      frame(2),
    ]),
  );
  await settle();
  t.same(us.heard, [`handshake ${INFO_HASH} ${ALICE} fast`, 'haveAll', 'extendedHandshake', 'interested']);
});

void t.test('a flood of small messages ends the connection; so many a second do not', async (t) => {
  const floods: Readonly<Record<string, Buffer>> = {
    'keep-alives': KEEP_ALIVE,
    haves: frame(4, [1]),
    'cancels of nothing': frame(8, [1, 0, 16_384]),
    'rejects of nothing': reject(1, 0, 16_384),
    'blocks of no bytes': block(1, 0, Buffer.alloc(0)),
  };
  for (const [name, bytes] of Object.entries(floods)) {
    const { peer, us } = await meetRaw();
    const burst = Buffer.concat(Array<Buffer>(10_000).fill(bytes));
    for (let second = 0; second < 6; second++) {
      peer.send(burst);
      await settle();
      us.connection.tick(1_000);
    }
    t.same(us.closes, [], `${name}: 10,000 a second are borne`);
    for (let i = 0; i < 2; i++) peer.send(burst);
    await settle();
    t.same(
      us.closes.map(({ reason }) => reason),
      ['WIRE_FLOOD'],
      `${name}: 20,000 at once are not`,
    );
  }
});

void t.test('requests and blocks are no flood', async (t) => {
  const { peer, us } = await meetRaw();
  for (let i = 0; i < 8; i++) peer.send(Buffer.concat(Array<Buffer>(10_000).fill(request(1, 0, 16_384))));
  for (let i = 0; i < 40; i++) peer.send(Buffer.concat(Array<Buffer>(1_000).fill(block(1, 0, Buffer.alloc(1_024)))));
  await settle();
  t.same(us.closes, []);
});

void t.test('a peer that reads nothing is closed before what we say piles up', async (t) => {
  const { us } = await meetRaw();
  const rejects = Array.from({ length: 10_000 }, (_, piece) => ({ piece, begin: 0, length: 16_384 }));
  const { connection } = us;
  let unsent = 0;
  // Nothing is taken in this turn.
  for (let i = 0; i < 100 && !connection.closed; i++) {
    unsent = connection.unsentBytes;
    connection.sendRejects(rejects);
  }
  t.same(us.closes, [{ reason: 'SEND_STALLED', detail: 'unsent' }]);
  t.ok(unsent > 3 * 1024 * 1024 && unsent <= 4 * 1024 * 1024, `${unsent} bytes unsent`);
});

// BEP 9 with honest peers and with liars. An honest one delivers the exact dictionary; a liar costs itself the
// connection or its turn, and nothing it sends gets out of the connection as an exception.
import t from 'tap';
import { createHash } from 'node:crypto';
import bencode, { type BencodeInput } from 'bencode';
import { infoHashFromBytes, parsePeerId, type InfoHash } from '../../../../shared-protocol/ids.js';
import { createMetadataExtension, type MetadataExchange } from '../../../../engine/wire/metadata-extension.js';
import { extended, extendedHandshake, handshake } from '../../../support/frames.js';
import { makeTorrent } from '../../../support/make-torrent.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { RecordedConnection } from '../../../support/recorded-connection.js';
import { ScriptedPeer, settle } from '../../../support/scripted-peer.js';
import { SeededRandom } from '../../../support/seeded-random.js';

const US = parsePeerId('aa'.repeat(20));
const THEM = parsePeerId('bb'.repeat(20));
const PIECE = 16 * 1024;

/** 10,240 pieces of one byte: an info dictionary of 200 KiB, 13 metadata pieces. */
const LARGE = makeTorrent({ name: 'large', pieceLength: 1, files: new SeededRandom(3).bytes(10_240) });

/** One side of the exchange, and what it was told. */
class Side {
  /** Pieces that may be served until it is told to go on. */
  mayServe = Infinity;
  readonly infos: Uint8Array[] = [];
  readonly unavailable: string[] = [];
  readonly invalid: string[] = [];
  exchange: MetadataExchange | null = null;
  readonly extension;

  constructor(infoBytes: Uint8Array | null, fetchAtOnce = false) {
    this.extension = createMetadataExtension(infoBytes, {
      onExchange: (exchange) => {
        this.exchange = exchange;
        if (fetchAtOnce) exchange.fetch();
      },
      mayServe: () => this.mayServe-- > 0,
      onInfo: (bytes) => void this.infos.push(bytes),
      onUnavailable: (reason) => void this.unavailable.push(reason),
      onInvalid: (reason) => void this.invalid.push(reason),
    });
  }

  join(
    socket: ConstructorParameters<typeof RecordedConnection>[0],
    direction: 'incoming' | 'outgoing',
    hash: InfoHash,
  ) {
    const peerId = direction === 'outgoing' ? US : THEM;
    return new RecordedConnection(socket, { direction, infoHash: hash, peerId, extension: this.extension });
  }
}

/** We, without metadata and asking for it, with someone raw at the other end. */
async function askRaw(
  infoHash: InfoHash,
  infoBytes: Uint8Array | null = null,
): Promise<{ us: Side; peer: ScriptedPeer; connection: RecordedConnection }> {
  const [opener, accepted] = new MemoryNetwork().pair();
  const us = new Side(infoBytes);
  const connection = us.join(opener, 'outgoing', infoHash);
  const peer = new ScriptedPeer(accepted);
  peer.send(handshake({ infoHash, peerId: THEM }));
  await settle();
  us.exchange?.fetch();
  await settle();
  return { us, peer, connection };
}

const message = (fields: Readonly<Record<string, BencodeInput>>, data: Uint8Array = new Uint8Array(0)): Buffer =>
  extended(1, Buffer.concat([bencode.encode(fields), data]));
const offer = (metadataSize: BencodeInput): Buffer =>
  extendedHandshake({ m: { ut_metadata: 5 }, metadata_size: metadataSize });

/** Pieces asked for with the id that the raw peer gave the extension. */
function asked(peer: ScriptedPeer): number[] {
  return peer.frames
    .filter(({ id, payload }) => id === 20 && payload[0] === 5)
    .map(({ payload }) => bencode.decode(payload.subarray(1)) as { msg_type: number; piece: number })
    .filter(({ msg_type }) => msg_type === 0)
    .map(({ piece }) => piece);
}

void t.test('200 KB of metadata from an honest peer, byte for byte', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const us = new Side(null, true);
  const them = new Side(LARGE.infoBytes);
  us.join(opener, 'outgoing', LARGE.infoHash);
  const theirs = them.join(accepted, 'incoming', LARGE.infoHash);
  await settle();
  t.ok(LARGE.infoBytes.length > 200_000);
  t.equal(us.infos.length, 1);
  t.equal(Buffer.compare(us.infos[0] ?? new Uint8Array(0), LARGE.infoBytes), 0);
  t.same([us.unavailable, us.invalid, them.invalid], [[], [], []]);
  t.same(them.infos, [], 'what is served is no news');
  t.equal(theirs.connection.closed, false);
});

void t.test('asked for only later, after the handshake', async (t) => {
  const [opener, accepted] = new MemoryNetwork().pair();
  const us = new Side(null);
  us.join(opener, 'outgoing', LARGE.infoHash);
  new Side(LARGE.infoBytes).join(accepted, 'incoming', LARGE.infoHash);
  await settle();
  t.equal(us.infos.length, 0);
  us.exchange?.fetch();
  await settle();
  t.equal(us.infos.length, 1);
});

void t.test('what was learnt meanwhile is served; what one does not have is rejected', async (t) => {
  const { us, peer } = await askRaw(LARGE.infoHash);
  peer.send(extendedHandshake({ m: { ut_metadata: 5 } }));
  peer.send(message({ msg_type: 0, piece: 0 }));
  await settle();
  t.same(bencode.decode(peer.frames.at(-1)?.payload.subarray(1) ?? new Uint8Array(0)), { msg_type: 2, piece: 0 });
  us.exchange?.provide(LARGE.infoBytes);
  const last = Math.floor(LARGE.infoBytes.length / PIECE);
  peer.send(message({ msg_type: 0, piece: last }));
  await settle();
  const payload = peer.frames.at(-1)?.payload ?? Buffer.alloc(0);
  const head = bencode.encode({ msg_type: 1, piece: last, total_size: LARGE.infoBytes.length });
  t.same(payload.subarray(1), Buffer.concat([head, LARGE.infoBytes.subarray(last * PIECE)]));
});

void t.test('the extended handshake tells the size of what we have', async (t) => {
  const { peer } = await askRaw(LARGE.infoHash, LARGE.infoBytes);
  t.match(peer.extendedHandshake, { m: { ut_metadata: 1 }, metadata_size: LARGE.infoBytes.length });
});

void t.test('a size that cannot be is no offer', async (t) => {
  for (const size of [0, -1, 2 ** 31, 10_000_001, 'x', [1], { a: 1 }] satisfies BencodeInput[]) {
    const { us, peer, connection } = await askRaw(LARGE.infoHash);
    peer.send(offer(size));
    await settle();
    t.equal(us.unavailable.length, 1, JSON.stringify(size));
    t.same(asked(peer), []);
    t.equal(connection.connection.closed, false);
  }
});

void t.test('the wrong size, or rubbish of the right size: the liar is named, and not asked again', async (t) => {
  for (const size of [LARGE.infoBytes.length, PIECE + 1]) {
    const { us, peer } = await askRaw(LARGE.infoHash);
    peer.send(offer(size));
    await settle();
    const pieces = Math.ceil(size / PIECE);
    t.same(
      asked(peer),
      Array.from({ length: pieces }, (_, i) => i),
    );
    for (let piece = 0; piece < pieces; piece++) {
      const bytes = Buffer.alloc(Math.min(PIECE, size - piece * PIECE), 7);
      peer.send(message({ msg_type: 1, piece, total_size: size }, bytes));
    }
    await settle();
    t.same([us.infos, us.invalid], [[], ['metadata of another hash']]);
    t.equal(asked(peer).length, pieces);
  }
});

void t.test('messages that break the protocol are reported as such', async (t) => {
  const cases: Readonly<Record<string, Buffer>> = {
    'no bencode': extended(1, Buffer.from('hello')),
    empty: extended(1, Buffer.alloc(0)),
    'no piece': message({ msg_type: 1 }),
    'a negative piece': message({ msg_type: 0, piece: -1 }),
    'a piece out of range': message({ msg_type: 1, piece: 611 }),
    'a piece beyond the size it told': message({ msg_type: 1, piece: 3 }, Buffer.alloc(10)),
    'data longer than the rest': message({ msg_type: 1, piece: 1 }, Buffer.alloc(PIECE)),
    'data above 16 KiB': message({ msg_type: 1, piece: 0 }, Buffer.alloc(PIECE + 1)),
    'a nested bomb': extended(1, Buffer.from(`d1:a${'l'.repeat(50_000)}`)),
    'types as strings': message({ msg_type: '1', piece: '0' }),
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const { us, peer } = await askRaw(LARGE.infoHash);
    peer.send(offer(PIECE + 100));
    await settle();
    peer.send(bytes);
    await settle();
    t.equal(us.invalid.length, 1, name);
  }
});

void t.test('strings that are no UTF-8 do not make the message another one', async (t) => {
  // Decoded as text, the bytes behind the first string would read "-04:", a string of negative length.
  const { us, peer } = await askRaw(LARGE.infoHash, LARGE.infoBytes);
  peer.send(offer(100));
  await settle();
  peer.send(extended(1, Buffer.from('d1:a6:\xff\xff-04:8:msg_typei0e5:piecei0ee', 'latin1')));
  await settle();
  t.same(us.invalid, []);
  t.match(peer.frames.at(-1)?.payload.subarray(1, 60).toString('latin1'), /^d8:msg_typei1e5:piecei0e10:total_size/);
});

void t.test('an extension withdrawn while it is being asked is no offer any more', async (t) => {
  const { us, peer } = await askRaw(LARGE.infoHash);
  peer.send(offer(10));
  await settle();
  peer.send(extendedHandshake({ m: { ut_metadata: 0 } }));
  // After a reject the piece would be asked for again.
  peer.send(message({ msg_type: 2, piece: 0 }));
  await settle();
  t.equal(us.unavailable.length >= 1, true);
  us.exchange?.fetch();
  await settle();
  t.same(asked(peer), [0]);
});

void t.test('metadata with the right hash that is no dictionary is handed on for the torrent to judge', async (t) => {
  for (const bytes of [Buffer.from('no bencode'), Buffer.from('l'.repeat(100_000)), Buffer.from('d4:infod1:ai1eee')]) {
    const { us, peer } = await askRaw(infoHashFromBytes(createHash('sha1').update(bytes).digest()));
    peer.send(offer(bytes.length));
    for (let at = 0; at < bytes.length; at += PIECE) {
      peer.send(message({ msg_type: 1, piece: at / PIECE, total_size: bytes.length }, bytes.subarray(at, at + PIECE)));
    }
    await settle();
    t.equal(us.infos.length, 1);
    t.equal(Buffer.compare(us.infos[0] ?? new Uint8Array(0), bytes), 0);
  }
});

void t.test('repeated handshakes do not repeat the requests', async (t) => {
  const { peer } = await askRaw(LARGE.infoHash);
  for (let i = 0; i < 50; i++) peer.send(offer(10_000_000));
  await settle();
  t.equal(asked(peer).length, 611);
});

void t.test('a peer is served the metadata several times over, and no more', async (t) => {
  const small = makeTorrent({ name: 'small', pieceLength: PIECE, files: Buffer.alloc(100) });
  const { us, peer } = await askRaw(small.infoHash, small.infoBytes);
  peer.send(offer(100));
  for (let i = 0; i < 20; i++) peer.send(message({ msg_type: 0, piece: 0 }));
  await settle();
  t.equal(peer.frames.filter(({ id, payload }) => id === 20 && payload[0] === 5).length, 8);
  t.equal(us.invalid.length, 12);
});

void t.test('a peer that does not read is served no further; each piece it waits for once, in order', async (t) => {
  const { us, peer } = await askRaw(LARGE.infoHash, LARGE.infoBytes);
  const sent = (): { msg_type: number; piece: number }[] =>
    peer.frames
      .filter(({ id, payload }) => id === 20 && payload[0] === 5)
      .map(({ payload }) => bencode.decode(payload.subarray(1)) as { msg_type: number; piece: number });
  peer.send(offer(100));
  us.mayServe = 2;
  for (const piece of [4, 3, 5, 5, 3, 6]) peer.send(message({ msg_type: 0, piece }));
  await settle();
  t.same(
    sent().map(({ piece }) => piece),
    [4, 3],
  );
  us.mayServe = 1;
  us.exchange?.serve();
  await settle();
  t.same(
    sent().map(({ piece }) => piece),
    [4, 3, 5],
  );
  us.mayServe = Infinity;
  us.exchange?.serve();
  await settle();
  t.same(
    sent().map(({ piece }) => piece),
    [4, 3, 5, 3, 6],
  );
  peer.send(message({ msg_type: 0, piece: 13 }));
  await settle();
  t.same(sent().at(-1), { msg_type: 2, piece: 13 }, 'there is no such piece');
});

void t.test('endless rejects end the attempt', async (t) => {
  const { us, peer } = await askRaw(LARGE.infoHash);
  peer.send(offer(PIECE));
  for (let i = 0; i < 50; i++) peer.send(message({ msg_type: 2, piece: 0 }));
  await settle();
  t.ok(asked(peer).length <= 4);
  t.ok(us.unavailable.length > 0);
});

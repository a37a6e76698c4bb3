// Strangers who mean harm, against a node of ours on a loopback socket (docs/limits.md 2.19).
import t from 'tap';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { eventually, startDhtNode } from '../../../support/dht-network.js';
import { startStranger, type Krpc } from '../../../support/dht-stranger.js';

const INFO_HASH = parseInfoHash('5a'.repeat(20));
const HASH_BYTES = Buffer.from(INFO_HASH, 'hex');
const TARGET = new Uint8Array(20).fill(0x11);

function errorCode(answer: Krpc | null): unknown {
  return answer?.y === 'e' ? answer.e?.[0] : undefined;
}

function tokenOf(answer: Krpc | null): Uint8Array {
  const token = answer?.r?.token;
  if (!(token instanceof Uint8Array)) throw new Error('answer without token');
  return token;
}

void t.test('a flood is cut off after 50 messages, answered within the budget; others are served', async (t) => {
  const { node } = await startDhtNode();
  const flooders = await Promise.all([1, 2, 3].map((n) => startStranger({ host: `127.0.1.${n}` })));
  const query = Buffer.from(`d1:ad2:id20:${'f'.repeat(20)}6:target20:${'x'.repeat(20)}e1:q9:find_node1:t2:aa1:y1:qe`);
  for (let round = 0; round < 400; round++) {
    for (const flooder of flooders) flooder.send(node.port, query);
    if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const victim = await startStranger({ host: '127.0.1.9' });
  t.equal((await victim.ask(node.port, 'ping'))?.y, 'r', 'another is answered meanwhile');
  await eventually(() => node.stats().traffic.received >= 1_201, 2_000);
  const { flooding, received, replyBytesSent } = node.stats().traffic;
  t.ok(flooding >= received - 3 * 49 - 60, `${flooding} of ${received} ignored`);
  t.ok(replyBytesSent <= 24_000 + 2 * 8_000, `${replyBytesSent} bytes sent`);
  for (const flooder of flooders) {
    const answers = flooder.received.filter(({ y }) => y === 'r').length;
    t.ok(answers > 0 && answers <= 49, `${answers} answered`);
    t.equal(await flooder.ask(node.port, 'ping', {}, 100), null, 'blocked for good');
  }
  await Promise.all([node.close(), victim.close(), ...flooders.map((flooder) => flooder.close())]);
});

void t.test('announcing takes the token that this address was given', async (t) => {
  const { node } = await startDhtNode();
  const [one, two] = [await startStranger(), await startStranger({ host: '127.0.1.2', idByte: 3 })];
  const announce = { info_hash: HASH_BYTES, port: 7000 };
  const got = await one.ask(node.port, 'get_peers', { info_hash: HASH_BYTES });
  const token = tokenOf(got);

  t.equal(errorCode(await one.ask(node.port, 'announce_peer', { ...announce, token: 'wrong' })), 203, 'wrong token');
  t.equal(errorCode(await two.ask(node.port, 'announce_peer', { ...announce, token })), 203, "another's token");
  t.equal((await one.ask(node.port, 'get_peers', { info_hash: HASH_BYTES }))?.r?.values, undefined, 'nothing stored');
  t.equal((await one.ask(node.port, 'announce_peer', { ...announce, token }))?.y, 'r', 'the right one');
  const values = (await two.ask(node.port, 'get_peers', { info_hash: HASH_BYTES }))?.r?.values;
  t.same(values, [Buffer.from([127, 0, 0, 1, 7000 >> 8, 7000 & 0xff])]);
  t.equal((await one.ask(node.port, 'announce_peer', { ...announce, token, implied_port: 1 }))?.y, 'r');
  const both = (await two.ask(node.port, 'get_peers', { info_hash: HASH_BYTES }))?.r?.values;
  t.ok(Array.isArray(both) && both.length === 2, 'the implied port is a peer too');
  await Promise.all([node.close(), one.close(), two.close()]);
});

void t.test('replies to nothing, with a wrong id, or from somewhere else are ignored', async (t) => {
  const { node } = await startDhtNode();
  const [silent, forger] = [await startStranger({ answer: () => null }), await startStranger({ host: '127.0.1.2' })];
  node.addNode({ host: silent.host, port: silent.port });
  t.ok(await eventually(() => silent.received.length === 1), 'asked');
  const id = forger.id;
  const asked = silent.received[0]!;
  t.equal(asked.t.length, 4, 'a transaction id of chance');
  forger.sendMessage(node.port, { t: asked.t, y: 'r', r: { id } });
  for (let guess = 1; guess < 20; guess++) {
    silent.sendMessage(node.port, { t: Buffer.from([0, guess]), y: 'r', r: { id } });
  }
  t.ok(await eventually(() => node.stats().traffic.unsolicited === 20), 'all seen and dropped');
  t.equal(node.nodeCount, 0);
  silent.sendMessage(node.port, { t: asked.t, y: 'r', r: { id: silent.id } });
  t.ok(await eventually(() => node.nodeCount === 1), 'the true reply counts');
  silent.sendMessage(node.port, { t: asked.t, y: 'r', r: { id } });
  t.ok(await eventually(() => node.stats().traffic.unsolicited === 21), 'once');
  await Promise.all([node.close(), silent.close(), forger.close()]);
});

void t.test('queriers become nodes only by answering, and never when they say they are read-only', async (t) => {
  const { node } = await startDhtNode();
  const id = new Uint8Array(20).fill(9);
  const mute = await startStranger({ host: '127.0.1.3' });
  const readOnly = await startStranger({ host: '127.0.1.4', answer: () => ({}) });
  const willing = await startStranger({ host: '127.0.1.5', answer: () => ({}) });
  readOnly.sendMessage(node.port, { t: 'ro', y: 'q', q: 'ping', a: { id }, ro: 1 });
  await mute.ask(node.port, 'ping');
  await willing.ask(node.port, 'ping');
  t.ok(await eventually(() => node.nodeCount === 1), 'the willing one');
  t.same(
    [mute, readOnly, willing].map(({ received }) => received.filter(({ q }) => q === 'ping').length > 0),
    [true, false, true],
    'who was pinged',
  );
  await Promise.all([node.close(), mute.close(), readOnly.close(), willing.close()]);
});

void t.test('BEP 44 and unknown queries are not answered', async (t) => {
  const { node } = await startDhtNode();
  const stranger = await startStranger();
  t.equal(await stranger.ask(node.port, 'get', { target: TARGET }, 100), null);
  t.equal(await stranger.ask(node.port, 'put', { token: 'x', v: 'y' }, 100), null);
  t.equal(await stranger.ask(node.port, 'vote', { target: TARGET }, 100), null);
  t.equal(node.stats().traffic.unknownQueries, 3);
  const pong = await stranger.ask(node.port, 'ping');
  t.equal(pong?.y, 'r');
  await Promise.all([node.close(), stranger.close()]);
});

void t.test('500 peers of a torrent: a reply names 100, in one datagram', async (t) => {
  const { node } = await startDhtNode();
  let stored = 0;
  for (let host = 1; host <= 20; host++) {
    const stranger = await startStranger({ host: `127.0.3.${host}` });
    const token = tokenOf(await stranger.ask(node.port, 'get_peers', { info_hash: HASH_BYTES }));
    for (let port = 7000; port < 7010; port++) {
      const answer = await stranger.ask(node.port, 'announce_peer', { info_hash: HASH_BYTES, token, port });
      if (answer?.y === 'r') stored++;
    }
    await stranger.close();
  }
  t.equal(stored, 20 * 8, 'eight ports of each host');
  t.equal(node.stats().traffic.notStored, 20 * 2);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const seeker = await startStranger({ host: '127.0.3.100' });
  const answer = await seeker.ask(node.port, 'get_peers', { info_hash: HASH_BYTES });
  const values = answer?.r?.values;
  const count = Array.isArray(values) ? values.length : 0;
  t.ok(count > 20 && count <= 100, `${count} peers`);
  t.ok((answer?.bytes ?? 0) <= 1_400, `${answer?.bytes} bytes`);
  await Promise.all([node.close(), seeker.close()]);
});

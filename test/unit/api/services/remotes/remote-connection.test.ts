// The connection to a remote over real WebSockets on loopback: when it is tried again, and what ends it. Time is the test's.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { WebSocket, WebSocketServer } from 'ws';
import type { RemoteState } from '../../../../../shared-protocol/dto/remotes.js';
import { HandshakeRefused } from '../../../../../api/egress/pinned-websocket.js';
import { RemoteConnection } from '../../../../../api/services/remotes/remote-connection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

async function start(t: Test) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, autoPong: false });
  await once(server, 'listening');
  t.teardown(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new VirtualClock();
  const states: [RemoteState, string | null][] = [];
  const heard: string[] = [];
  let [opened, failure]: [number, Error | null] = [0, null];
  let tell: () => void = () => undefined;
  /** Until it resolves a message is not understood yet. */
  const taking = { done: Promise.resolve() };
  const connection = new RemoteConnection({
    clock,
    random: () => 0.999_999,
    open: async () => {
      opened++;
      if (failure) throw failure;
      const socket = new WebSocket(url);
      // At once: what comes with the handshake is not to be missed.
      socket.once('open', () => socket.pause());
      await once(socket, 'open');
      return socket;
    },
    onMessage: (bytes) => {
      const text = Buffer.from(bytes).toString();
      if (text === 'bad') return Promise.reject(new Error('what it tells is not valid'));
      heard.push(text);
      tell();
      return taking.done;
    },
    onState: (state, reason) => {
      states.push([state, reason]);
      tell();
    },
  });
  t.teardown(() => connection.stop());
  /** Resolves when it is so. */
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((resolve) => (tell = resolve));
  };
  return {
    ...{ server, clock, connection, states, heard, taking, until },
    opened: () => opened,
    fail: (error: Error | null) => void (failure = error),
    last: () => states.at(-1),
    client: () => [...server.clients][0]!,
  };
}

void t.test('it is connected, hears, and comes again when the other side ends', async (t) => {
  const { server, clock, connection, states, heard, until, last, client } = await start(t);
  connection.start();
  t.same(last(), ['connecting', null]);
  const [first] = (await once(server, 'connection')) as [WebSocket];
  await until(() => last()?.[0] === 'connected');
  first.send('one');
  first.send('two');
  await until(() => heard.length === 2);
  t.same(heard, ['one', 'two']);
  client().close();
  await until(() => last()?.[0] === 'unreachable');
  t.same(last(), ['unreachable', 'connection closed']);
  const again = once(server, 'connection');
  await clock.advance(1_000);
  await again;
  await until(() => states.filter(([state]) => state === 'connected').length === 2);
});

void t.test('longer and longer pauses, thirty seconds at most', async (t) => {
  const { clock, connection, until, states, opened, fail } = await start(t);
  fail(new Error('secret detail'));
  connection.start();
  const away = () => states.filter(([state]) => state === 'unreachable').length;
  for (const [tries, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    await until(() => away() === tries + 1);
    await clock.advance(pauseMs - 10);
    t.equal(opened(), tries + 1, `not before ${pauseMs} ms`);
    await clock.advance(10);
    t.equal(opened(), tries + 2);
  }
  t.same(states.at(-1), ['unreachable', 'connection failed'], 'of our own errors nothing is told');
});

void t.test('a key that is refused is tried once a minute', async (t) => {
  const { clock, connection, until, last, opened, fail } = await start(t);
  fail(new HandshakeRefused(401));
  connection.start();
  await until(() => last()?.[0] === 'refused');
  t.same(last(), ['refused', 'it refuses the key (HTTP 401)']);
  await clock.advance(59_000);
  t.equal(opened(), 1);
  await clock.advance(1_000);
  t.equal(opened(), 2);
});

void t.test('one that speaks nonsense is left alone for a minute', async (t) => {
  const { server, clock, connection, until, last, opened } = await start(t);
  connection.start();
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  socket.send('bad');
  await until(() => last()?.[0] === 'unreachable');
  t.same(last(), ['unreachable', 'what it tells is not valid']);
  await clock.advance(59_000);
  t.equal(opened(), 1);
});

void t.test('one that is silent is not there', async (t) => {
  const { server, clock, connection, until, last } = await start(t);
  connection.start();
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  await until(() => last()?.[0] === 'connected');
  const pinged = once(socket, 'ping');
  await clock.advance(5_000);
  await pinged;
  // It is asked, and does not answer: the server of this test sends no pongs.
  await clock.advance(10_000);
  await until(() => last()?.[0] === 'unreachable');
  t.same(last(), ['unreachable', 'it does not answer']);
});

void t.test('one whose message takes long to be understood is not silent', async (t) => {
  const { server, clock, connection, heard, taking, until, last } = await start(t);
  let understood: () => void = () => undefined;
  taking.done = new Promise((resolve) => (understood = resolve));
  connection.start();
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  await until(() => last()?.[0] === 'connected');
  socket.send('long');
  await until(() => heard.length === 1);
  await clock.advance(60_000);
  t.equal(socket.readyState, WebSocket.OPEN, 'what it said meanwhile was not read');
  understood();
  await clock.advance(14_000);
  socket.send('short');
  await until(() => heard.length === 2);
  t.same(last(), ['connected', null]);
  await clock.advance(20_000);
  await until(() => last()?.[0] === 'unreachable');
  t.same(last(), ['unreachable', 'it does not answer'], 'silent from then on');
});

void t.test('stopped, it does nothing any more', async (t) => {
  const { server, clock, connection, until, last, opened, client } = await start(t);
  connection.start();
  await once(server, 'connection');
  await until(() => last()?.[0] === 'connected');
  const closed = once(client(), 'close');
  connection.stop();
  await closed;
  await clock.advance(120_000);
  t.same([last()?.[0], opened()], ['connected', 1]);
});

void t.test('after a long message it listens to no more for a while', async (t) => {
  const { server, clock, connection, heard, until, last } = await start(t);
  connection.start();
  const [socket] = (await once(server, 'connection')) as [WebSocket];
  await until(() => last()?.[0] === 'connected');
  socket.send('x'.repeat(96 * 1024 * 1024));
  await until(() => heard.length === 1);
  socket.send('next');
  const pinged = once(socket, 'ping');
  await clock.advance(5_000);
  await pinged;
  t.equal(heard.length, 1, 'not while it still speaks itself');
  await clock.advance(1_000);
  await until(() => heard.length === 2);
  t.equal(heard[1], 'next');
});

// Which connection yields when there are too many, over real sockets of several loopback addresses.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { Connections } from '../../../../api/http/connections.js';

interface Crowd {
  readonly connections: Connections;
  /** Comes and is let in, or not: both ends. */
  come(from: string): Promise<Visitor>;
}

interface Visitor {
  readonly accepted: Socket;
  readonly closed: Promise<unknown>;
  isOpen(): boolean;
}

async function crowd(t: Test, max: number, isShared: (address: string) => boolean = () => false): Promise<Crowd> {
  const connections = new Connections({ max, isShared });
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    connections.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const visitors: Socket[] = [];
  t.teardown(() => {
    visitors.forEach((socket) => socket.destroy());
    server.close();
  });
  return {
    connections,
    come: async (from) => {
      const client = connect({ port, host: '127.0.0.1', localAddress: from });
      client.on('error', () => undefined).resume();
      visitors.push(client);
      const closed = once(client, 'close');
      const [accepted] = (await once(server, 'connection')) as [Socket];
      return { accepted, closed, isOpen: () => !accepted.destroyed };
    },
  };
}

void t.test('of one address a few, the longest silent yields', async (t) => {
  const { come, connections } = await crowd(t, 16);
  const [first, second, third, fourth] = [
    await come('127.0.0.2'),
    await come('127.0.0.2'),
    await come('127.0.0.2'),
    await come('127.0.0.2'),
  ];
  const other = await come('127.0.0.3');
  const isDone = connections.began(first.accepted);
  await come('127.0.0.2');
  await second.closed;
  t.ok(first.isOpen(), 'which was here longer, and asks for something');
  isDone();
  await come('127.0.0.2');
  await third.closed;
  t.ok(first.isOpen(), 'and has asked for something since');
  connections.vouch(fourth.accepted);
  for (let count = 0; count < 8; count++) await come('127.0.0.2');
  await first.closed;
  t.ok(fourth.isOpen(), 'who has shown credentials is not counted');
  t.ok(other.isOpen());
  t.equal(connections.size, 6);
});

void t.test('of all so many: strangers yield, then idle ones of accounts, never their requests', async (t) => {
  const { come, connections } = await crowd(t, 3, () => true);
  const [busy, idle, stranger] = [await come('127.0.0.2'), await come('127.0.0.2'), await come('127.0.0.2')];
  for (const { accepted } of [busy, idle]) connections.vouch(accepted);
  connections.began(busy.accepted);
  connections.began(stranger.accepted);
  const next = await come('127.0.0.2');
  await stranger.closed;
  t.ok(idle.isOpen());
  connections.vouch(next.accepted);
  connections.began(next.accepted);
  const last = await come('127.0.0.2');
  await idle.closed;
  connections.vouch(last.accepted);
  connections.began(last.accepted);
  await (
    await come('127.0.0.2')
  ).closed;
  t.same(
    [busy, next, last].map((one) => one.isOpen()),
    [true, true, true],
    'the new one is turned away',
  );
  t.equal(connections.size, 3);
});

void t.test('what has closed is forgotten', async (t) => {
  const { come, connections } = await crowd(t, 3);
  const { accepted } = await come('127.0.0.2');
  const ended = connections.began(accepted);
  accepted.destroy();
  await once(accepted, 'close');
  ended();
  t.equal(connections.size, 0);
  connections.add(accepted);
  connections.vouch(accepted);
  t.equal(connections.size, 0, 'one that was gone when it came');
});

// The network in memory keeps the promises of engine/environment.ts, since tests of everything above it lean on them.
import t from 'tap';
import type { PeerSocket, PeerSocketHandler } from '../../../engine/environment.js';
import { MemoryNetwork } from '../../support/memory-network.js';
import { settle } from '../../support/scripted-peer.js';
import { VirtualClock } from '../../support/virtual-clock.js';

class Ear implements PeerSocketHandler {
  readonly heard: string[] = [];
  constructor(socket: PeerSocket) {
    socket.setHandler(this);
  }
  onConnect(): void {
    this.heard.push('connect');
  }
  onData(bytes: Uint8Array): void {
    this.heard.push(`data ${Buffer.from(bytes).toString()}`);
  }
  onDrain(): void {
    this.heard.push('drain');
  }
  onClose(reason: string): void {
    this.heard.push(`close ${reason}`);
  }
}

void t.test('a connection takes one round trip, bytes take half of one', async (t) => {
  const clock = new VirtualClock();
  const network = new MemoryNetwork({ clock, latencyMs: 10 });
  const accepted: Ear[] = [];
  const listener = await network.host('10.0.0.2').listen('0.0.0.0', 6881, (socket) => {
    accepted.push(new Ear(socket));
    t.same(socket.remote.host, '10.0.0.1');
    socket.write(Buffer.from('hello'));
  });
  const socket = network.host('10.0.0.1').connect({ host: '10.0.0.2', port: 6881 });
  const ear = new Ear(socket);
  socket.write(Buffer.from('early'));
  await clock.advance(19);
  t.same(ear.heard, []);
  await clock.advance(1);
  t.same(ear.heard, ['connect', 'drain', 'data hello']);
  await clock.advance(9);
  t.same(accepted[0]?.heard, ['drain']);
  await clock.advance(1);
  t.same(accepted[0]?.heard, ['drain', 'data early']);
  socket.destroy();
  await clock.advance(10);
  t.same(accepted[0]?.heard.at(-1), 'close ');
  t.equal(ear.heard.at(-1), 'close ');
  await listener.close();
  t.same([network.openSockets, network.listeners, clock.pendingTimers], [0, 0, 0]);
});

void t.test('nobody listens, or somebody does already', async (t) => {
  const network = new MemoryNetwork();
  const ear = new Ear(network.host('10.0.0.1').connect({ host: '10.0.0.9', port: 1 }));
  await settle();
  t.same(ear.heard, ['close connect ECONNREFUSED 10.0.0.9:1']);
  const host = network.host('10.0.0.2');
  const { port } = await host.listen('', 0, () => undefined);
  await t.rejects(
    host.listen('', port, () => undefined),
    { code: 'LISTEN_FAILED' },
  );
});

void t.test('one that does not read holds its sender up; every byte arrives once it does', async (t) => {
  const network = new MemoryNetwork({ windowBytes: 8, readBytes: 3 });
  const [sender, reader] = network.pair();
  const from = new Ear(sender);
  const to = new Ear(reader);
  reader.pauseReading();
  let done = 0;
  sender.write(Buffer.from('0123456'), () => done++);
  sender.write(Buffer.from('789abcdef'), () => done++);
  t.equal(sender.bufferedBytes, 16);
  await settle();
  t.same([sender.bufferedBytes, done], [8, 1]);
  t.same(from.heard, ['connect'], 'no drain yet');
  reader.resumeReading();
  await settle();
  t.same([sender.bufferedBytes, done], [0, 2]);
  t.equal(to.heard.map((line) => line.slice('data '.length)).join(''), '0123456789abcdef');
  t.same(from.heard, ['connect', 'drain']);
});

void t.test('what is on its way still arrives after destroy, not after reset; done runs either way', async (t) => {
  for (const [how, expected] of [
    ['destroy', ['data abc', 'close ']],
    ['reset', ['close read ECONNRESET']],
  ] as const) {
    const clock = new VirtualClock();
    const [left, right] = new MemoryNetwork({ clock, latencyMs: 5, windowBytes: 3 }).pair();
    const [here, there] = [new Ear(left), new Ear(right)];
    await clock.advance(5);
    let done = 0;
    left.write(Buffer.from('abcdef'), () => done++);
    await clock.advance(1);
    left[how]();
    left.write(Buffer.from('x'), () => done++);
    await clock.advance(10);
    t.same(there.heard, expected);
    t.same(here.heard, ['connect', 'close ']);
    t.equal(done, 2);
  }
});

void t.test('a sender that reuses its buffer too early, and a reader that keeps a view, are found out', async (t) => {
  const [sender, reader] = new MemoryNetwork().pair();
  const kept: Uint8Array[] = [];
  new Ear(sender);
  reader.setHandler({
    onConnect: () => undefined,
    onData: (bytes) => {
      t.equal(Buffer.from(bytes).toString(), 'BBBB');
      kept.push(bytes);
    },
    onDrain: () => undefined,
    onClose: () => undefined,
  });
  const buffer = Buffer.from('AAAA');
  sender.write(buffer);
  buffer.fill('B');
  await settle();
  t.not(Buffer.from(kept[0] ?? []).toString(), 'BBBB');
});

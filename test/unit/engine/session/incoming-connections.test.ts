// Connections that have not said yet what they want (docs/limits.md 2.10): few at any time, none for longer than 10 s,
// and whoever says nothing keeps nobody out.
import t from 'tap';
import { parsePeerId } from '../../../../shared-protocol/ids.js';
import {
  IncomingConnections,
  MAX_PENDING,
  MAX_PENDING_PER_NETWORK,
} from '../../../../engine/session/incoming-connections.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { handshake } from '../../../support/frames.js';
import { MemoryNetwork } from '../../../support/memory-network.js';
import { ScriptedPeer } from '../../../support/scripted-peer.js';
import { plainSecurity } from '../../../support/security.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const HASH = 'ab'.repeat(20);
const PORT = 6881;

class Door {
  readonly clock = new VirtualClock();
  readonly network = new MemoryNetwork({ clock: this.clock });
  readonly handed: string[] = [];
  room = 1_000;
  isKnown = true;
  readonly incoming = new IncomingConnections({
    clock: this.clock,
    log: QUIET,
    peerId: parsePeerId('cd'.repeat(20)),
    room: () => this.room,
    isBanned: (host) => host === '9.9.9.9',
    connections: { nowMs: () => this.clock.nowMs(), security: plainSecurity() },
    hand: (_infoHash, connection) => {
      this.handed.push(connection.remote.host);
      return this.isKnown;
    },
  });

  async open(): Promise<this> {
    await this.network.host('10.0.0.1').listen('10.0.0.1', PORT, (socket) => this.incoming.accept(socket));
    return this;
  }

  async knock(host: string): Promise<ScriptedPeer> {
    const peer = new ScriptedPeer(this.network.connectFrom(host, { host: '10.0.0.1', port: PORT }));
    await this.clock.settle();
    return peer;
  }

  async pass(ms: number): Promise<void> {
    for (let second = 0; second < ms; second += 1_000) {
      await this.clock.advance(1_000);
      this.incoming.tick(this.clock.nowMs());
    }
    await this.clock.settle();
  }
}

const hello = (): Buffer => handshake({ infoHash: HASH, peerId: 'ee'.repeat(20) });

void t.test(
  'a thousand that say nothing: 256 wait, the longest silent goes first, and a newcomer comes in',
  async (t) => {
    const door = await new Door().open();
    const silent: ScriptedPeer[] = [];
    for (let i = 0; i < 1_000; i++) silent.push(await door.knock(`10.1.${i >> 8}.${i & 255}`));
    t.equal(door.incoming.pending, MAX_PENDING);
    t.same(
      silent.map(({ closed }) => closed === null),
      silent.map((_, i) => i >= 1_000 - MAX_PENDING),
    );
    const honest = await door.knock('10.0.0.9');
    honest.send(hello());
    await door.clock.settle();
    t.same(door.handed, ['10.0.0.9']);
    await door.pass(10_000);
    t.equal(door.incoming.pending, 0);
    t.ok(silent.every(({ closed }) => closed !== null));
  },
);

void t.test('who dribbles has no longer than who says nothing', async (t) => {
  const door = await new Door().open();
  const dribbler = await door.knock('10.0.0.7');
  const bytes = hello();
  for (let i = 0; i < 9; i++) {
    dribbler.send(bytes.subarray(i, i + 1));
    await door.pass(1_000);
  }
  t.equal(dribbler.closed, null);
  await door.pass(1_000);
  t.equal(dribbler.closed, '');
});

void t.test('of one public network only so many; neighbours share an address', async (t) => {
  const door = await new Door().open();
  for (let i = 0; i < 20; i++) await door.knock(i % 2 === 0 ? '8.8.8.8' : '2001:db8::1');
  t.equal(door.incoming.pending, 2 * MAX_PENDING_PER_NETWORK, 'documentation addresses are public, too');
  for (let i = 0; i < 20; i++) await door.knock('192.168.0.7');
  t.equal(door.incoming.pending, 2 * MAX_PENDING_PER_NETWORK + 20);
});

void t.test('no more than the session has room for, and none without', async (t) => {
  const door = await new Door().open();
  door.room = 3;
  const peers: ScriptedPeer[] = [];
  for (let i = 0; i < 5; i++) peers.push(await door.knock('10.0.0.7'));
  t.equal(door.incoming.pending, 3);
  door.room = 0;
  peers[4]?.send(hello());
  await door.clock.settle();
  t.equal(peers[4]?.closed, '', 'others have taken the room meanwhile');
  const last = await door.knock('10.0.0.8');
  t.equal(last.closed, '');
  t.equal((await door.knock('9.9.9.9')).closed, '');
  t.same(door.handed, []);
  t.equal(door.incoming.pending, 2);
});

void t.test('a peer that names a torrent of ours shows that peers reach us, until there is another way', async (t) => {
  const door = await new Door().open();
  door.isKnown = false;
  (await door.knock('1.2.3.4')).send(hello());
  await door.clock.settle();
  t.same(door.handed, ['1.2.3.4']);
  t.notOk(door.incoming.hasCome, 'it named another');
  door.isKnown = true;
  (await door.knock('1.2.3.5')).send(hello());
  await door.clock.settle();
  t.ok(door.incoming.hasCome);
  door.incoming.closeAll();
  t.notOk(door.incoming.hasCome);
});

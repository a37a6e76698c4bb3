// Lists in deltas, through the hub: whatever happens and however slowly somebody reads, a client that applies what it gets
// has the list as it was in full with that frame, and has it as it is in the end.
import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import t from 'tap';
import { firstAdmin, type Account } from '../../../../api/auth/account.js';
import type { Deflate } from '../../../../api/torrent-list/deflate/deflated-part.js';
import { DeflatedLists } from '../../../../api/torrent-list/deflated-lists.js';
import { Library } from '../../../../api/services/library/library.js';
import { Snapshots } from '../../../../api/torrent-list/snapshots.js';
import { Hub } from '../../../../api/ws/hub.js';
import type { HubSocket } from '../../../../api/ws/hub-client.js';
import type { EngineClient } from '../../../../shared-protocol/commands.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import { emptyStats, StatsWriter } from '../../../../shared-protocol/stats-table.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const ADMIN = firstAdmin('', 0);
const BOB = { ...ADMIN, id: parseAccountId(2), role: 'user' as const };
type Torrent = Record<string, unknown> & { id: string; added_at: number };
type Message =
  | { readonly type: 'torrents:tick'; readonly payload: Torrent[] }
  | { readonly type: 'torrents:delta'; readonly payload: { upsert: Torrent[]; removed: string[] } }
  | { readonly type: 'stats:tick' };

/** Applies what comes; reads so many frames when told to. */
class Client extends EventEmitter implements HubSocket {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  get pending(): number {
    return this.bufferedAmount;
  }
  readonly types: string[] = [];
  readonly torrents = new Map<string, Torrent>();
  #unread: { message: Message; done: () => void }[] = [];

  write([header, ...parts]: readonly Uint8Array[], done: () => void): void {
    if (!header) throw new Error('no header');
    this.#unread.push({ message: JSON.parse(Buffer.concat(parts).toString()) as Message, done });
  }
  read(frames: number): void {
    for (let i = 0; i < frames && this.#unread.length > 0; i++) {
      const { message, done } = this.#unread.shift()!;
      this.#apply(message);
      done();
    }
  }
  get list(): Torrent[] {
    return [...this.torrents.values()].sort((a, b) => b.added_at - a.added_at || (a.id < b.id ? -1 : 1));
  }
  #apply(message: Message): void {
    if (message.type === 'stats:tick') return;
    this.types.push(message.type === 'torrents:tick' ? 'full' : 'delta');
    if (message.type === 'torrents:tick') {
      this.torrents.clear();
      for (const torrent of message.payload) this.torrents.set(torrent.id, torrent);
      return;
    }
    for (const change of message.payload.upsert) {
      const known = this.torrents.get(change.id);
      if (!known && !('name' in change)) throw new Error(`${change.id}: not known, and not whole`);
      this.torrents.set(change.id, { ...known, ...change });
    }
    for (const id of message.payload.removed) this.torrents.delete(id);
  }
  /** The first list, while nothing of it was changed. */
  get first(): string[] {
    return [...this.torrents.keys()];
  }
  ping(): void {}
  pong(): void {}
  close(): void {
    this.readyState = 2;
    this.emit('close');
  }
  terminate(): void {}
}

function start() {
  const library = new Library({ engine: { client: {} as EngineClient } });
  const writer = new StatsWriter((table) => library.handleEvent({ name: 'stats.table', payload: table }));
  const snapshots = new Snapshots(library, { revision: 0, category: () => undefined, tag: () => undefined });
  const deflate: Deflate = { deflate: () => Promise.reject(new Error('nobody asked')) };
  const clock = new VirtualClock();
  const accounts: Account[] = [ADMIN, BOB];
  /** A list of very many torrents takes a while. */
  const pauses = { beforeList: async (): Promise<void> => undefined };
  const hub = new Hub({
    accounts: { find: (id) => accounts.find((account) => account.id === id) },
    sessions: { accountOf: () => null },
    snapshots: {
      of: async (account) => {
        await pauses.beforeList();
        return snapshots.of(account);
      },
    },
    deflatedLists: new DeflatedLists(deflate),
    deflate,
    inspector: { tick: async () => null },
    log: { warn: () => undefined },
    now: () => clock.nowMs(),
  });
  let count = 0;
  const add = (addedAt: number) => {
    const { row, tag } = writer.allocate();
    const facts: TorrentFacts = {
      ...{ id: parseInfoHash((++count).toString(16).padStart(40, '0')), row, rowTag: tag, name: `${count}`, addedAt },
      ...{
        trackers: '',
        savePath: '/',
        totalBytes: 1,
        isPrivate: false,
        hasMetadata: true,
        metadataBytes: 1_000,
        completedAt: null,
      },
      ...{ ownerId: ADMIN_ACCOUNT_ID, library: NEW_LIBRARY_RECORD, error: null },
    };
    library.handleEvent({ name: 'torrents.added', payload: { torrents: [facts] } });
  };
  const connect = async (account: Account, takesDeltas = true) => {
    const client = new Client();
    const principal = { account, credential: { kind: 'bearer' as const } };
    hub.add(client, client, principal, { takesDeflated: false, takesDeltas, takesServers: false });
    await clock.settle();
    return client;
  };
  const tick = async () => {
    await hub.tick();
    await clock.settle();
  };
  const listOf = async (account: Account) =>
    JSON.parse(Buffer.concat((await snapshots.of(account)).json).toString()) as Torrent[];
  return { hub, library, writer, accounts, pauses, clock, add, connect, tick, listOf };
}

const step = fc.record({
  what: fc.constantFrom('add', 'write', 'write', 'change', 'remove', 'tick', 'tick', 'tick', 'connect'),
  which: fc.nat(1_000),
  reads: fc.constantFrom(0, 0, 1, 2, 3, 20),
});

void t.test('any changes, any speed of reading: the list', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { library, writer, add, connect, tick, listOf } = start();
      for (let i = 0; i < 60; i++) add(i % 5);
      const clients = [
        { account: ADMIN, client: await connect(ADMIN) },
        { account: BOB, client: await connect(BOB) },
      ];
      for (const { what, which, reads } of steps) {
        const all = [...library.all];
        const facts = all[which % all.length];
        // So many that one who does not read meanwhile loses some.
        if (what === 'tick') {
          for (let i = 0; i <= which % 25; i++) {
            const busy = all[(which + i) % all.length];
            if (busy) writer.write(busy.row, { ...emptyStats(), seeds: which });
            await tick();
          }
        } else if (what === 'add' || !facts) add(which % 7);
        else if (what === 'write') writer.write(facts.row, { ...emptyStats(), peers: which % 3, queuePosition: which });
        else if (what === 'remove') library.handleEvent({ name: 'torrent.removed', payload: { id: facts.id } });
        else if (what === 'change') {
          const changed = { ...facts, name: `${which % 3}`, ownerId: which % 2 ? BOB.id : ADMIN.id };
          library.handleEvent({ name: 'torrent.changed', payload: { facts: changed } });
        } else if (clients.length < 6) {
          const account = which % 2 ? BOB : ADMIN;
          clients.push({ account, client: await connect(account) });
        }
        clients[which % clients.length]!.client.read(reads);
      }
      // Whoever was too far behind gets the full list with the tick after it has read.
      for (let turn = 0; turn < 3; turn++) {
        for (const { client } of clients) client.read(100);
        await tick();
      }
      for (const { account, client } of clients) {
        client.read(100);
        t.same(client.list, await listOf(account));
      }
    }),
    { numRuns: 40 },
  );
});

void t.test('full at first and every 30 s, deltas of changed fields in between; others get full ones', async (t) => {
  const { library, writer, add, connect, tick } = start();
  for (let i = 0; i < 100; i++) add(i);
  const [client, plain] = [await connect(ADMIN), await connect(ADMIN, false)];
  for (let second = 0; second < 61; second++) {
    writer.write([...library.all][second]!.row, { ...emptyStats(), peers: 1 });
    await tick();
    for (const each of [client, plain]) each.read(10);
  }
  t.same(
    client.types.flatMap((type, place) => (type === 'full' ? [place] : [])),
    [0, 30, 60],
  );
  t.ok(plain.types.every((type) => type === 'full'));
  t.equal(plain.types.length, 62);
  t.same(client.list, plain.list);
});

void t.test('who does not read loses deltas and gets a full list in their place', async (t) => {
  const { library, writer, add, connect, tick, listOf } = start();
  for (let i = 0; i < 100; i++) add(i);
  const client = await connect(ADMIN);
  for (let second = 0; second < 25; second++) {
    writer.write([...library.all][second]!.row, { ...emptyStats(), peers: second });
    await tick();
  }
  client.read(100);
  const deltas = (count: number) => Array.from({ length: count }, () => 'delta');
  t.same(client.types, ['full', 'full', ...deltas(7)], 'sixteen waited, one was lost, and the next one was full');
  await tick();
  client.read(100);
  t.same(client.types.slice(2), deltas(8));
  t.same(client.list, await listOf(ADMIN));
});

void t.test(
  'whoever comes while a list is being made, and is somebody else by then, gets no other than its own',
  async (t) => {
    const { hub, accounts, pauses, clock, add, connect } = start();
    accounts.splice(1, 1, { ...BOB, role: 'admin' });
    add(1);
    const before = await connect({ ...BOB, role: 'admin' });
    let go = (): void => undefined;
    const paused = new Promise<void>((resolve) => (go = resolve));
    pauses.beforeList = () => paused;
    const ticking = hub.tick();
    await clock.settle();
    accounts.splice(1, 1, BOB);
    hub.closeAccount(BOB.id);
    const [deltas, plain] = [await connect(BOB), await connect(BOB, false)];
    go();
    await ticking;
    await clock.settle();
    for (const client of [before, deltas, plain]) client.read(10);
    t.equal(before.first.length, 1);
    t.same([deltas.types, deltas.first], [['full'], []]);
    t.same([plain.types, plain.first], [['full'], []]);
  },
);

// The steps of a move, each with what both ends show at that moment: the source is never removed before the copy is whole
// and announced, whatever was done before and whoever died.
import t from 'tap';
import { step } from '../../../../../api/services/servers/move-step.js';
import {
  NO_SERVER_MOVES,
  serverMovesSchema,
  type MoveChange,
  type StoredMove,
} from '../../../../../api/services/servers/move-records.js';
import { ServerEnd, type ServerId, type ServerWays } from '../../../../../api/services/servers/servers.js';
import type { Account } from '../../../../../api/auth/account.js';
import type { TorrentDto } from '../../../../../shared-protocol/dto/torrents.js';

const HASH = 'a'.repeat(40);
const TIERS = [['http://tracker/announce']];
const [SOURCE, TARGET] = [1, 2];
const TOTAL = 1_000;

/** A server that does what it is told, as far as moves ask it. */
class World implements ServerWays {
  readonly torrents = new Map<ServerId, Partial<TorrentDto> & { tiers: string[][]; pieces: number }>();
  readonly done: string[] = [];
  refuses: RegExp | null = null;

  seed(server: ServerId, fields: Partial<TorrentDto> = {}): void {
    const whole = {
      completed: true,
      verifying: false,
      files_missing: false,
      total_bytes: TOTAL,
      bytes_done: TOTAL,
      peers: 0,
    };
    const rest = { paused: false, error: null, tracker_error: null, tracker_works: false, category_id: null, tags: [] };
    this.torrents.set(server, { ...whole, ...rest, ...fields, tiers: TIERS, pieces: 8 });
  }

  torrent(_account: Account, server: ServerId): Promise<TorrentDto | null> {
    return Promise.resolve((this.torrents.get(server) as TorrentDto | undefined) ?? null);
  }

  file() {
    return Promise.resolve({ kind: 'value' as const, value: Buffer.from('file') });
  }

  addresses(_account: Account, server: ServerId) {
    return Promise.resolve(server === SOURCE ? ['192.0.2.1'] : []);
  }

  nameOf(_account: Account, server: ServerId): string {
    return server === SOURCE ? 'source' : 'target';
  }

  ask(_account: Account, server: ServerId, { method, path, body }: { method: string; path: string; body?: unknown }) {
    const what = `${this.nameOf(_account, server)} ${method} ${path.replace(`/api/torrents/${HASH}`, '')}`;
    if (this.refuses?.test(what))
      return Promise.resolve({ kind: 'refused' as const, status: 403, said: { error: 'forbidden' } });
    if (method !== 'GET') this.done.push(what);
    return Promise.resolve({ kind: 'value' as const, value: this.#answer(server, what, body) as never });
  }

  #answer(server: ServerId, what: string, body: unknown): unknown {
    const torrent = this.torrents.get(server);
    if (what.endsWith('/trackers') && what.includes('GET')) return torrent!.tiers.map(([url], tier) => ({ url, tier }));
    if (what.endsWith('/trackers')) torrent!.tiers = (body as { tiers: string[][] }).tiers;
    if (what.endsWith('/status')) return { port: { number: 7 } };
    if (what.endsWith('/pieces'))
      return { piece_count: 8, have: Buffer.of((0xff00 >> torrent!.pieces) & 0xff).toString('base64') };
    if (what.endsWith('/file')) this.seed(server, { paused: true, completed: false, bytes_done: 0 });
    if (what.endsWith('/pause')) Object.assign(torrent!, { paused: true });
    if (what.endsWith('/resume')) Object.assign(torrent!, { paused: false });
    if (what.includes('DELETE')) this.torrents.delete(server);
    return [];
  }
}

const move = (fields: Partial<StoredMove> = {}): StoredMove => {
  const stored = {
    ...{ id: 1, user_id: 1, infohash: HASH, name: 'a', from: SOURCE, to: TARGET, delete_data: true, save_path: '' },
    ...{ politeness: 'one_location', state: 'copying', reason: null, bytes_done: 0, bytes_total: TOTAL, started_at: 1 },
    ...{ ended_at: 0, existed: false, tiers: null, progressed_at: 1, announced_at: 0, giving_up: null, ...fields },
  };
  return serverMovesSchema.parse({ ...NO_SERVER_MOVES, moves: [stored] }).moves[0]!;
};

/** Steps until nothing changes, or one of them waits for the world. */
async function go(world: World, from: StoredMove, now = 100, steps = 20): Promise<StoredMove> {
  let at = from;
  for (let taken = 0; taken < steps && at.state !== 'done' && at.state !== 'failed'; taken++) {
    const change: MoveChange = await step(at, endsIn(world), now);
    at = { ...at, ...change };
  }
  return at;
}

function endsIn(world: World) {
  const account = {} as Account;
  return { source: new ServerEnd(world, account, SOURCE, HASH), target: new ServerEnd(world, account, TARGET, HASH) };
}

void t.test('copied in silence, then announced, and only then removed', async (t) => {
  const world = new World();
  world.seed(SOURCE);
  let at = await go(world, move(), 100, 3);
  t.same(world.torrents.get(TARGET)?.tiers, [], 'no tracker hears of it');
  t.same(world.done, [
    'target POST /api/torrents/file',
    'target PUT /trackers',
    'target POST /resume',
    'target POST /peers',
  ]);
  Object.assign(world.torrents.get(TARGET)!, { bytes_done: 500 });
  at = await go(world, at, 200, 1);
  t.match(at, { state: 'copying', bytes_done: 500, progressed_at: 200 });
  Object.assign(world.torrents.get(TARGET)!, { bytes_done: TOTAL, completed: true });
  at = await go(world, at, 300, 6);
  t.match(at, { state: 'switching', announced_at: 300 });
  t.ok(world.torrents.get(SOURCE)?.paused, 'it has said goodbye');
  t.same(world.torrents.get(TARGET)?.tiers, TIERS);
  Object.assign(world.torrents.get(TARGET)!, { tracker_works: true });
  at = await go(world, at, 400);
  t.match(at, { state: 'done', ended_at: 400, reason: null });
  t.same([...world.torrents.keys()], [TARGET]);
});

void t.test('no step removes a source whose copy is not seen whole, in whatever state it died', async (t) => {
  const states = ['copying', 'verifying', 'switching'] as const;
  const bad: Partial<TorrentDto & { pieces: number }>[] = [
    ...[
      { bytes_done: 999 },
      { completed: false },
      { verifying: true },
      { files_missing: true },
      { total_bytes: 0, bytes_done: 0 },
    ],
    ...[{ pieces: 7 }, { tracker_works: false }],
  ];
  for (const state of states) {
    for (const fields of [null, ...bad]) {
      const world = new World();
      world.seed(SOURCE, { paused: state === 'switching' });
      if (fields) {
        world.seed(TARGET, { tracker_works: true, ...fields });
        if (fields.pieces !== undefined) world.torrents.get(TARGET)!.pieces = fields.pieces;
      }
      await go(world, move({ state, tiers: TIERS, announced_at: state === 'switching' ? 90 : 0 }));
      t.ok(world.torrents.has(SOURCE), `${state} ${JSON.stringify(fields)}`);
    }
  }
});

void t.test('a copy that no tracker takes stays silent, and the source goes on', async (t) => {
  const world = new World();
  world.seed(SOURCE, { paused: true });
  world.seed(TARGET, { tracker_error: { code: 'UNREGISTERED', host: 'tracker', message: 'not known' } });
  const waiting = await go(world, move({ state: 'switching', tiers: TIERS, announced_at: 100 }), 700, 2);
  t.match(waiting, { state: 'switching', reason: 'tracker: not known' });
  t.match(await go(world, waiting, 701), { state: 'failed', reason: 'tracker: not known', ended_at: 701 });
  t.match(world.torrents.get(SOURCE), { paused: false });
  t.match(world.torrents.get(TARGET), { paused: true, tiers: [] });
});

void t.test('ended by hand: the copy goes, unless it was there before or is all there is', async (t) => {
  const giving_up = { reason: 'ended by hand', removes_copy: true };
  for (const [existed, kept] of [
    [false, [SOURCE]],
    [true, [SOURCE, TARGET]],
  ] as const) {
    const world = new World();
    world.seed(SOURCE, { paused: true });
    world.seed(TARGET);
    t.match(await go(world, move({ state: 'switching', existed, tiers: TIERS, giving_up })), {
      state: 'failed',
      reason: 'ended by hand',
    });
    t.same([...world.torrents.keys()], kept);
    t.match(world.torrents.get(SOURCE), { paused: false });
  }
  const world = new World();
  world.seed(TARGET);
  t.match(await go(world, move({ state: 'switching', tiers: TIERS, giving_up })), { state: 'done', reason: null });
  t.same([...world.torrents.keys()], [TARGET]);
});

void t.test('one that was paused runs while it is copied, and is paused again wherever it ends up', async (t) => {
  const world = new World();
  world.seed(SOURCE, { paused: true });
  let at = await go(world, move({ was_paused: true }), 100, 3);
  t.match(world.torrents.get(SOURCE), { paused: false });
  Object.assign(world.torrents.get(TARGET)!, { bytes_done: TOTAL, completed: true, tracker_works: true });
  at = await go(world, at, 200);
  t.match(at, { state: 'done' });
  t.match(world.torrents.get(TARGET), { paused: true, tiers: TIERS });
  t.same([...world.torrents.keys()], [TARGET]);

  for (const state of ['copying', 'switching'] as const) {
    const ended = new World();
    ended.seed(SOURCE);
    ended.seed(TARGET);
    const giving_up = { reason: 'ended by hand', removes_copy: true };
    t.match(await go(ended, move({ state, tiers: TIERS, giving_up, was_paused: true })), { state: 'failed' });
    t.match(ended.torrents.get(SOURCE), { paused: true });
  }
  const shared = new World();
  shared.seed(TARGET);
  await go(shared, move({ state: 'switching', tiers: TIERS, existed: true, was_paused: true }));
  t.match(shared.torrents.get(TARGET), { paused: false }, 'one that was there before stays as it was');
});

void t.test('a copy that loses data after the goodbye of its source is given them again', async (t) => {
  for (const fields of [
    { completed: false, bytes_done: 500 },
    { tracker_works: true, pieces: 7 },
  ]) {
    const world = new World();
    world.seed(SOURCE, { paused: true });
    world.seed(TARGET, fields);
    world.torrents.get(TARGET)!.pieces = 7;
    const at = await go(world, move({ state: 'switching', tiers: TIERS, announced_at: 90 }), 100, 1);
    t.match(at, { state: 'copying', announced_at: 0 });
    t.match(world.torrents.get(SOURCE), { paused: false });
  }
});

void t.test('a source that is gone, and one from which nothing comes', async (t) => {
  const world = new World();
  t.match(await go(world, move()), { state: 'failed', reason: 'the torrent is gone from source' });
  const stuck = new World();
  stuck.seed(SOURCE);
  const day = 24 * 3_600;
  t.match(await go(stuck, move({ progressed_at: 100 }), 101 + 2 * day), { state: 'copying' }, 'it was added now');
  stuck.seed(TARGET, { completed: false, bytes_done: 5 });
  t.match(await go(stuck, move({ tiers: TIERS, progressed_at: 100, bytes_done: 5 }), 101 + day), {
    ...{ state: 'failed', reason: 'nothing came for a day' },
  });
  t.match(stuck.torrents.get(SOURCE), { paused: false });
});

void t.test('what a server refuses is told by its words', async (t) => {
  const world = new World();
  world.seed(SOURCE);
  world.refuses = /target POST \/api\/torrents\/file/;
  await t.rejects(go(world, move()), { name: 'Refused', status: 403, message: 'forbidden' });
});

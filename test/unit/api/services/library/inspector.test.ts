// Whose focus is on what, and when a frame is made: over a library of two torrents and an engine that answers when it
// is told to.
import t from 'tap';
import type { CommandParams, EngineClient } from '../../../../../shared-protocol/commands.js';
import type { TorrentDetails } from '../../../../../shared-protocol/commands/inspection.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, StatsReader, StatsWriter } from '../../../../../shared-protocol/stats-table.js';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import type { Countries } from '../../../../../api/services/library/countries.js';
import { Inspector } from '../../../../../api/services/library/inspector.js';
import { LargeListTurns } from '../../../../../api/services/library/large-list-turns.js';
import { shownPeer } from '../../../../support/shown-details.js';

const ADMIN = firstAdmin('', 0);
const BOB: Account = { ...ADMIN, id: parseAccountId(2), username: 'bob', role: 'user' };
const [A, B] = [parseInfoHash('a'.repeat(40)), parseInfoHash('b'.repeat(40))];
const UNKNOWN = 'f'.repeat(40);

type Inspection = CommandParams<'inspectTorrent'>;

class Bench {
  readonly asked: Inspection[] = [];
  readonly logged: string[] = [];
  /** How the engine answers. */
  answer: (inspection: Inspection) => Promise<TorrentDetails> = async ({ parts }) =>
    Object.fromEntries(parts.map((part) => [part, []]));
  countriesOpened = 0;
  countries: Promise<Countries> = Promise.resolve({ of: () => '' });
  readonly inspector: Inspector;
  readonly #facts = new Map<TorrentId, TorrentFacts>();
  readonly #stats = new StatsReader();
  readonly #writer = new StatsWriter((table) => this.#stats.attach(table));

  constructor() {
    for (const [id, ownerId] of [
      [A, ADMIN_ACCOUNT_ID],
      [B, BOB.id],
    ] as const) {
      const { row, tag } = this.#writer.allocate();
      this.#writer.write(row, { ...emptyStats(), peers: 3 });
      this.#facts.set(id, factsOf({ id, ownerId, row, rowTag: tag }));
    }
    const engine: { client: Pick<EngineClient, 'inspectTorrent'> } = {
      client: {
        inspectTorrent: (inspection) => {
          this.asked.push(inspection);
          return this.answer(inspection);
        },
      },
    };
    this.inspector = new Inspector({
      engine,
      engines: { names: [''], nameOf: () => '' },
      library: {
        stats: this.#stats,
        find: (id) => this.#facts.get(id),
        accessOf: ({ id, role }, { ownerId }) => (role === 'admin' || ownerId === id ? 'owner' : null),
        shownTo: (_account, torrent) => torrent,
      },
      largeLists: new LargeListTurns(() => 0),
      openCountries: () => {
        this.countriesOpened++;
        return this.countries;
      },
      log: { debug: (message) => void this.logged.push(message) },
    });
  }

  /** The payload of the account's frame; null for none. */
  async tick(account: Account): Promise<Record<string, unknown> | null> {
    const frame = await this.inspector.tick(account);
    if (!frame) return null;
    const { type, payload } = JSON.parse(Buffer.concat(frame).toString()) as {
      type: string;
      payload: Record<string, unknown>;
    };
    if (type !== 'inspector:tick') throw new Error(type);
    return payload;
  }

  remove(id: TorrentId): void {
    this.#facts.delete(id);
    this.inspector.handleEvent({ name: 'torrent.removed', payload: { id } });
  }

  /** As the library has it after an engine that came back without it. */
  lose(id: TorrentId): TorrentFacts | undefined {
    const facts = this.#facts.get(id);
    this.#facts.delete(id);
    return facts;
  }

  /** Adds it again, for somebody else. */
  give(id: TorrentId, ownerId: TorrentFacts['ownerId']): void {
    const { row, tag } = this.#writer.allocate();
    this.#facts.set(id, factsOf({ ...this.#facts.get(id), id, ownerId, row, rowTag: tag }));
  }

  /** Reads no countries until it is called. */
  holdCountries(): (countries: Countries) => void {
    let give: (countries: Countries) => void = () => undefined;
    this.countries = new Promise((resolve) => (give = resolve));
    return give;
  }

  /** Answers nobody until it is called. */
  hold(): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    this.answer = async () => {
      await held;
      return {};
    };
    return release;
  }
}

function factsOf(given: Pick<TorrentFacts, 'id' | 'ownerId' | 'row' | 'rowTag'>): TorrentFacts {
  return {
    name: given.id,
    trackers: '',
    savePath: '/srv',
    totalBytes: 10,
    isPrivate: false,
    hasMetadata: true,
    metadataBytes: 1_000,
    addedAt: 0,
    completedAt: null,
    library: NEW_LIBRARY_RECORD,
    error: null,
    ...given,
  };
}

void t.test('nobody looks, nothing is asked', async (t) => {
  const bench = new Bench();
  t.equal(await bench.tick(ADMIN), null);
  t.same(bench.asked, []);
});

void t.test('each account has its own focus', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(ADMIN, A, ['files']);
  bench.inspector.focus(BOB, B, ['trackers', 'peers']);
  t.match(await bench.tick(ADMIN), { id: A, peers: 3, files: [] });
  const bobs = await bench.tick(BOB);
  t.match(bobs, { id: B, trackers: [], peers_list: [] });
  t.notOk(bobs && 'files' in bobs);
  t.same(bench.asked, [
    { id: A, parts: ['files'], files: { from: 0, count: 1_000 } },
    { id: B, parts: ['peers', 'trackers', 'webSeeds'] },
  ]);
  bench.inspector.clear(ADMIN);
  t.equal(await bench.tick(ADMIN), null);
  t.match(await bench.tick(BOB), { id: B });
});

void t.test('a focus replaces the one before; an empty id clears it', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(ADMIN, A, ['files']);
  bench.inspector.focus(ADMIN, B.toUpperCase(), ['overview', 'speed', 'elsewhere', 'files', 'files']);
  t.match(await bench.tick(ADMIN), { id: B, files: [] });
  bench.inspector.focus(ADMIN, B, []);
  t.same(
    Object.keys((await bench.tick(ADMIN)) ?? {}).filter((name) => /files$|peers_list|trackers/.test(name)),
    [],
  );
  bench.inspector.focus(ADMIN, '', ['files']);
  t.equal(await bench.tick(ADMIN), null);
});

void t.test('what cannot be looked at; the focus stays where it was', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(ADMIN, A, []);
  bench.inspector.focus(BOB, B, []);
  for (const [account, id, code, message] of [
    [ADMIN, UNKNOWN, 'NOT_FOUND', 'torrent not found'],
    [ADMIN, 'f'.repeat(64), 'NOT_FOUND', 'torrent not found'],
    [ADMIN, 'nonsense', 'BODY_INVALID', /^id: expected an info hash/],
    [BOB, A, 'FORBIDDEN', /./],
    [BOB, UNKNOWN, 'FORBIDDEN', /./],
    [BOB, 'nonsense', 'FORBIDDEN', /./],
  ] as const) {
    t.throws(() => bench.inspector.focus(account, id, []), { code, message }, `${account.username} ${id}`);
  }
  t.match(await bench.tick(ADMIN), { id: A });
  t.match(await bench.tick(BOB), { id: B });
});

void t.test('a torrent that goes takes the focus along, also when it comes back', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(ADMIN, B, []);
  bench.inspector.focus(BOB, B, []);
  bench.remove(B);
  bench.give(B, BOB.id);
  t.equal(await bench.tick(ADMIN), null);
  t.equal(await bench.tick(BOB), null);

  bench.inspector.focus(BOB, B, []);
  bench.lose(B);
  t.equal(await bench.tick(BOB), null, 'an engine that restarted does not have it any more');
  bench.give(B, BOB.id);
  t.equal(await bench.tick(BOB), null);
});

void t.test('access that is lost takes the focus along', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(BOB, B, []);
  bench.give(B, ADMIN.id);
  t.equal(await bench.tick(BOB), null);
  t.same(bench.asked, []);
  bench.give(B, BOB.id);
  t.equal(await bench.tick(BOB), null, 'it was cleared, not hidden');
});

void t.test('an engine that is slow is not asked again before it has answered', async (t) => {
  const bench = new Bench();
  const release = bench.hold();
  bench.inspector.focus(ADMIN, A, []);
  const first = bench.tick(ADMIN);
  for (let second = 0; second < 5; second++) t.equal(await bench.tick(ADMIN), null);
  bench.inspector.focus(BOB, B, []);
  const bobs = bench.tick(BOB);
  t.equal(bench.asked.length, 2, 'once for each account');
  release();
  t.match(await first, { id: A });
  t.match(await bobs, { id: B });
  t.match(await bench.tick(ADMIN), { id: A });
});

for (const [name, act] of [
  ['cleared', (bench: Bench) => bench.inspector.clear(ADMIN)],
  ['moved', (bench: Bench) => bench.inspector.focus(ADMIN, B, [])],
  ['lost with its torrent', (bench: Bench) => bench.remove(A)],
] as const) {
  void t.test(`an answer that comes when the focus was ${name} is not shown`, async (t) => {
    const bench = new Bench();
    const release = bench.hold();
    bench.inspector.focus(ADMIN, A, []);
    const pending = bench.tick(ADMIN);
    act(bench);
    release();
    t.equal(await pending, null);
  });
}

void t.test('an engine that is away: no tick, no noise, and the focus is kept', async (t) => {
  const bench = new Bench();
  bench.inspector.focus(ADMIN, A, []);
  const usual = bench.answer;
  bench.answer = () => Promise.reject(new AppError('ENGINE_EXITED', 'engine exited'));
  t.equal(await bench.tick(ADMIN), null);
  bench.answer = () => {
    throw new AppError('ENGINE_NOT_RUNNING', 'engine: not started');
  };
  t.equal(await bench.tick(ADMIN), null);
  t.equal(bench.logged.length, 2);
  bench.answer = usual;
  t.match(await bench.tick(ADMIN), { id: A });
});

void t.test('countries are read when peers are looked at, and the first frame with peers has them', async (t) => {
  const bench = new Bench();
  const give = bench.holdCountries();
  const peer = shownPeer({ host: '192.0.2.1' });
  bench.answer = async ({ parts }) => (parts.includes('peers') ? { peers: [peer] } : {});
  bench.inspector.focus(ADMIN, A, ['files']);
  await bench.tick(ADMIN);
  t.equal(bench.countriesOpened, 0);
  bench.inspector.focus(ADMIN, A, ['peers']);
  const first = bench.tick(ADMIN);
  t.equal(bench.countriesOpened, 1, 'while the engine is asked');
  give({ of: () => 'NL' });
  t.match(await first, { peers_list: [{ country: 'NL' }] });
});

void t.test('frames without peers do not wait for the database', async (t) => {
  const bench = new Bench();
  const give = bench.holdCountries();
  bench.answer = async ({ parts }) => (parts.includes('peers') ? { peers: [] } : {});
  bench.inspector.focus(ADMIN, A, ['peers']);
  bench.inspector.focus(BOB, B, ['trackers']);
  const waiting = bench.tick(ADMIN);
  t.match(await bench.tick(BOB), { id: B });
  give({ of: () => '' });
  t.match(await waiting, { id: A, peers_list: [] });
});

void t.test('details are told once to whoever asks, and as much as the tabs say', async (t) => {
  const bench = new Bench();
  const ask = async (account: Account, id: TorrentId, tabs: readonly string[] | null) =>
    JSON.parse(Buffer.concat(await bench.inspector.details(account, id, tabs)).toString()) as Record<string, unknown>;
  t.match(await ask(BOB, B, ['files', 'peers', 'nonsense']), { id: B, peers: 3, files: [], peers_list: [] });
  t.equal((await ask(BOB, B, [])).files, undefined);
  const all = await ask(ADMIN, B, null);
  t.same([all.files, all.peers_list, all.trackers, all.web_seeds], [[], [], [], []]);
  t.equal(await bench.tick(BOB), null, 'and nobody looks at anything');
  await t.rejects(ask(BOB, A, []), { code: 'NOT_FOUND' }, 'access that was lost meanwhile');
});

void t.test('of one account one answer is made at a time, some wait, and others do not notice', async (t) => {
  const bench = new Bench();
  const release = bench.hold();
  const asked = Array.from({ length: 9 }, () => bench.inspector.details(BOB, B, ['peers']));
  await t.rejects(bench.inspector.details(BOB, B, ['peers']), { code: 'TOO_MANY_REQUESTS' });
  const others = bench.inspector.details(ADMIN, A, ['peers']);
  t.equal(bench.asked.length, 2, 'one of each');
  release();
  t.equal((await Promise.all([...asked, others])).length, 10);
  t.equal(bench.asked.length, 10);
});

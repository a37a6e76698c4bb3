// What is kept of the torrents that accounts make: how many, how long, how much; and what becomes of one whose engine or
// account goes.
import t from 'tap';
import type { Account } from '../../../../../api/auth/account.js';
import { Creations } from '../../../../../api/services/library/creations.js';
import type { CreateParams, CreationStatus } from '../../../../../shared-protocol/commands/creations.js';
import { createBodySchema } from '../../../../../shared-protocol/dto/creations.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { firstAdmin } from '../../../../../api/auth/account.js';

const MIB = 1024 * 1024;
const ID = parseInfoHash('ab'.repeat(20));
const BODY = createBodySchema.parse({ path: '/srv/pack' });

function accountOf(id: number): Account {
  return { ...firstAdmin(null, 0), id: parseAccountId(id), role: 'user' };
}

function setUp() {
  const state = { now: 1_000, bytes: 100, mayCreate: true, seeds: 0 };
  const under = new Map<number, { readonly params: CreateParams; end: (outcome: CreationStatus | AppError) => void }>();
  const waiting = new Map<number, Promise<CreationStatus | AppError>>();
  const forgotten: number[] = [];
  const status = (change: Partial<CreationStatus>): CreationStatus => ({
    ...{ state: 'hashing', bytesDone: 1, bytesTotal: 2, files: 1, pieceLength: 16_384, id: null, error: null },
    ...change,
  });
  let last = 0;
  const client = {
    createTorrent: async (params: CreateParams) => {
      const creation = ++last;
      waiting.set(creation, new Promise((end) => under.set(creation, { params, end })));
      return { creation };
    },
    creationStatus: async ({ creation, wait = false }: { creation: number; wait?: boolean }) => {
      const outcome = wait ? await waiting.get(creation)! : status({});
      if (outcome instanceof AppError) throw outcome;
      return outcome;
    },
    createdTorrent: async () => new Uint8Array(state.bytes),
    endCreation: async ({ creation }: { creation: number }) => void forgotten.push(creation),
  };
  const creations = new Creations({
    engine: { client },
    engines: { nameFor: () => '' },
    savePaths: {
      defaultOf: () => '/srv/files',
      locate: async (_account, path) => ({ path, realPath: path }),
      resolve: async (_account, path) => path,
    },
    adding: {
      addCreated: async () => {
        state.seeds++;
        return ID;
      },
    },
    accountOf: (id) => (state.mayCreate ? accountOf(id) : { ...accountOf(id), perm_add_torrents: false }),
    programName: 'Swarmd/1.2.3',
    now: () => state.now,
  });
  const done = status({ state: 'done', bytesDone: 2, id: ID });
  /** Made for the account, and ended. */
  const make = async (account: Account, outcome: CreationStatus | AppError = done, body = BODY) => {
    const { id } = await creations.begin(account, body);
    under.get(last)!.end(outcome);
    while ((await creations.list(null)).some((other) => other.id === id && other.expires_at === 0));
    return id;
  };
  return { creations, state, under, forgotten, make, done };
}

void t.test('one that was made is kept for an hour, twenty of an account', async (t) => {
  const { creations, state, make, under, forgotten } = setUp();
  const bob = accountOf(2);
  const first = await make(bob);
  t.match(await creations.show(first, bob.id), { state: 'done', infohash: ID, expires_at: 4_600, torrent_id: null });
  t.match(under.get(1)?.params, { createdBy: 'Swarmd/1.2.3', pieceLength: null, trackers: [], isToSeed: false });
  t.same(forgotten, [1], 'the engine need not keep it');
  for (let n = 0; n < 20; n++) await make(bob);
  t.throws(() => creations.torrentFile(first, bob.id), { code: 'NOT_FOUND' });
  t.equal((await creations.list(bob.id)).length, 20);
  state.now += 3_600;
  t.same(await creations.list(null), []);
});

void t.test('of all together so many bytes, and who has most loses first', async (t) => {
  const { creations, state, make } = setUp();
  const [bob, eve] = [accountOf(2), accountOf(3)];
  state.bytes = 5 * MIB;
  const eves = await make(eve);
  const bobs: number[] = [];
  for (let n = 0; n < 14; n++) bobs.push(await make(bob));
  t.equal(creations.torrentFile(eves, eve.id).bytes.length, 5 * MIB, 'hers is older than all of his');
  t.same(
    (await creations.list(bob.id)).map(({ id }) => id),
    bobs.slice(3),
  );
});

void t.test('two at a time of an account, sixteen of all', async (t) => {
  const { creations } = setUp();
  for (let id = 2; id < 10; id++) {
    await creations.begin(accountOf(id), BODY);
    await creations.begin(accountOf(id), BODY);
    await t.rejects(creations.begin(accountOf(id), BODY), { code: 'QUOTA_EXCEEDED', message: /2 at a time/ });
  }
  await t.rejects(creations.begin(accountOf(20), BODY), { code: 'QUOTA_EXCEEDED', message: /16 at a time/ });
});

void t.test('an engine that goes takes it along; one that is dropped is ended there', async (t) => {
  const { creations, make, state, forgotten } = setUp();
  const bob = accountOf(2);
  const lost = await make(bob, new AppError('ENGINE_EXITED', 'engine: it has ended'));
  t.match(await creations.show(lost, bob.id), { state: 'failed', code: 'ENGINE_EXITED' });
  const { id } = await creations.begin(bob, BODY);
  await t.rejects(creations.end(id, parseAccountId(9)), { code: 'NOT_FOUND' }, 'not by another');
  await creations.end(id, bob.id);
  t.same(forgotten.at(-1), 2);
  await creations.begin(bob, BODY);
  state.mayCreate = false;
  await creations.onAccountChanged(bob.id);
  t.same([await creations.list(null), forgotten.at(-1)], [[], 3], 'who may make none has none');
});

void t.test('it is seeded by the rights of the moment at which it is done', async (t) => {
  const { creations, make, state, done } = setUp();
  const bob = accountOf(2);
  const seeded = await make(bob, done, { ...BODY, seed: true });
  t.match(await creations.show(seeded, bob.id), { torrent_id: ID, error: null });
  state.mayCreate = false;
  const refused = await make(bob, done, { ...BODY, seed: true });
  t.match(await creations.show(refused, bob.id), { state: 'done', torrent_id: null, error: 'forbidden' });
  t.equal(state.seeds, 1);
});

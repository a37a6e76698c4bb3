// Of several fronts that hear of the same torrents one tells accounts, webhooks and the owner's program; loading tells of nothing new.
import t from 'tap';
import { Hooks } from '../../../../../api/services/hooks/hooks.js';
import type { ListedTorrent } from '../../../../../api/services/library/shares.js';
import type { Account } from '../../../../../api/auth/account.js';
import type { EngineEvent } from '../../../../../shared-protocol/events.js';
import { ADMIN_ACCOUNT_ID, type TorrentId } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { FACTS } from '../../../../support/samples.js';

const NEW: ListedTorrent = {
  ...FACTS,
  ...{ ownerId: ADMIN_ACCOUNT_ID, hasMetadata: true, completedAt: null, error: null, library: NEW_LIBRARY_RECORD },
};
const DONE: ListedTorrent = { ...NEW, completedAt: 1_700_000_000 };
const added = (...torrents: ListedTorrent[]): EngineEvent => ({ name: 'torrents.added', payload: { torrents } });
const changed = (facts: ListedTorrent): EngineEvent => ({ name: 'torrent.changed', payload: { facts } });
const LEFT: EngineEvent = {
  name: 'files.left',
  payload: {
    ...{ id: NEW.id, ownerId: ADMIN_ACCOUNT_ID, name: 'film', path: '/srv/film' },
    error: { code: 'DISK_FAILED', message: 'a.bin: EROFS: read-only file system' },
  },
};
const removed: EngineEvent = { name: 'torrent.removed', payload: { id: NEW.id } };

/** A front, with a library that shows what the engine tells. */
function front() {
  const torrents = new Map<TorrentId, ListedTorrent>();
  const heard = {
    webhooks: [] as string[],
    accounts: [] as string[],
    program: [] as string[],
    filesLeft: [] as string[],
  };
  const state = { leads: true, isProgramStarted: false };
  const hooks = new Hooks({
    library: {
      find: (id) => torrents.get(id),
      handleEvent({ name, payload }) {
        if (name === 'torrents.added') for (const each of payload.torrents) torrents.set(each.id, each);
        if (name === 'torrent.changed') torrents.set(payload.facts.id, payload.facts);
        if (name === 'torrent.removed') torrents.delete(payload.id);
      },
    },
    webhooks: {
      tell: (eventsFor) => {
        const account = { id: ADMIN_ACCOUNT_ID, role: 'admin' } as Account;
        heard.webhooks.push(...eventsFor(account).map(({ event }) => event));
      },
    },
    deliveries: { start: () => undefined, stop: async () => undefined },
    tellAccount: (_id, events) => void heard.accounts.push(...events.map(({ event }) => event)),
    program: {
      start: () => void (state.isProgramStarted = true),
      run: ({ event }) => void heard.program.push(event),
      stop: async () => void (state.isProgramStarted = false),
    },
    tellOfFilesLeft: ({ path }) => void heard.filesLeft.push(path),
    leads: () => state.leads,
  });
  return { hooks, heard, state, torrents };
}

void t.test('the front that leads tells all of them', async (t) => {
  const { hooks, heard } = front();
  for (const event of [added(NEW), changed(DONE), removed]) hooks.handleEvent(event, false);
  const all = ['added', 'completed', 'removed'];
  hooks.handleEvent(LEFT, false);
  t.same(heard, { webhooks: all, accounts: all, program: all, filesLeft: ['/srv/film'] });
});

void t.test('one that does not lead takes in what happens, and tells nobody', async (t) => {
  const { hooks, heard, state, torrents } = front();
  state.leads = false;
  for (const event of [added(NEW), changed(DONE)]) hooks.handleEvent(event, false);
  t.equal(torrents.get(NEW.id), DONE);
  hooks.handleEvent(removed, false);
  t.equal(torrents.size, 0);
  hooks.handleEvent(LEFT, false);
  t.same(heard, { webhooks: [], accounts: [], program: [], filesLeft: [] });
});

void t.test('loading tells of nothing that is new to this process alone', async (t) => {
  const { hooks, heard } = front();
  hooks.handleEvent(added(NEW), true);
  t.same(heard.webhooks, []);
  hooks.handleEvent(added(DONE), true);
  t.same(heard.webhooks, ['completed'], 'but of what was done while the engine was away');
});

void t.test('the program ends with the lead, and begins with it again', async (t) => {
  const { hooks, state } = front();
  hooks.start();
  await hooks.stop();
  t.notOk(state.isProgramStarted);
  hooks.start();
  t.ok(state.isProgramStarted);
});

// What an account is told of a torrent: what it sees, when it sees it, and nothing of others.
import t from 'tap';
import { eventsBetween, eventsByAccount } from '../../../../../api/services/hooks/torrent-events.js';
import type { ListedTorrent } from '../../../../../api/services/library/shares.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import { FACTS } from '../../../../support/samples.js';

const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];
const NEW: ListedTorrent = {
  ...FACTS,
  ownerId: ANN,
  hasMetadata: false,
  completedAt: null,
  error: null,
  library: NEW_LIBRARY_RECORD,
};
const READY: ListedTorrent = { ...NEW, hasMetadata: true };
const DONE: ListedTorrent = { ...READY, completedAt: 1_700_000_000 };
const FULL = { code: 'DISK_FULL', message: 'disk full' } as const;
const names = (before: ListedTorrent | undefined, after: ListedTorrent | undefined) =>
  eventsBetween(before, after).map(({ event }) => event);

void t.test('each step once', (t) => {
  t.same(names(undefined, NEW), ['added']);
  t.same(names(undefined, READY), ['added'], 'by its file: nothing arrived');
  t.same(names(NEW, READY), ['metadata']);
  t.same(names(READY, DONE), ['completed']);
  t.same(names(NEW, DONE), ['metadata', 'completed']);
  t.same(names(DONE, { ...DONE, name: 'other' }), []);
  t.same(names(DONE, { ...DONE, error: FULL }), ['error']);
  t.same(names({ ...DONE, error: FULL }, { ...DONE, error: { ...FULL } }), [], 'the same error again');
  t.same(names({ ...DONE, error: FULL }, DONE), []);
  t.same(names({ ...DONE, error: FULL }, { ...DONE, error: { code: 'FILES_MISSING', message: '' } }), ['error']);
  t.same(names(DONE, undefined), ['removed']);
  t.same(names(undefined, undefined), []);
  t.end();
});

void t.test('an account hears of its own share alone', (t) => {
  const shared = (torrent: ListedTorrent, ...accountIds: (typeof ANN)[]): ListedTorrent => ({
    ...torrent,
    library: { ...NEW_LIBRARY_RECORD, shares: accountIds.map((accountId) => ({ accountId, access: 'viewer' })) },
  });
  const heard = (before?: ListedTorrent, after?: ListedTorrent) =>
    [...eventsByAccount(before, after)].map(([id, events]) => [id, ...events.map(({ event }) => event)]);
  t.same(heard(READY, DONE), [[ANN, 'completed']]);
  t.same(heard(shared(READY, BOB), shared(DONE, BOB)).sort(), [
    [ANN, 'completed'],
    [BOB, 'completed'],
  ]);
  t.same(heard(READY, shared(READY, BOB)), [[BOB, 'added']], 'it was granted');
  t.same(heard(shared(DONE, BOB), DONE), [[BOB, 'removed']], 'and taken back');
  const holder = (accountId: typeof ANN) => ({
    ...{ accountId, savePath: `/srv/${accountId}`, name: `of ${accountId}`, trackers: '', addedAt: 5 },
    ...{ paused: false, sequential: false, forceStart: false, library: NEW_LIBRARY_RECORD },
  });
  const joined: ListedTorrent = { ...DONE, holders: [holder(ANN), holder(BOB)] };
  t.same(heard(DONE, joined), [[BOB, 'added', 'completed']], 'one who joins what is complete is told that it is');
  const [told] = eventsByAccount(DONE, joined).get(BOB) ?? [];
  t.match(told?.torrent, { ownerId: BOB, savePath: '' }, 'and not where it lies for another');
  t.end();
});

// Sharing over a library that keeps records in memory, one edit after another.
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { Sharing } from '../../../../../api/services/accounts/sharing.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../../../shared-protocol/library-record.js';

const ADMIN = firstAdmin('', 0);
const user = (id: number, username: string, disabled = false): Account => ({
  ...ADMIN,
  id: parseAccountId(id),
  username,
  role: 'user',
  disabled,
});
const [ANN, BOB, CID, DIS] = [user(2, 'ann'), user(3, 'bob'), user(4, 'cid'), user(5, 'dis', true)];

/** A torrent of ann's. */
function start() {
  const accounts = new Map([ADMIN, ANN, BOB, CID, DIS].map((account) => [account.id, account]));
  let torrent: TorrentFacts = {
    id: parseInfoHash('a'.repeat(40)),
    row: 0,
    rowTag: 0,
    name: 'a',
    trackers: '',
    savePath: '/srv',
    totalBytes: 0,
    isPrivate: false,
    hasMetadata: true,
    metadataBytes: 1_000,
    addedAt: 0,
    completedAt: null,
    ownerId: ANN.id,
    library: NEW_LIBRARY_RECORD,
    error: null,
  };
  let writes = 0;
  const editRecord = async (_id: unknown, change: (record: LibraryRecord) => LibraryRecord) => {
    const library = change(torrent.library);
    if (library !== torrent.library) writes++;
    torrent = { ...torrent, library };
  };
  const sharing = new Sharing({
    accounts: {
      find: (id) => accounts.get(id),
      get all() {
        return [...accounts.values()];
      },
    },
    library: { editRecord },
  });
  return {
    sharing,
    accounts,
    torrent: () => torrent,
    writes: () => writes,
    listed: () => sharing.list(torrent).map(({ username, access }) => `${username} ${access}`),
  };
}

void t.test('granted, changed, taken back', async (t) => {
  const { sharing, torrent, listed, writes } = start();
  t.same(sharing.list(torrent()), [{ user_id: 2, username: 'ann', access: 'owner' }]);
  await sharing.grant(ANN, torrent(), 3, 'viewer');
  await sharing.grant(ANN, torrent(), 4, 'viewer');
  await sharing.grant(ANN, torrent(), 3, 'editor');
  t.same(listed(), ['ann owner', 'bob editor', 'cid viewer']);
  t.equal(writes(), 3);
  await sharing.grant(ANN, torrent(), 3, 'editor');
  await sharing.revoke(torrent(), 5);
  await sharing.revoke(torrent(), 99);
  t.equal(writes(), 3, 'nothing is written for nothing');
  await sharing.revoke(torrent(), 3);
  await sharing.revoke(torrent(), 3);
  t.same(listed(), ['ann owner', 'cid viewer']);
});

void t.test('who cannot be given it', async (t) => {
  const { sharing, torrent, writes } = start();
  for (const id of [99, DIS.id]) {
    await t.rejects(sharing.grant(ANN, torrent(), id, 'viewer'), { code: 'NOT_FOUND', message: 'user not found' });
  }
  await t.rejects(sharing.grant(ANN, torrent(), 2, 'viewer'), { code: 'SHARE_REFUSED', message: /^user_id: .*owner/ });
  await t.rejects(sharing.grant(ADMIN, torrent(), 2, 'viewer'), { code: 'SHARE_REFUSED', message: /owner/ });
  await t.rejects(sharing.grant(ADMIN, torrent(), 1, 'viewer'), { code: 'SHARE_REFUSED', message: /your own/ });
  await t.rejects(sharing.revoke(torrent(), 2), { code: 'SHARE_REFUSED', message: /^userID: / });
  t.equal(writes(), 0);
  await sharing.grant(ANN, torrent(), 1, 'viewer');
  t.equal(writes(), 1, 'to an administrator it is stored');
});

void t.test('a gone owner is account 1, gone grantees are nobody', async (t) => {
  const { sharing, accounts, torrent, listed } = start();
  for (const id of [1, 3, 4]) await sharing.grant(ANN, torrent(), id, 'viewer');
  accounts.delete(BOB.id);
  t.same(listed(), ['ann owner', 'admin viewer', 'cid viewer']);
  accounts.delete(ANN.id);
  t.same(listed(), ['admin owner', 'cid viewer'], 'account 1 is in it once');
  await t.rejects(sharing.revoke(torrent(), 1), { code: 'SHARE_REFUSED' });
  await t.rejects(sharing.grant(CID, torrent(), 1, 'viewer'), { code: 'SHARE_REFUSED' });
});

void t.test('targets are the others who can sign in', async (t) => {
  const { sharing } = start();
  t.same(sharing.targets(ANN), [
    { id: 1, username: 'admin' },
    { id: 3, username: 'bob' },
    { id: 4, username: 'cid' },
  ]);
});

// Whether what lies on disk leaves room for a torrent of a certain account.
import t from 'tap';
import { Adopters } from '../../../../engine/claims/adopters.js';
import { ClaimedPlaces } from '../../../../engine/claims/claimed-places.js';
import { partsOf } from '../../../../engine/claims/file-record.js';
import { LyingThere } from '../../../../engine/claims/lying-there.js';
import { RecordedInodes } from '../../../../engine/claims/recorded-inodes.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash, type AccountId } from '../../../../shared-protocol/ids.js';
import { shapeTorrent } from '../../../support/torrent-shapes.js';

const [ADA, BOB, CY] = [ADMIN_ACCOUNT_ID, parseAccountId(2), parseAccountId(3)];
const { files: FILES } = shapeTorrent(4, [{ sizeBytes: 10 }, { sizeBytes: 6, isPad: true }, { sizeBytes: 20 }]);
const PLACE = { directory: '/dl', names: ['t'] };
const OTHER = parseInfoHash('cd'.repeat(20));

interface Scene {
  /** Inodes and sizes by path. */
  readonly disk?: Readonly<Record<string, readonly [inode: number, sizeBytes: number]>>;
  /** Whose torrent claims the place, and the inodes that it has recorded. */
  readonly sibling?: { readonly ownerId: AccountId; readonly isShared?: boolean; readonly inodes: readonly number[] };
}

async function setScene({ disk = {}, sibling }: Scene): Promise<LyingThere> {
  const record = partsOf((sibling?.inodes ?? []).map((inode) => ({ inode, birthMs: 1 })));
  const inodes = new RecordedInodes({
    claims: () => undefined,
    allClaims: () => [...record.values()],
    putClaims: async () => undefined,
  });
  const places = new ClaimedPlaces({ realPath: async (path) => path });
  await places.learn('/dl');
  if (sibling) places.add({ id: OTHER, isShared: false, savePath: '/dl', topNames: ['t'], ...sibling });
  const adopters = new Adopters();
  adopters.set([{ accountId: ADA, home: null }]);
  const at = async (path: string) => {
    const isFolder = Object.keys(disk).some((other) => other.startsWith(`${path}/`));
    const [inode, sizeBytes] = disk[path] ?? [9, -1];
    return path in disk || isFolder ? { inode, sizeBytes } : null;
  };
  return new LyingThere({ looks: { at }, places, adopters, inodes });
}

const BOTH = { '/dl/t/f0': [1, 10], '/dl/t/f2': [2, 20] } as const;
const ROOM: readonly (Scene & { readonly name: string; readonly account: AccountId; readonly expected: boolean })[] = [
  { name: 'nothing', account: BOB, expected: true },
  { name: 'files of nobody', account: BOB, disk: BOTH, expected: false },
  { name: 'files of nobody, for an administrator', account: ADA, disk: BOTH, expected: true },
  { name: 'files of its own', account: BOB, disk: BOTH, sibling: { ownerId: BOB, inodes: [1, 2] }, expected: true },
  { name: 'one of nobody', account: BOB, disk: BOTH, sibling: { ownerId: BOB, inodes: [1] }, expected: false },
  { name: 'files of another', account: BOB, disk: BOTH, sibling: { ownerId: CY, inodes: [1, 2] }, expected: false },
  {
    name: 'files that others hold as well',
    account: BOB,
    disk: BOTH,
    sibling: { ownerId: BOB, isShared: true, inodes: [1, 2] },
    expected: false,
  },
  { name: 'something else in a folder of that name', account: BOB, disk: { '/dl/t/else': [5, 1] }, expected: false },
];
for (const { name, account, expected, ...scene } of ROOM) {
  void t.test(`${name}: ${expected ? 'room' : 'no room'}`, async (t) => {
    const there = await setScene(scene);
    t.equal(await there.leavesRoom(account, PLACE, FILES), expected);
    t.equal(await there.leavesRoom(account, PLACE, null), scene.disk === undefined, 'where nothing may lie');
  });
}

const LIKENESS = [
  { disk: {}, expected: 'new' },
  { disk: { '/dl/t/f0': [1, 10] }, expected: 'new' },
  { disk: BOTH, expected: 'same' },
  { disk: { ...BOTH, '/dl/t/f2': [2, 19] }, expected: 'others' },
] as const;
for (const { disk, expected } of LIKENESS) {
  void t.test(`${Object.keys(disk).join(', ') || 'nothing'}: ${expected}`, async (t) => {
    t.equal(await (await setScene({ disk })).likeness('/dl', FILES), expected);
  });
}

void t.test('a torrent is pointed at what its account may take over, and which the asker may', async (t) => {
  const there = await setScene({ disk: BOTH, sibling: { ownerId: BOB, inodes: [1, 2] } });
  const ask = (accountId: AccountId, mayTakeOver = false) =>
    there.mayBePointedAt(BOB, PLACE, FILES, { accountId, mayTakeOver });
  t.ok(await ask(BOB));
  t.notOk(await ask(CY), 'an editor, by the rights of the owner');
  t.ok(await ask(ADA));
  t.ok(await ask(CY, true), 'for whom an administrator asks');
  const empty = await setScene({});
  await t.rejects(empty.mayBePointedAt(BOB, PLACE, FILES, { accountId: BOB, mayTakeOver: false }), {
    code: 'SAVE_PATH_INVALID',
  });
});

void t.test('files are brought beside those of its own account, one by one', async (t) => {
  t.ok(await (await setScene({})).leavesRoomForMove(BOB, PLACE));
  t.notOk(await (await setScene({ disk: BOTH })).leavesRoomForMove(BOB, PLACE));
  t.ok(await (await setScene({ disk: BOTH, sibling: { ownerId: BOB, inodes: [] } })).leavesRoomForMove(BOB, PLACE));
  t.notOk(await (await setScene({ disk: BOTH, sibling: { ownerId: CY, inodes: [] } })).leavesRoomForMove(BOB, PLACE));
});

// What a torrent that is made here trusts: the very files that were listed, as they were, from when they are listed until it
// is added.
import { mkdir, realpath, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Creation } from '../../../../engine/creation/index.js';
import { createDisk } from '../../../../engine/disk/index.js';
import { createInlineHasher } from '../../../../engine/hashing/index.js';
import { parseTorrentFile } from '../../../../engine/metainfo/index.js';
import type { HashingTurn } from '../../../../engine/torrent/session-interface.js';
import { ADMIN_ACCOUNT_ID } from '../../../../shared-protocol/ids.js';
import { QUIET } from '../../../support/disk-fixtures.js';
import { makeTorrent } from '../../../support/make-torrent.js';
import { temporaryDirectory } from '../../../support/temporary-directory.js';

const TURN: HashingTurn = { spend: () => undefined, isOver: false, pass: async () => undefined };
const BYTES = Buffer.alloc(50_000, 'swarmd');

async function prepare(t: Test, whileHashing: (at: (name: string) => string) => Promise<void> = async () => undefined) {
  const root = join(await realpath(await temporaryDirectory()), 'pack');
  await mkdir(root);
  const at = (name: string) => join(root, name);
  await writeFile(at('a'), BYTES);
  await writeFile(at('b'), BYTES);
  const disk = createDisk({ partsDir: join(root, '..', 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const inline = createInlineHasher();
  const rights = { isGiven: true };
  const creation = new Creation(
    {
      disk,
      hasher: {
        hashPieces: async (pieces) => {
          const digests = await inline.hashPieces(pieces);
          await whileHashing(at);
          return digests;
        },
      },
      clock: { nowMs: () => 0, unixMs: () => 1_700_000_000_000 },
      checkThrottle: { isBusy: false, rest: async () => undefined },
      readRight: () => (rights.isGiven ? { admits: () => true } : null),
    },
    {
      ...{
        accountId: ADMIN_ACCOUNT_ID,
        path: root,
        pieceLength: 16_384,
        isPrivate: false,
        padFiles: false,
        source: '',
      },
      ...{ trackers: [], webSeeds: [], comment: '', createdBy: '', isToSeed: true },
    },
    0,
  );
  return { creation, at, rights };
}

void t.test('a folder, and the states of its files as they were', async (t) => {
  const { creation, at } = await prepare(t);
  t.throws(() => creation.torrentBytes, { code: 'CREATION_NOT_DONE' });
  await creation.runAudit(TURN);
  t.match(creation.status, { state: 'done', bytesDone: 100_000, bytesTotal: 100_000, files: 2, pieceLength: 16_384 });
  const files = ['a', 'b'].map((name) => ({ path: [name], bytes: BYTES }));
  const { infoHash } = makeTorrent({ name: 'pack', pieceLength: 16_384, files });
  const { info } = parseTorrentFile(creation.torrentBytes);
  t.same([creation.status.id, info.infoHash], [infoHash, infoHash]);
  const { mtimeMs, ctimeMs } = await stat(at('a'));
  t.match((await creation.trusted(infoHash))[0], { sizeBytes: 50_000, mtimeMs, ctimeMs });
  await utimes(at('b'), 1, 1);
  await t.rejects(creation.trusted(infoHash), { code: 'FILES_CHANGED', message: 'path: pack/b has changed meanwhile' });
});

void t.test('a file that is written to, cut short or exchanged while it is hashed', async (t) => {
  for (const [what, change] of [
    ['written to', (at: (name: string) => string) => writeFile(at('b'), Buffer.alloc(50_000, 'other'))],
    ['cut short', (at: (name: string) => string) => writeFile(at('b'), 'short')],
    [
      'exchanged for one of the same size and time',
      async (at: (name: string) => string) => {
        const { atimeMs, mtimeMs } = await stat(at('b'));
        await writeFile(at('../other'), BYTES);
        await utimes(at('../other'), atimeMs / 1000, mtimeMs / 1000);
        await rename(at('../other'), at('b'));
      },
    ],
  ] as const) {
    const { creation } = await prepare(t, change);
    await creation.runAudit(TURN);
    t.match(creation.status, { state: 'failed', error: { code: 'FILES_CHANGED', message: /^path: pack\/b/ } }, what);
  }
});

void t.test('a right that was taken away before its turn, and one that is stopped', async (t) => {
  const { creation, rights } = await prepare(t);
  rights.isGiven = false;
  await creation.runAudit(TURN);
  t.match(creation.status, { state: 'failed', error: { code: 'CREATE_NOT_ALLOWED' } });

  const stopped = await prepare(t, async () => stopped.creation.stop());
  await stopped.creation.runAudit(TURN);
  await stopped.creation.ended;
  t.equal(stopped.creation.status.state, 'failed');
  t.throws(() => stopped.creation.torrentBytes, { code: 'CREATION_NOT_DONE' });
});

// What an account may own that is no administrator, counted as torrents come, go and change hands.
import t from 'tap';
import { firstAdmin } from '../../../../../api/auth/account.js';
import { Library } from '../../../../../api/services/library/library.js';
import {
  MAX_METADATA_BYTES_OWNED,
  MAX_TORRENTS_OWNED,
  MAX_TRACKER_CHARS_OWNED,
  Quotas,
} from '../../../../../api/services/library/quotas.js';
import type { EngineClient } from '../../../../../shared-protocol/commands.js';
import { NO_QUOTA } from '../../../../../shared-protocol/dto/accounts.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import type { TorrentFacts } from '../../../../../shared-protocol/events.js';
import { parseAccountId, parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { madeFacts } from '../../../../../bench/load/made-facts.js';
import { UNBOUNDED_UPLOADS } from '../../../../support/unbounded-uploads.js';

const ADMIN = firstAdmin('', 0);
const BOB = { ...ADMIN, id: parseAccountId(2), role: 'user' as const };
const MAGNET = { kind: 'magnet', uri: 'magnet:?xt=urn:btih:…' } as const;
const file = (bytes: number) => ({ kind: 'metainfo', bytes: new Uint8Array(bytes) }) as const;
const added = async () => 'added';

function start() {
  const library = new Library({ engine: { client: {} as EngineClient } });
  const quotas = new Quotas({ library, uploads: UNBOUNDED_UPLOADS });
  let count = 0;
  const own = (change: Partial<TorrentFacts> = {}, torrents = 1) => {
    const all = Array.from({ length: torrents }, (): TorrentFacts => {
      const id = parseInfoHash((++count).toString(16).padStart(40, '0'));
      const made = madeFacts({
        index: count,
        id,
        row: count,
        rowTag: count,
        ownerId: BOB.id,
        trackerHost: 't.example',
      });
      return { ...made, ...change };
    });
    library.handleEvent({ name: 'torrents.added', payload: { torrents: all } });
    return all;
  };
  return { library, quotas, own };
}

const refused = (bound: string) => ({
  code: 'QUOTA_EXCEEDED',
  message: `torrent: your account may have at most ${bound}; remove some first`,
});

void t.test('torrents', async (t) => {
  const { library, quotas, own } = start();
  const [first] = own({ trackers: '', metadataBytes: 0 }, MAX_TORRENTS_OWNED);
  await t.rejects(quotas.within(BOB, MAGNET, added), refused('20000 torrents'));
  t.equal(await quotas.within(ADMIN, MAGNET, added), 'added', 'administrators have none');
  t.equal(await quotas.within({ ...BOB, id: parseAccountId(3) }, MAGNET, added), 'added', 'nor is it for all together');
  library.handleEvent({ name: 'torrent.removed', payload: { id: first!.id } });
  t.equal(await quotas.within(BOB, MAGNET, added), 'added');
});

void t.test('what is under way counts, and no more once it has failed', async (t) => {
  const { quotas, own } = start();
  own({ trackers: '', metadataBytes: 0 }, MAX_TORRENTS_OWNED - 1);
  let fail = (_error: Error): void => undefined;
  const first = quotas.within(BOB, MAGNET, () => new Promise((_resolve, reject) => (fail = reject)));
  await t.rejects(quotas.within(BOB, MAGNET, added), { code: 'QUOTA_EXCEEDED' });
  fail(new Error('no torrent'));
  await t.rejects(first, /no torrent/);
  t.equal(await quotas.within(BOB, MAGNET, added), 'added');
});

void t.test('bytes of metadata and characters of trackers', async (t) => {
  const { library, quotas, own } = start();
  const [large] = own({ metadataBytes: MAX_METADATA_BYTES_OWNED - 1_000, trackers: '' });
  t.equal(await quotas.within(BOB, file(1_000), added), 'added');
  await t.rejects(quotas.within(BOB, file(1_001), added), refused('512 MiB of torrent files'));
  const small = { ...large!, metadataBytes: 0 };
  library.handleEvent({ name: 'torrent.changed', payload: { facts: small } });
  t.equal(await quotas.within(BOB, file(1_001), added), 'added');
  own({ metadataBytes: 0, trackers: 'x'.repeat(16_384) }, MAX_TRACKER_CHARS_OWNED / 16_384);
  await t.rejects(quotas.within(BOB, MAGNET, added), refused('32 MiB of tracker URLs'));
});

void t.test('of an account that is gone all counts for nobody but administrators', async (t) => {
  const accounts = new Set([ADMIN.id, BOB.id]);
  const library = new Library({ engine: { client: {} as EngineClient }, isAccount: (id) => accounts.has(id) });
  const id = parseInfoHash('a'.repeat(40));
  const facts = madeFacts({ index: 1, id, row: 1, rowTag: 1, ownerId: BOB.id, trackerHost: 't.example' });
  library.handleEvent({ name: 'torrents.added', payload: { torrents: [facts] } });
  t.match(library.usageOf(BOB.id), { torrents: 1, metadataBytes: 1_000 });
  accounts.delete(BOB.id);
  library.forgetAccount(BOB.id);
  t.same(library.usageOf(BOB.id), { torrents: 0, bytes: 0, metadataBytes: 0, trackerChars: 0 });
  t.equal(library.usageOf(ADMIN.id).torrents, 1);
});

const GB = 1e9;
const bounded = (quota: Partial<typeof NO_QUOTA>) => ({ ...BOB, quota: { ...NO_QUOTA, ...quota } });

void t.test('as many torrents as an administrator allows', async (t) => {
  const { quotas, own } = start();
  own({}, 2);
  const bob = bounded({ torrents: 3 });
  t.equal(await quotas.within(bob, MAGNET, added), 'added');
  own();
  await t.rejects(quotas.within(bob, MAGNET, added), {
    code: 'QUOTA_EXCEEDED',
    message: 'torrent: your account has 3 of 3 torrents; remove some first',
  });
  t.equal(await quotas.within({ ...bob, role: 'admin' }, MAGNET, added), 'added', 'administrators have none');
});

void t.test('as many bytes as an administrator allows, also for adds at once', async (t) => {
  const { quotas, own } = start();
  const bob = bounded({ bytes: 10 * GB });
  own({ totalBytes: 4 * GB });
  const allowed: (number | undefined)[] = [];
  const add = (size: number) =>
    quotas.within(bob, MAGNET, async (maxBytes = Infinity) => {
      allowed.push(maxBytes);
      await Promise.resolve();
      if (size > maxBytes) throw new AppError('TORRENT_TOO_LARGE', '', { bytes: size });
      own({ totalBytes: size });
    });
  const [first, second] = await Promise.allSettled([add(5 * GB), add(5 * GB)]);
  t.equal(first.status, 'fulfilled');
  t.match(second, {
    reason: {
      code: 'QUOTA_EXCEEDED',
      message: 'torrent: your account uses 9.00 GB of 10.0 GB, and this takes 5.00 GB; remove some first',
    },
  });
  t.same(allowed, [6 * GB, GB]);
  await add(GB);
  await t.rejects(add(0), { message: 'torrent: your account uses 10.0 GB of 10.0 GB; remove some first' });
});

void t.test('trackers that are added one by one are counted as well', async (t) => {
  const { quotas, own } = start();
  own({ metadataBytes: 0, trackers: 'x'.repeat(16_384) }, MAX_TRACKER_CHARS_OWNED / 16_384 - 1);
  const run = async () => 'done';
  t.equal(await quotas.growing(BOB, 16_384, run), 'done');
  await t.rejects(quotas.growing(BOB, 16_385, run), refused('32 MiB of tracker URLs'));
  let end = (): void => undefined;
  const first = quotas.growing(BOB, 16_384, () => new Promise<void>((resolve) => (end = resolve)));
  await t.rejects(quotas.growing(BOB, 1, run), { code: 'QUOTA_EXCEEDED' }, 'what is under way counts');
  end();
  await first;
  t.equal(await quotas.growing(BOB, 1, run), 'done');
  t.equal(await quotas.growing(BOB, -99_999, run), 'done', 'what becomes less is never refused');
  t.equal(await quotas.growing(ADMIN, 16_385, run), 'done');
});

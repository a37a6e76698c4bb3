// Data that somebody changed while the daemon was not there: it is never claimed, never followed elsewhere, and fetched
// again after a check; and what is next to it stays (docs/limits.md 2.2, 2.27; docs/semantics.md section 5). Each
// change after an orderly end and after SIGKILL.
import t, { type Test } from 'tap';
import { appendFile, cp, mkdir, open, readFile, rename, rm, stat, symlink, truncate, utimes } from 'node:fs/promises';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkClaims } from '../chaos/claims.js';
import { startDaemon, type DaemonUnderTest } from '../support/daemon.js';
import { digestsOf, KIB, writePayload, type Payload } from '../support/peers/payload.js';
import { connectSeed } from '../support/peers/scripted-seed.js';
import { makeScratch } from '../support/peers/scratch.js';

const TOTAL_BYTES = 512 * KIB + 1;
const PIECE_LENGTH = 16 * KIB;
const FILM = 'film.bin';
const EXTRAS = 'extras';
const TIMEOUT_MS = 40_000;

interface Place {
  /** The torrent's folder, and one outside of the save path with the same content. */
  readonly folder: string;
  readonly elsewhere: string;
}

interface Case {
  readonly name: string;
  change(place: Place): Promise<void>;
  /** 'asks': files are missed until somebody asks for a check; 'heals': found by itself. */
  readonly outcome: 'asks' | 'heals';
  /** Stands in the way of what is to be fetched until it is removed. */
  readonly obstacle?: string;
  /** More than the torrent has stays in the file. */
  readonly isLonger?: boolean;
}

const CASES: readonly Case[] = [
  { name: 'truncated', outcome: 'asks', change: ({ folder }) => truncate(join(folder, FILM), 100_000) },
  { name: 'deleted', outcome: 'asks', change: ({ folder }) => rm(join(folder, FILM)) },
  {
    name: 'extended',
    outcome: 'heals',
    isLonger: true,
    change: ({ folder }) => appendFile(join(folder, FILM), 'more'),
  },
  { name: 'flipped', outcome: 'heals', change: ({ folder }) => flip(join(folder, FILM)) },
  {
    name: 'flipped, with the mtime set back',
    outcome: 'heals',
    change: ({ folder }) => flipSecretly(join(folder, FILM)),
  },
  {
    name: 'replaced by a copy with a flipped byte and the same mtime',
    outcome: 'heals',
    change: async ({ folder, elsewhere }) => {
      const { atime, mtime } = await stat(join(folder, FILM));
      await flip(join(elsewhere, FILM));
      await utimes(join(elsewhere, FILM), atime, mtime);
      await rename(join(elsewhere, FILM), join(folder, FILM));
    },
  },
  {
    name: 'replaced by a folder',
    outcome: 'asks',
    obstacle: FILM,
    change: async ({ folder }) => {
      await rm(join(folder, FILM));
      await mkdir(join(folder, FILM));
      await writeFile(join(folder, FILM, 'diary.txt'), 'of somebody else');
    },
  },
  {
    name: 'replaced by a link to the same content',
    outcome: 'asks',
    obstacle: FILM,
    change: async ({ folder, elsewhere }) => {
      await rm(join(folder, FILM));
      await symlink(join(elsewhere, FILM), join(folder, FILM));
    },
  },
  {
    name: 'its folder replaced by a link to the same content',
    outcome: 'asks',
    obstacle: EXTRAS,
    change: async ({ folder, elsewhere }) => {
      await rm(join(folder, EXTRAS), { recursive: true });
      await symlink(join(elsewhere, EXTRAS), join(folder, EXTRAS));
    },
  },
];

t.setTimeout(180_000);

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  void t.test(`after ${signal}`, async (t) => {
    const scratch = await makeScratch('changed', 4 * CASES.length * TOTAL_BYTES);
    t.teardown(() => scratch.remove());
    const home = { dataDir: join(scratch.path, 'data'), savePath: join(scratch.path, 'downloads') };
    const torrents = await Promise.all(CASES.map((given, seed) => prepare(scratch.path, home.savePath, given, seed)));

    let daemon = await startDaemon(home);
    t.teardown(() => daemon.stop());
    for (const { payload } of torrents) await daemon.addTorrentFile(payload.torrent());
    await everyOne(torrents, ({ payload }) =>
      daemon.waitFor(payload.infoHash, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS),
    );
    await daemon.stop();
    if (signal === 'SIGKILL') {
      daemon = await startDaemon(home);
      await daemon.kill();
    }
    for (const { given, place } of torrents) await given.change(place);
    const before = await everyOne(torrents, ({ place }) => strangers(place));

    daemon = await startDaemon(home);
    t.same(
      await everyOne(torrents, ({ given, payload }) => expectAsked(daemon, given, payload)),
      torrents.map(({ given }) => given.outcome),
      'missed until somebody asks, or found by itself',
    );
    for (const [n, { given, payload, place }] of torrents.entries()) {
      await t.test(given.name, async (t) => {
        await heal(t, daemon, given, payload, place, before[n]!);
      });
    }
    await daemon.stop();
    const { claimed, wrong } = await checkClaims(home.dataDir);
    t.ok(claimed >= CASES.length * Math.floor(TOTAL_BYTES / PIECE_LENGTH), `${claimed} pieces are claimed`);
    t.same(wrong, [], 'and all of them are there');
  });
}

interface Prepared {
  readonly given: Case;
  readonly payload: Payload;
  readonly place: Place;
}

/** What the seed reads, what the daemon has, and the same in a place that is none of its business. */
async function prepare(root: string, savePath: string, given: Case, seed: number): Promise<Prepared> {
  const payload = await writePayload(join(root, 'source'), TOTAL_BYTES, PIECE_LENGTH, seed + 1);
  const source = join(payload.directory, payload.name);
  const place = { folder: join(savePath, payload.name), elsewhere: join(root, 'elsewhere', payload.name) };
  for (const to of [place.folder, place.elsewhere]) await cp(source, to, { recursive: true });
  return { given, payload, place };
}

function everyOne<T>(torrents: readonly Prepared[], work: (torrent: Prepared) => Promise<T>): Promise<T[]> {
  return Promise.all(torrents.map(work));
}

/** Nobody serves anything yet: what was done to the file is found, or its absence told. */
async function expectAsked(daemon: DaemonUnderTest, given: Case, payload: Payload): Promise<Case['outcome']> {
  const { files_missing } = await daemon.waitFor(
    payload.infoHash,
    ({ files_missing, completed, verifying, bytes_done }) =>
      files_missing || (!verifying && (given.isLonger ? completed && bytes_done === TOTAL_BYTES : !completed)),
    TIMEOUT_MS,
  );
  return files_missing ? 'asks' : 'heals';
}

async function heal(
  t: Test,
  daemon: DaemonUnderTest,
  { outcome, obstacle, isLonger }: Case,
  payload: Payload,
  place: Place,
  untouched: readonly (string | null)[],
): Promise<void> {
  const { folder } = place;
  const id = payload.infoHash;
  if (outcome === 'asks') {
    t.match(await daemon.api('POST', `/api/torrents/${id}/recheck`), { status: 200 });
    const found = await daemon.waitFor(id, ({ files_missing, verifying }) => !files_missing && !verifying, TIMEOUT_MS);
    t.equal(found.completed, false);
    t.ok(found.bytes_done > 3 * PIECE_LENGTH, 'what is next to it is kept');
  }
  const seed = await connectSeed(payload, daemon.peerPort, Infinity);
  t.teardown(() => seed.destroy());
  if (obstacle !== undefined) {
    t.equal((await daemon.torrent(id)).completed, false);
    t.same(await strangers(place), untouched, 'nothing of others has changed');
    await rm(join(folder, obstacle), { recursive: true });
    await daemon.api('POST', `/api/torrents/${id}/pause`);
    await daemon.api('POST', `/api/torrents/${id}/resume`);
    const again = await connectSeed(payload, daemon.peerPort, Infinity);
    t.teardown(() => again.destroy());
  }
  await daemon.waitFor(id, ({ completed, verifying }) => completed && !verifying, TIMEOUT_MS);
  if (isLonger) {
    const { size } = await stat(join(payload.directory, payload.name, FILM));
    await truncate(join(folder, FILM), size);
  }
  t.same(await digestsOf(payload, dirname(folder)), payload.digests, 'all of it is there');
  t.same((await strangers(place)).slice(0, 2), untouched.slice(0, 2), 'nothing elsewhere has changed');
}

/** What must not change: files of that name elsewhere, and files of others. */
async function strangers({ folder, elsewhere }: Place): Promise<(string | null)[]> {
  const paths = [join(elsewhere, FILM), join(elsewhere, EXTRAS, 'notes.bin'), join(folder, FILM, 'diary.txt')];
  return Promise.all(paths.map((path) => readFile(path, 'base64').catch(() => null)));
}

async function flip(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, 70_000);
    await file.write(Buffer.of(byte[0]! ^ 0xff), 0, 1, 70_000);
  } finally {
    await file.close();
  }
}

async function flipSecretly(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  await flip(path);
  await utimes(path, atime, mtime);
}

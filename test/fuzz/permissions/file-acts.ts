// What people do at random to what lies on disk: adding, removing, checks, a seed with the content that a torrent
// describes, and a person who makes, replaces and removes files below the save path by hand.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { seedContent } from '../../support/peers/scripted-seed.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { addAgain, type Done } from './acts.js';
import { goesWith, isBelow, isInsideForeign, isUnusable, emptyDisk, pathsOf, type Placed } from './files-model.js';
import { PIECE_LENGTH, POOL, SENTINELS, trackerOf } from './pool.js';
import {
  actedOn,
  hasRight,
  isAdmin,
  shareFor,
  stayingWithMetadata,
  verdict,
  type Person,
  type Share,
} from './rights-model.js';
import { readTree } from './tree.js';
import type { World } from './world.js';

const SETTLE_MS = 30_000;
/** A download of a few blocks over loopback that has not ended by then meets something in its way. */
const DOWNLOAD_MS = 700;
const DELETE_MS = 300;
const SAVE_PATHS = ['', '', '', '', 'sub', 'letter', 'box', 'box/inner', 'homes/carol', 'homes', '..', '../data'];

/** What an act may do to files beyond what is made known by the torrents that there are. */
export interface Touched extends Done {
  /** Files that may go. */
  readonly removed?: ReadonlySet<string>;
  readonly downloaded?: Placed;
  /** Has been laid somewhere just then; whether it could have its own name is looked up in the tree before. */
  readonly placed?: Placed;
  /** Whoever it is, it is not the daemon that changed files. */
  readonly isByHand?: boolean;
}

export type FileAct = (world: World, person: Person) => Promise<Touched | null>;

export const add: FileAct = async (world, person) => {
  const made = world.pick(POOL);
  const byFile = !world.oneIn(4);
  const requested = world.pick(SAVE_PATHS.filter((path) => !isAdmin(person) || path !== '..'));
  const paused = world.oneIn(3);
  const trackers = world.oneIn(4) ? [] : [trackerOf(person.username, world.below(2))];
  const client = world.client(person);
  const name = byFile ? made.name : `of ${person.username}`;
  let status: number;
  if (byFile) {
    const form = new FormData();
    form.set('save_path', requested);
    form.set('paused', String(paused));
    form.set('file', new Blob([made.fileWith(trackers)]), 'a.torrent');
    ({ status } = await client.api('POST', '/api/torrents/file', form));
  } else {
    const tr = trackers.map((url) => `&tr=${encodeURIComponent(url)}`).join('');
    const magnet = `magnet:?xt=urn:btih:${made.hash}&dn=${encodeURIComponent(name)}${tr}`;
    ({ status } = await client.api('POST', '/api/torrents/magnet', { magnet, save_path: requested, paused }));
  }
  const said = `add ${made.hash.slice(0, 8)} ${made.name} ${byFile ? 'file' : 'magnet'} to "${requested}"`;
  const base = (isAdmin(person) ? '' : person.home) || world.root;
  const savePath = requested === '' ? base : resolve(base, requested);
  const refusal = addRefused(world, person, requested, savePath);
  if (refusal !== null) return { said, expected: refusal, status };
  const share: Share = {
    holder: person.id,
    askedFor: savePath,
    name,
    paused,
    sequential: false,
    category: null,
    trackers,
    grants: new Map(),
  };
  const before = world.torrents.get(made.hash);
  if (before) return joined(world, person, before, { said, status, share, byFile });
  if (isInsideForeign(savePath, person, world.all)) return { said, expected: 400, status };
  const shares: [Share] = [share];
  const torrent: Placed = { made, savePath, shares, hasMetadata: byFile, isCheckedLately: false, disk: emptyDisk() };
  if (status === 200) world.torrents.set(made.hash, torrent);
  return { said, expected: 200, status, ...(byFile && status === 200 ? { placed: torrent } : {}) };
};

function addRefused(world: World, person: Person, requested: string, savePath: string): number | null {
  if (person.disabled) return 401;
  if (!hasRight(person, 'perm_add_torrents')) return 403;
  if (requested === '') return null;
  const root = person.home || world.root;
  if (!isAdmin(person) && !isBelow(savePath, root)) return 403;
  return isUnusable(savePath, world.tree) || !isBelow(savePath, world.root) ? 400 : null;
}

/** Its file tells the metadata to all who hold it by magnet. */
function joined(
  world: World,
  person: Person,
  torrent: Placed,
  { said, status, share, byFile }: { said: string; status: number; share: Share; byFile: boolean },
): Touched {
  const expected = addAgain(person, torrent, share, byFile, shareFor(person, torrent));
  const isMet = byFile && !torrent.hasMetadata && torrent.shares.includes(share);
  const staying = stayingWithMetadata(torrent, person.id);
  // By the rights of whose it will be.
  const owner = world.person(staying[0].holder);
  if (!isMet || isInsideForeign(torrent.savePath, owner, world.all)) return { said, expected, status };
  torrent.hasMetadata = true;
  torrent.shares = staying;
  return { said, expected, status, placed: torrent };
}

export const recheck: FileAct = async (world, person) => {
  const { hash } = world.anyTorrent();
  const torrent = world.torrents.get(hash);
  let expected = verdict(person, torrent, 'editor');
  if (expected === 200 && torrent && !isAdmin(person) && torrent.shares.length > 1) {
    if (torrent.isCheckedLately) expected = 400;
    torrent.isCheckedLately = true;
  }
  if (expected === 200 && torrent && isAdmin(person)) torrent.disk.isGranted = true;
  const { status } = await world.client(person).api('POST', `/api/torrents/${hash}/recheck`);
  return { said: `recheck ${hash.slice(0, 8)}`, expected, status };
};

export const remove: FileAct = async (world, person) => {
  const { hash } = world.anyTorrent();
  const torrent = world.torrents.get(hash);
  const withData = world.oneIn(2);
  const expected = verdict(person, torrent, 'owner');
  const { status } = await world.client(person).api('DELETE', `/api/torrents/${hash}${withData ? '?delete=1' : ''}`);
  const done = { said: `DELETE ${hash.slice(0, 8)}${withData ? ' with data' : ''}`, expected, status };
  if (!torrent || expected !== 200) return done;
  const gone = actedOn(person, torrent);
  const [first, ...others] = torrent.shares.filter((share) => !gone.includes(share));
  if (first) {
    torrent.shares = [first, ...others];
    return done;
  }
  world.torrents.delete(hash);
  if (!withData) return done;
  const removed = new Set(goesWith(torrent, world.all, world.tree));
  const own = [...removed].filter((path) => torrent.disk.made.has(world.tree.files.get(path)!.identity));
  await waitUntil('own data to be deleted', SETTLE_MS, async () => {
    const { files } = await readTree(world.root, world.tree);
    return own.every((path) => !files.has(path)) || undefined;
  });
  // What it may only perhaps have taken over goes as soon, if it goes.
  await waitUntil('others', DELETE_MS, async () => {
    const { files } = await readTree(world.root, world.tree);
    return [...removed].every((path) => !files.has(path)) || undefined;
  }).catch(() => undefined);
  return { ...done, removed };
};

/** A seed that has all of what the torrent describes. */
export const seed: FileAct = async (world) => {
  const runs = world.all.filter(({ shares, hasMetadata }) => hasMetadata && shares.some(({ paused }) => !paused));
  if (runs.length === 0) return null;
  const torrent = world.pick(runs);
  const { made } = torrent;
  const shown = await world.look(made);
  if (!shown || shown.completed || shown.files_missing) return null;
  const content = { bytes: made.payload, infoHash: made.hash, pieceLength: PIECE_LENGTH };
  const peer = await seedContent(content, world.daemon.peerPort, Infinity);
  const isOver = async () => {
    const { json } = await world
      .client(world.admin)
      .api<{ readonly error: string | null }>('GET', `/api/torrents/${made.hash}/diagnosis`);
    return json.error !== null || (await world.look(made))?.completed || undefined;
  };
  const isMet = await waitUntil('a download', DOWNLOAD_MS, isOver).catch(() => false);
  peer.destroy();
  return {
    said: `seed ${made.hash.slice(0, 8)} ${made.name}${isMet ? '' : ', not complete'}`,
    expected: 200,
    status: 200,
    downloaded: torrent,
  };
};

/** By hand: a file is replaced, removed, or made where a torrent may look for one. */
export const byHand: FileAct = async (world) => {
  const known = [...world.tree.files.keys()];
  const guesses = Object.keys(SENTINELS).map((path) => join(world.root, path));
  const paths = [...known, ...guesses, ...world.all.flatMap(pathsOf)];
  const path = world.pick(paths);
  const isThere = world.tree.files.has(path);
  const isBlocked = world.tree.folders.has(path) || isUnusable(dirname(path), world.tree);
  if (isBlocked) return null;
  const said = { expected: 200, status: 200, isByHand: true };
  if (isThere && known.length > Object.keys(SENTINELS).length && world.oneIn(2)) {
    await rm(path);
    return { ...said, said: `by hand: ${path} removed` };
  }
  // Often right, as a guess of what somebody has.
  const bytes = world.pick(Object.values(SENTINELS));
  await mkdir(dirname(path), { recursive: true });
  const beside = join(dirname(path), `.${basename(path)}.new`);
  await writeFile(beside, bytes);
  await rename(beside, path);
  return { ...said, said: `by hand: ${path} ${isThere ? 'replaced' : 'made'}` };
};

export const restart: FileAct = async (world) => {
  const how = world.pick(['SIGTERM', 'SIGKILL'] as const);
  await world.restart(how);
  for (const torrent of world.all) torrent.isCheckedLately = false;
  return { said: `restart by ${how}`, expected: 200, status: 200 };
};

/** Nothing is being verified any more; what the checks have found is then looked at while they may still have changed it. */
export async function settled(world: World, look: () => Promise<void>): Promise<void> {
  await waitUntil(
    'checks to end',
    SETTLE_MS,
    async () => (await world.list(world.admin)).every(({ verifying }) => !verifying) || undefined,
  );
  await look();
  for (const { disk, hasMetadata } of world.all) if (hasMetadata) disk.isGranted = false;
}

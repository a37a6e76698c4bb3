// Whether what the daemon shows and what lies on disk is what the models say, after each act. Whatever is not explained
// by the rules is a fault, and throws.
import { isDeepStrictEqual } from 'node:util';
import { relative, sep } from 'node:path';
import { waitUntil } from '../../support/peers/wait-until.js';
import type { Touched } from './file-acts.js';
import { mayKnow, mayLieAt, pathsOf, placeOf, takeOver, type Placed } from './files-model.js';
import { shownTo, type Person } from './rights-model.js';
import type { Tree } from './tree.js';
import type { Listed, World } from './world.js';

/** What was answered is in the list at once; another account's figures come with the next tick. */
const LIST_MS = 5_000;
const PASSKEY = /passkey=[0-9a-f]{32}/;

export class Fault extends Error {}

/** Where a torrent was laid just then, seen in the tree before. */
export async function checkPlace(world: World, torrent: Placed): Promise<void> {
  const shown = await world.look(torrent.made);
  if (!shown?.content_path) throw new Fault(`${torrent.made.hash} has no place`);
  const owner = world.person(torrent.shares[0].holder);
  const [topName = ''] = relative(torrent.savePath, shown.content_path).split(sep);
  const { name, hash } = torrent.made;
  const own = { ...torrent, disk: { ...torrent.disk, topName: name } };
  const others = world.all.filter((other) => other !== torrent);
  const mayBeOwn = mayLieAt(torrent, placeOf(own)!, owner, others, world.tree);
  if (mayBeOwn === false && topName === name)
    throw new Fault(
      `${hash} of ${torrent.shares.map(({ holder }) => holder).join()} lies at ${shown.content_path}, which is not free`,
    );
  if (mayBeOwn === true && topName !== name) throw new Fault(`${hash} lies at ${topName}, though ${name} is free`);
  if (topName !== name && !topName.startsWith(`${name}.${hash.slice(0, 8)}`)) throw new Fault(`${hash}: ${topName}`);
  torrent.disk.topName = topName;
  if (topName !== name && mayLieAt(torrent, placeOf(torrent)!, owner, others, world.tree) === false)
    throw new Fault(`${hash} lies beside at ${topName}, which is not free either`);
}

/** Each file that is new, other or gone is so by an act that may. */
export async function checkFiles(world: World, touched: Touched): Promise<void> {
  const { downloaded, isByHand } = touched;
  const personOf = (id: number): Person => world.person(id);
  // What it may use now, before the act's own files are looked at.
  takeOver(world.all, personOf, world.tree);
  const before = await world.readTree();
  if (!isByHand) {
    const own = new Set(downloaded ? pathsOf(downloaded) : []);
    for (const path of new Set([...before.files.keys(), ...world.tree.files.keys()])) {
      checkFile(path, before, world.tree, touched, own);
    }
  }
  takeOver(world.all, personOf, world.tree);
}

function checkFile(
  path: string,
  before: Tree,
  after: Tree,
  { removed, downloaded }: Pick<Touched, 'removed' | 'downloaded'>,
  own: ReadonlySet<string>,
): void {
  const [was, is] = [before.files.get(path), after.files.get(path)];
  if (was && !is && !removed?.has(path)) throw new Fault(`${path} was removed`);
  if (!is) return;
  if (was?.identity === is.identity) {
    if (was.digest === is.digest) return;
    const isAllowed = downloaded && own.has(path) && downloaded.disk.usable.has(is.identity);
    if (!isAllowed) throw new Fault(`${path} was written to`);
    downloaded.disk.hasDownloaded = true;
    return;
  }
  if (was || !downloaded || !own.has(path)) throw new Fault(`${path} was ${was ? 'replaced' : 'made'}`);
  downloaded.disk.usable.add(is.identity);
  downloaded.disk.made.add(is.identity);
  downloaded.disk.everUsable.add(path);
  downloaded.disk.hasDownloaded = true;
}

/** Each account is shown what it may know, and nothing else. */
export async function checkLists(world: World): Promise<void> {
  for (const person of world.people) {
    let wrong = '';
    await waitUntil('the list', LIST_MS / 3, async () => {
      wrong = await listFault(world, person);
      return wrong === '' || undefined;
    }).catch(() => {
      throw new Fault(`list of ${person.username}: ${wrong}`);
    });
  }
}

async function listFault(world: World, person: Person): Promise<string> {
  const { status, json } = await world.client(person).api<readonly Listed[]>('GET', '/api/torrents');
  if (person.disabled) return status === 401 ? '' : `answered ${status}`;
  const listed = new Map(json.map((torrent) => [torrent.id, torrent]));
  for (const torrent of world.all) {
    const { hash } = torrent.made;
    const expected = shownTo(person, torrent);
    const shown = listed.get(hash);
    listed.delete(hash);
    if (expected === null && shown) return `${hash} is shown`;
    if (expected === null) continue;
    if (!shown) return `${hash} is not shown`;
    const name = torrent.disk.topName ?? expected.name;
    const trackers = expected.trackers === null ? null : new URL(shown.magnet).searchParams.getAll('tr');
    const { access, paused, sequential, category_id: category, name: shownName, save_path: savePath } = shown;
    const is = { access, paused, sequential, category, name: shownName, trackers, savePath };
    if (!isDeepStrictEqual(is, { ...expected, name })) {
      return `${hash} is shown as ${JSON.stringify(is)}, not ${JSON.stringify({ ...expected, name })}`;
    }
    if (access === 'viewer' && PASSKEY.test(decodeURIComponent(JSON.stringify(shown)))) return `${hash} has a passkey`;
    const most = torrent.hasMetadata ? mayKnow(torrent) : 0;
    if (shown.bytes_done > most) return `${hash} has ${shown.bytes_done} bytes, of which it may know ${most}`;
    if (shown.completed && shown.bytes_done === 0) return `${hash} is complete with nothing`;
  }
  return listed.size === 0 ? '' : `${[...listed.keys()].join()} is shown`;
}

// What people do at random, but for adding and what concerns files: each act is called, and the model says which status
// it has and what is different afterwards.
import { join } from 'node:path';
import { trackerOf, type PoolTorrent } from './pool.js';
import {
  accessByShare,
  actedOn,
  hasRight,
  isAdmin,
  verdict,
  type Access,
  type Person,
  type Share,
} from './rights-model.js';
import { RIGHTS, type World } from './world.js';

export interface Done {
  /** For the log of a failure. */
  readonly said: string;
  readonly expected: number;
  readonly status: number;
}

export type Act = (world: World, person: Person) => Promise<Done | null>;

/** Calls as the person, about the torrent, and changes the shares that it acts on. */
async function onTorrent(
  world: World,
  person: Person,
  made: PoolTorrent,
  call: { readonly method: string; readonly path: string; readonly body?: unknown },
  { needs, change = () => undefined }: { readonly needs: Access; readonly change?: (share: Share) => void },
): Promise<Done> {
  const torrent = world.torrents.get(made.hash);
  const expected = verdict(person, torrent, needs);
  const { status } = await world.client(person).api(call.method, call.path, call.body);
  if (expected === 200 && torrent) for (const share of actedOn(person, torrent)) change(share);
  return { said: `${call.method} ${call.path} ${JSON.stringify(call.body) ?? ''}`, expected, status };
}

const pauseOrResume: Act = (world, person) => {
  const made = world.anyTorrent();
  const paused = world.oneIn(2);
  const path = `/api/torrents/${made.hash}/${paused ? 'pause' : 'resume'}`;
  const change = (share: Share): void => void (share.paused = paused);
  return onTorrent(world, person, made, { method: 'POST', path }, { needs: 'editor', change });
};

const sequential: Act = (world, person) => {
  const made = world.anyTorrent();
  const enabled = world.oneIn(2);
  const body = { infohash: made.hash, enabled };
  const change = (share: Share): void => void (share.sequential = enabled);
  return onTorrent(
    world,
    person,
    made,
    { method: 'POST', path: '/api/torrents/sequential', body },
    { needs: 'editor', change },
  );
};

/** An administrator labels the owner's share. */
const category: Act = (world, person) => {
  const made = world.anyTorrent();
  const torrent = world.torrents.get(made.hash);
  const id = world.pick([null, ...world.categories]);
  const body = { infohash: made.hash, category_id: id };
  const change = (share: Share): void => {
    if (!isAdmin(person) || share === torrent?.shares[0]) share.category = id;
  };
  return onTorrent(
    world,
    person,
    made,
    { method: 'POST', path: '/api/torrents/category', body },
    { needs: 'editor', change },
  );
};

/** An administrator adds to the owner's share, and takes away from all. */
const tracker: Act = (world, person) => {
  const made = world.anyTorrent();
  const torrent = world.torrents.get(made.hash);
  const url = trackerOf(world.pick(world.people).username, world.below(2));
  const isAdded = world.oneIn(2);
  const change = (share: Share): void => {
    if (!isAdded) share.trackers = share.trackers.filter((other) => other !== url);
    else if (!share.trackers.includes(url) && (!isAdmin(person) || share === torrent?.shares[0])) {
      share.trackers = [...share.trackers, url];
    }
  };
  const path = `/api/torrents/${made.hash}/trackers`;
  const method = isAdded ? 'POST' : 'DELETE';
  return onTorrent(world, person, made, { method, path, body: { url } }, { needs: 'editor', change });
};

/** What changes nothing that is compared. */
const otherEdit: Act = (world, person) => {
  const made = world.anyTorrent();
  const infohash = made.hash;
  const body = world.pick([
    { path: 'file_priorities', method: 'POST', body: { infohash, priorities: { 0: world.pick(['normal', 'high']) } } },
    { path: 'queue_position', method: 'POST', body: { infohash, pos: world.below(5) } },
    { path: 'force_start', method: 'POST', body: { infohash, force: world.oneIn(2) } },
    { path: `${infohash}/rate_limits`, method: 'PUT', body: { down_kbps: 0, up_kbps: 1_000 } },
    { path: `${infohash}/seed_policy`, method: 'PUT', body: { use_global: true } },
    { path: `${infohash}/seeding_rule`, method: 'PUT', body: { rule: { ratio_limit: 99, action: 'pause' } } },
    { path: `${infohash}/peer_limits`, method: 'PUT', body: { max_peers: 50, upload_slots: world.below(5) } },
    { path: `${infohash}/super_seeding`, method: 'PUT', body: { enabled: world.oneIn(2) } },
  ]);
  return onTorrent(world, person, made, { ...body, path: `/api/torrents/${body.path}` }, { needs: 'editor' });
};

const read: Act = (world, person) => {
  const made = world.anyTorrent();
  const [what, needs] = world.pick([
    ['diagnosis', 'viewer'],
    ['details?tabs=files,peers,trackers', 'viewer'],
    ['rate_limits', 'viewer'],
    ['seed_policy', 'viewer'],
    ['seeding_rule', 'viewer'],
    ['peer_limits', 'viewer'],
    ['super_seeding', 'viewer'],
    ['shares', 'owner'],
  ] as const);
  return onTorrent(world, person, made, { method: 'GET', path: `/api/torrents/${made.hash}/${what}` }, { needs });
};

/** Of the own share; of the owner's, for an administrator, who takes back from all. */
const grantOrRevoke: Act = async (world, person) => {
  const { hash } = world.anyTorrent();
  const torrent = world.torrents.get(hash);
  const to = world.pick(world.people);
  const access = world.pick(['viewer', 'editor'] as const);
  const isGrant = !world.oneIn(3);
  const path = `/api/torrents/${hash}/shares${isGrant ? '' : `/${to.id}`}`;
  const body = isGrant ? { user_id: to.id, access } : undefined;
  const { status } = await world.client(person).api(isGrant ? 'POST' : 'DELETE', path, body);
  let expected = verdict(person, torrent, 'owner', 'perm_share');
  if (expected === 200 && torrent) {
    const shares = actedOn(person, torrent);
    if (isGrant && to.disabled) expected = 404;
    else if (shares.some(({ holder }) => holder === to.id)) expected = 400;
    else if (isGrant && to === person) expected = 400;
    else if (isGrant) shares[0]!.grants.set(to.id, access);
    else for (const { grants } of shares) grants.delete(to.id);
  }
  return { said: `${isGrant ? `grant ${access}` : 'revoke'} ${path} ${to.username}`, expected, status };
};

/** An administrator changes what an account is. Anybody else may not. */
const changeAccount: Act = async (world, person) => {
  const to = world.pick(world.people.slice(1));
  const isPrivileged = world.oneIn(6);
  const isDisabled = world.oneIn(6);
  const homes = ['', '', join(world.root, 'homes', 'carol'), join(world.root, 'sub')];
  const home = to.username === 'carol' ? world.pick(homes) : world.oneIn(5) ? world.pick(homes) : '';
  const rights = new Set(RIGHTS.filter((right) => !world.oneIn(right === 'perm_add_torrents' ? 8 : 3)));
  const given = Object.fromEntries(RIGHTS.map((right) => [right, rights.has(right)]));
  const body = { role: isPrivileged ? 'admin' : 'user', disabled: isDisabled, home, ...given };
  const { status } = await world.client(person).api('PUT', `/api/users/${to.id}`, body);
  const expected = person.disabled ? 401 : isAdmin(person) ? 200 : 403;
  if (expected === 200) {
    Object.assign(to, { role: isPrivileged ? 'admin' : 'user', disabled: isDisabled, home, rights });
  }
  return { said: `PUT /api/users/${to.id} ${JSON.stringify(body)}`, expected, status };
};

const global: Act = async (world, person) => {
  const [method, path, right] = world.pick([
    ['POST', '/api/settings/alt_speed/toggle', 'perm_change_settings'],
    ['PUT', '/api/settings/queue_limits', 'perm_change_settings'],
    ['DELETE', '/api/tags/999999', 'perm_manage_cat_tags'],
    ['GET', '/api/share_targets', 'perm_share'],
    ['GET', '/api/users', null],
    ['GET', '/api/torrents/overlaps', null],
  ] as const);
  const limits = { max_active_downloads: 0, max_active_seeds: 0 };
  const { status } = await world.client(person).api(method, path, method === 'PUT' ? limits : undefined);
  const mayPass = right === null ? isAdmin(person) : hasRight(person, right);
  const expected = person.disabled ? 401 : !mayPass ? 403 : method === 'DELETE' ? 404 : 200;
  return { said: `${method} ${path}`, expected, status };
};

export const ACTS: readonly Act[] = [
  pauseOrResume,
  sequential,
  category,
  tracker,
  otherEdit,
  read,
  grantOrRevoke,
  grantOrRevoke,
  changeAccount,
  global,
];

/** What adding does with a torrent that is there: merges trackers, or makes one more holder. @returns the status */
export function addAgain(
  person: Person,
  torrent: NonNullable<ReturnType<World['torrents']['get']>>,
  share: Share,
  byFile: boolean,
  own: Share | undefined,
): number {
  const access = accessByShare(person, own);
  if (own && (access === 'owner' || access === 'editor')) {
    if (torrent.hasMetadata && torrent.made.isPrivate) return 200;
    own.trackers = [...new Set([...own.trackers, ...share.trackers])];
    return 200;
  }
  if (torrent.hasMetadata && torrent.made.isPrivate && !byFile) return access !== null || isAdmin(person) ? 200 : 400;
  torrent.shares.push(share);
  return 200;
}

// What can be set of a torrent besides whether it is there, each with how it is asked for and where it is seen again.
// Values are JSON, so that they can be compared.
import type { DaemonUnderTest, Reply } from '../support/daemon.js';
import type { SeededRandom } from '../support/seeded-random.js';

/** Where torrents are asked for. */
type Asked = Pick<DaemonUnderTest, 'api' | 'torrent'>;

export interface Attribute {
  /** Of a new torrent. */
  readonly initial: string;
  choose(random: SeededRandom): string;
  ask(daemon: Asked, id: string, value: string): Promise<Reply>;
  /** null: the API shows it to open pages only; it is looked for in the records. */
  readonly show: ((daemon: Asked, id: string) => Promise<string>) | null;
}

/** What the list shows of a torrent. */
export interface ListedAttribute extends Attribute {
  seen(torrent: Shown): string;
}

/** What the attributes refer to; made before the first round. */
export const CATEGORY_IDS = [1, 2, 3];
export const TAG_ID = 1;
export const FRIEND_ID = 2;

const PRIORITIES = ['skip', 'normal', 'high', 'max'];

/** As `GET /api/torrents` shows it. */
export interface Shown {
  readonly id: string;
  readonly paused: boolean;
  readonly sequential: boolean;
  readonly force_start: boolean;
  readonly category_id: number | null;
  readonly tags: readonly { readonly id: number }[];
}

const listed = (attribute: Omit<ListedAttribute, 'show'>): ListedAttribute => ({
  ...attribute,
  show: async (daemon, id) => attribute.seen(await shown(daemon, id)),
});

const flag = (initial: boolean, ask: Attribute['ask'], seen: (torrent: Shown) => boolean): ListedAttribute =>
  listed({
    initial: String(initial),
    choose: (random) => String(random.below(2) === 0),
    ask,
    seen: (torrent) => String(seen(torrent)),
  });

export const LISTED_ATTRIBUTES = {
  paused: flag(
    false,
    (daemon, id, value) => daemon.api('POST', `/api/torrents/${id}/${value === 'true' ? 'pause' : 'resume'}`),
    ({ paused }) => paused,
  ),
  sequential: flag(
    false,
    (daemon, id, value) => post(daemon, '/api/torrents/sequential', { infohash: id, enabled: value === 'true' }),
    ({ sequential }) => sequential,
  ),
  tag: flag(
    false,
    (daemon, id, value) =>
      post(daemon, `/api/tags/${value === 'true' ? 'assign' : 'unassign'}`, { infohash: id, tag_id: TAG_ID }),
    ({ tags }) => tags.some((tag) => tag.id === TAG_ID),
  ),
  category: listed({
    initial: 'null',
    choose: (random) => String(CATEGORY_IDS[random.below(CATEGORY_IDS.length)]),
    ask: (daemon, id, value) =>
      post(daemon, '/api/torrents/category', { infohash: id, category_id: JSON.parse(value) as number }),
    seen: ({ category_id }) => String(category_id),
  }),
} satisfies Readonly<Record<string, ListedAttribute>>;

const ATTRIBUTES = {
  ...LISTED_ATTRIBUTES,
  priorities: {
    initial: JSON.stringify(['normal', 'normal', 'normal']),
    // Never all skipped: then nothing would be downloaded.
    choose: (random) => JSON.stringify([pick(random, PRIORITIES), pick(random, PRIORITIES), 'high']),
    ask: (daemon, id, value) =>
      post(daemon, '/api/torrents/file_priorities', {
        infohash: id,
        priorities: { ...(JSON.parse(value) as string[]) },
      }),
    show: null,
  },
  seedPolicy: {
    initial: JSON.stringify({ use_global: true, ratio_limit: null, time_min_limit: null }),
    choose: (random) => JSON.stringify({ use_global: false, ratio_limit: 1 + random.below(100), time_min_limit: null }),
    ask: (daemon, id, value) => daemon.api('PUT', `/api/torrents/${id}/seed_policy`, JSON.parse(value)),
    show: (daemon, id) => got(daemon, `/api/torrents/${id}/seed_policy`),
  },
  rateLimits: {
    initial: JSON.stringify({ down_kbps: 0, up_kbps: 0 }),
    choose: (random) => JSON.stringify({ down_kbps: 0, up_kbps: random.below(100_000) }),
    ask: (daemon, id, value) => daemon.api('PUT', `/api/torrents/${id}/rate_limits`, JSON.parse(value)),
    show: (daemon, id) => got(daemon, `/api/torrents/${id}/rate_limits`),
  },
  peerLimits: {
    initial: JSON.stringify({ max_peers: 0, upload_slots: 0 }),
    choose: (random) => JSON.stringify({ max_peers: 10 + random.below(50), upload_slots: 4 + random.below(50) }),
    ask: (daemon, id, value) => daemon.api('PUT', `/api/torrents/${id}/peer_limits`, JSON.parse(value)),
    show: (daemon, id) => got(daemon, `/api/torrents/${id}/peer_limits`),
  },
  superSeeding: {
    initial: JSON.stringify({ enabled: false }),
    choose: (random) => JSON.stringify({ enabled: random.below(2) === 0 }),
    ask: (daemon, id, value) => daemon.api('PUT', `/api/torrents/${id}/super_seeding`, JSON.parse(value)),
    show: (daemon, id) => got(daemon, `/api/torrents/${id}/super_seeding`),
  },
  share: {
    initial: 'none',
    choose: (random) => pick(random, ['none', 'viewer', 'editor']),
    ask: (daemon, id, value) =>
      value === 'none'
        ? daemon.api('DELETE', `/api/torrents/${id}/shares/${FRIEND_ID}`)
        : post(daemon, `/api/torrents/${id}/shares`, { user_id: FRIEND_ID, access: value }),
    async show(daemon, id) {
      const path = `/api/torrents/${id}/shares`;
      const { json } = await daemon.api<readonly { user_id: number; access: string }[]>('GET', path);
      return json.find(({ user_id }) => user_id === FRIEND_ID)?.access ?? 'none';
    },
  },
} satisfies Readonly<Record<string, Attribute>>;

export type AttributeName = keyof typeof ATTRIBUTES;
export const ATTRIBUTE_NAMES = Object.keys(ATTRIBUTES) as AttributeName[];

export function attribute(name: AttributeName): Attribute {
  return ATTRIBUTES[name];
}

export function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  return items[random.below(items.length)]!;
}

function post(daemon: Asked, path: string, body: unknown): Promise<Reply> {
  return daemon.api('POST', path, body);
}

async function got(daemon: Asked, path: string): Promise<string> {
  return JSON.stringify((await daemon.api('GET', path)).json);
}

async function shown(daemon: Asked, id: string): Promise<Shown> {
  return (await daemon.torrent(id)) as unknown as Shown;
}

/** Makes what the attributes refer to, with the ids of above. */
export async function makeReferences(daemon: Asked): Promise<void> {
  for (const id of CATEGORY_IDS) {
    await post(daemon, '/api/categories', { name: `preset ${id}`, default_save_path: '', color: '' });
  }
  await post(daemon, '/api/tags', { name: 'preset', color: '' });
  await post(daemon, '/api/users', { username: 'friend', password: 'correct horse' });
}

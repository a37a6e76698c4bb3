// Samples of the routes of docs/api.md, "RSS". Hosts are names that never resolve (RFC 6761): nothing is fetched.
import { randomUUID } from 'node:crypto';
import type { feedRoutes } from '../../../../api/routes/feeds.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = 987_654_321;
const newFeed = () => ({
  url: `https://me:secret@feeds.invalid/rss?passkey=secret`,
  name: `feed ${randomUUID()}`,
  interval_min: 0,
  enabled: true,
});

const makeFeed = async (scene: Scene, feed: object = newFeed()): Promise<number> =>
  (await scene.asAdmin<{ id: number }>('POST', '/api/feeds', feed)).id;

const newFilter = async (scene: Scene) => ({
  feed_id: await makeFeed(scene),
  regex: '(?i)s\\d{2}',
  category_id: null,
  save_path: '',
  enabled: true,
});

async function makeFilter(scene: Scene): Promise<{ id: number }> {
  const filter = await newFilter(scene);
  const { id } = await scene.asAdmin<{ id: number }>('POST', '/api/filters', filter);
  return { ...filter, id };
}

const BAD_FEEDS: readonly (readonly [object, string | RegExp])[] = [
  [{ url: '' }, 'url: not a URL'],
  [{ url: 'feeds.invalid/rss' }, 'url: not a URL'],
  [{ url: 'ftp://feeds.invalid/rss' }, 'url: expected an http or https URL'],
  [{ url: 'file:///etc/passwd' }, 'url: expected an http or https URL'],
  [{ url: 'http://127.0.0.1/rss' }, /^url: This URL points to a private address/],
  [{ url: 'http://2130706433/rss' }, /^url: This URL points to a private address/],
  [{ url: 'http://[::ffff:10.0.0.1]/rss' }, /^url: This URL points to a private address/],
  [{ url: 'http://localhost/rss' }, /^url: This URL points to a private address/],
  [{ url: `https://feeds.invalid/${'x'.repeat(2048)}` }, 'url: at most 2048 characters'],
  [{ name: 'a\u0007b' }, /^name: /],
  [{ interval_min: -1 }, 'interval_min: must not be negative'],
];

const BAD_FILTERS: readonly (readonly [object, number, string | RegExp])[] = [
  [{ regex: '(a' }, 400, /^regex: /],
  [{ regex: 'a(?=b)' }, 400, /^regex: /],
  [{ regex: 'x'.repeat(1001) }, 400, 'regex: at most 1000 characters'],
  [{ save_path: 'films' }, 400, 'save_path: Enter an absolute path, e.g. /data/torrents.'],
  [{ save_path: '/a\0b' }, 400, 'save_path: contains a NUL character'],
  [{ feed_id: UNKNOWN_ID }, 404, 'feed not found'],
  [{ category_id: UNKNOWN_ID }, 404, 'category not found'],
];

const nameOf = (change: object) => JSON.stringify(change).slice(0, 80);

const usedName: Refusal = {
  name: 'a name that is used, but for case',
  call: async (scene) => {
    const feed = newFeed();
    await makeFeed(scene, feed);
    return { body: { ...newFeed(), id: await makeFeed(scene), name: feed.name.toUpperCase() } };
  },
  status: 400,
  error: 'name: already used',
};

const unknown = (kind: string, param = 'id'): Refusal => ({
  name: 'an id that nobody has',
  call: { params: { [param]: String(UNKNOWN_ID) } },
  status: 404,
  error: `${kind} not found`,
});

export const feedSamples: Samples<typeof feedRoutes> = {
  'GET /api/feeds': {
    who: 'account',
    call: async (scene) => {
      await makeFeed(scene);
      return {};
    },
    answer: [
      {
        id: Number,
        url: String,
        name: String,
        interval_min: 0,
        last_polled: 0,
        etag: '',
        enabled: true,
        failing: Boolean,
      },
    ],
  },
  'POST /api/feeds': {
    who: 'perm_manage_rss',
    call: () => ({ body: newFeed() }),
    answer: { id: Number },
    refusals: [
      ...BAD_FEEDS.map(([change, error]): Refusal => ({
        name: nameOf(change),
        call: { body: { ...newFeed(), ...change } },
        status: 400,
        error,
      })),
      usedName,
    ],
  },
  'PUT /api/feeds': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ body: { ...newFeed(), id: await makeFeed(scene), enabled: false } }),
    answer: OK,
    refusals: [
      ...BAD_FEEDS.map(([change, error]): Refusal => ({
        name: nameOf(change),
        call: async (scene) => ({ body: { ...newFeed(), id: await makeFeed(scene), ...change } }),
        status: 400,
        error,
      })),
      usedName,
      { ...unknown('feed'), call: { body: { ...newFeed(), id: UNKNOWN_ID } } },
    ],
  },
  'DELETE /api/feeds/{id}': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ params: { id: String(await makeFeed(scene)) } }),
    answer: OK,
    refusals: [unknown('feed')],
  },
  // A feed that can be got is in feeds.test.ts.
  'GET /api/feeds/{feedID}/items': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ params: { feedID: String(await makeFeed(scene)) } }),
    status: 502,
    answer: { error: /^feed: host name/ },
    refusals: [unknown('feed', 'feedID')],
  },
  'GET /api/feeds/{feedID}/state': {
    who: 'perm_manage_rss',
    // One that is not polled meanwhile.
    call: async (scene) => ({ params: { feedID: String(await makeFeed(scene, { ...newFeed(), enabled: false })) } }),
    answer: { last_error: '', next_poll: 0, failures: 0, added: 0 },
    refusals: [unknown('feed', 'feedID')],
  },
  'GET /api/feeds/{feedID}/filters': {
    who: 'account',
    call: async (scene) => {
      const filter = await newFilter(scene);
      await scene.asAdmin('POST', '/api/filters', filter);
      return { params: { feedID: String(filter.feed_id) } };
    },
    answer: [{ id: Number, feed_id: Number, regex: '(?i)s\\d{2}', category_id: null, save_path: '', enabled: true }],
    refusals: [unknown('feed', 'feedID')],
  },
  'POST /api/filters': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ body: await newFilter(scene) }),
    answer: { id: Number },
    refusals: BAD_FILTERS.map(([change, status, error]): Refusal => ({
      name: nameOf(change),
      call: async (scene) => ({ body: { ...(await newFilter(scene)), ...change } }),
      status,
      error,
    })),
  },
  'PUT /api/filters': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ body: { ...(await makeFilter(scene)), regex: '' } }),
    answer: OK,
    refusals: [
      ...BAD_FILTERS.map(([change, status, error]): Refusal => ({
        name: nameOf(change),
        call: async (scene) => ({ body: { ...(await makeFilter(scene)), ...change } }),
        status,
        error,
      })),
      {
        ...unknown('filter'),
        call: async (scene) => ({ body: { ...(await makeFilter(scene)), id: UNKNOWN_ID } }),
      },
    ],
  },
  'DELETE /api/filters/{id}': {
    who: 'perm_manage_rss',
    call: async (scene) => ({ params: { id: String((await makeFilter(scene)).id) } }),
    answer: OK,
    refusals: [unknown('filter')],
  },
};

// Samples of the routes of docs/api.md, "Categories and tags".
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { labelRoutes } from '../../../../api/routes/labels.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = 987_654_321;
const newCategory = () => ({ name: `films/${randomUUID()}`, default_save_path: '', color: '#0af' });
const newTag = () => ({ name: `tag ${randomUUID()}`, color: '' });

async function made(scene: Scene, path: string, body: object): Promise<number> {
  return (await scene.asAdmin<{ id: number }>('POST', path, body)).id;
}

const badCategory = (name: string, change: object, error: string | RegExp): Refusal => ({
  name,
  call: { body: { ...newCategory(), ...change } },
  status: 400,
  error,
});
const badTag = (name: string, change: object, error: string | RegExp): Refusal => ({
  name,
  call: { body: { ...newTag(), ...change } },
  status: 400,
  error,
});

const BAD_CATEGORIES: readonly Refusal[] = [
  badCategory('a name of blanks', { name: ' \t ' }, 'name: must not be empty'),
  badCategory('a name of 101 characters', { name: 'x'.repeat(101) }, 'name: at most 100 characters'),
  badCategory('a control character', { name: 'a\u0007b' }, 'name: must not contain control characters'),
  ...['/a', 'a/', 'a//b', 'a\\b'].map((name) => badCategory(name, { name }, /^name: must not begin or end with \//)),
  badCategory('a colour that is none', { color: '#12345' }, 'color: expected a colour like #09f'),
  badCategory(
    'a relative path',
    { default_save_path: 'films' },
    'default_save_path: Enter an absolute path, e.g. /data/torrents.',
  ),
  badCategory('a path with NUL', { default_save_path: '/a\0b' }, 'default_save_path: contains a NUL character'),
  badCategory('an endless path', { default_save_path: `/${'x'.repeat(4096)}` }, /^default_save_path: at most 4096/),
  {
    name: 'a file for a path',
    call: ({ harness }) => ({
      body: { ...newCategory(), default_save_path: join(harness.dataDir, 'runtime.json', 'x') },
    }),
    status: 400,
    error: 'default_save_path: not a directory',
  },
];

export const labelSamples: Samples<typeof labelRoutes> = {
  'GET /api/categories': {
    who: 'account',
    call: async (scene) => {
      await made(scene, '/api/categories', newCategory());
      return {};
    },
    answer: [{ id: Number, name: String, default_save_path: '', color: '#0af' }],
  },
  'POST /api/categories': {
    who: 'perm_manage_cat_tags',
    call: ({ harness }) => ({ body: { ...newCategory(), default_save_path: join(harness.filesDir, 'films') } }),
    answer: { id: Number },
    refusals: [
      ...BAD_CATEGORIES,
      {
        name: 'a name that is used, but for case',
        call: async (scene) => {
          const category = newCategory();
          await made(scene, '/api/categories', category);
          return { body: { ...category, name: ` ${category.name.toUpperCase()} ` } };
        },
        status: 400,
        error: 'name: already used',
      },
    ],
  },
  'PUT /api/categories': {
    who: 'perm_manage_cat_tags',
    call: async (scene) => {
      const category = newCategory();
      return { body: { ...category, id: await made(scene, '/api/categories', category), color: 'red' } };
    },
    answer: OK,
    refusals: [
      ...BAD_CATEGORIES.map((refusal) => ({
        ...refusal,
        call: async (scene: Scene) => {
          const call = typeof refusal.call === 'function' ? await refusal.call(scene) : refusal.call;
          return { body: { ...(call.body as object), id: await made(scene, '/api/categories', newCategory()) } };
        },
      })),
      {
        name: 'an id that nobody has',
        call: { body: { ...newCategory(), id: UNKNOWN_ID } },
        status: 404,
        error: 'category not found',
      },
      { name: 'an id of 0', call: { body: { ...newCategory(), id: 0 } }, status: 400, error: 'id: at least 1' },
    ],
  },
  'DELETE /api/categories/{id}': {
    who: 'perm_manage_cat_tags',
    call: async (scene) => ({ params: { id: String(await made(scene, '/api/categories', newCategory())) } }),
    answer: OK,
    refusals: [
      { name: 'an unknown id', call: { params: { id: String(UNKNOWN_ID) } }, status: 404, error: 'category not found' },
    ],
  },
  'GET /api/tags': {
    who: 'account',
    call: async (scene) => {
      await made(scene, '/api/tags', newTag());
      return {};
    },
    answer: [{ id: Number, name: /^tag /, color: '' }],
  },
  'POST /api/tags': {
    who: 'perm_manage_cat_tags',
    call: () => ({ body: newTag() }),
    answer: { id: Number },
    refusals: [
      badTag('a comma', { name: 'a,b' }, 'name: must not contain a comma'),
      badTag('no name', { name: '' }, 'name: must not be empty'),
      badTag('a colour that is none', { color: 'rgb(1,2,3)' }, 'color: expected a colour like #09f'),
      {
        name: 'a name that is used',
        call: async (scene) => {
          const tag = newTag();
          await made(scene, '/api/tags', tag);
          return { body: tag };
        },
        status: 400,
        error: 'name: already used',
      },
    ],
  },
  'PUT /api/tags': {
    who: 'perm_manage_cat_tags',
    call: async (scene) => {
      const tag = newTag();
      const id = await made(scene, '/api/tags', tag);
      return { body: { id, name: tag.name.toUpperCase(), color: '#0af' } };
    },
    answer: OK,
    refusals: [
      ...[
        badTag('a comma', { name: 'a,b' }, 'name: must not contain a comma'),
        badTag('a colour that is none', { color: 'rgb(1,2,3)' }, 'color: expected a colour like #09f'),
      ].map((refusal) => ({
        ...refusal,
        call: async (scene: Scene) => {
          const call = typeof refusal.call === 'function' ? await refusal.call(scene) : refusal.call;
          return { body: { ...(call.body as object), id: await made(scene, '/api/tags', newTag()) } };
        },
      })),
      {
        name: "another one's name",
        call: async (scene) => {
          const other = newTag();
          await made(scene, '/api/tags', other);
          return { body: { ...other, id: await made(scene, '/api/tags', newTag()) } };
        },
        status: 400,
        error: 'name: already used',
      },
      {
        name: 'an id that nobody has',
        call: { body: { ...newTag(), id: UNKNOWN_ID } },
        status: 404,
        error: 'tag not found',
      },
    ],
  },
  'DELETE /api/tags/{id}': {
    who: 'perm_manage_cat_tags',
    call: async (scene) => ({ params: { id: String(await made(scene, '/api/tags', newTag())) } }),
    answer: OK,
    refusals: [
      { name: 'an unknown id', call: { params: { id: String(UNKNOWN_ID) } }, status: 404, error: 'tag not found' },
    ],
  },
  'POST /api/tags/assign': {
    who: { access: 'editor' },
    call: async (scene) => ({
      body: { infohash: scene.torrentId, tag_id: await made(scene, '/api/tags', newTag()) },
    }),
    answer: OK,
    refusals: [unknownTag()],
  },
  'POST /api/tags/unassign': {
    who: { access: 'editor' },
    call: async (scene) => ({
      body: { infohash: scene.torrentId, tag_id: await made(scene, '/api/tags', newTag()) },
    }),
    answer: OK,
    refusals: [unknownTag()],
  },
};

function unknownTag(): Refusal {
  return {
    name: 'an unknown tag',
    call: ({ torrentId }) => ({ body: { infohash: torrentId, tag_id: UNKNOWN_ID } }),
    status: 404,
    error: 'tag not found',
  };
}

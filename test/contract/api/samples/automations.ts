// Samples of the routes of docs/api.md, "Additions": automations. What rules do is in test/contract/api/automations.test.ts.
import type { automationRoutes } from '../../../../api/routes/automations.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = '987654321';
/** It holds for nothing. */
const RULE = {
  name: 'Pause what is seeded',
  enabled: false,
  when: {
    match: 'all',
    conditions: [
      { field: 'ratio', op: 'at_least', value: 1_000_000 },
      { field: 'group', match: 'any', conditions: [{ field: 'private', value: false }] },
    ],
  },
  actions: [{ action: 'pause' }],
};

/** An account may have only so many. */
async function deleteAll({ asCaller }: Scene): Promise<void> {
  for (const { id } of await asCaller<{ id: number }[]>('GET', '/api/automations')) {
    await asCaller('DELETE', `/api/automations/${id}`);
  }
}

async function newRule(scene: Scene): Promise<string> {
  await deleteAll(scene);
  return String((await scene.asCaller<{ id: number }>('POST', '/api/automations', RULE)).id);
}

const unknown = (body?: object): Refusal => ({
  name: 'no such automation',
  call: { params: { id: UNKNOWN_ID }, ...(body ? { body } : {}) },
  status: 404,
  error: 'automation not found',
});
const bad = (name: string, change: object, error: string | RegExp, status = 400): Refusal => ({
  name,
  call: { body: { ...RULE, ...change } },
  status,
  error,
});
const when = (...conditions: readonly object[]) => ({ when: { match: 'all', conditions } });
const nested = (depth: number): object =>
  depth === 0 ? { field: 'private', value: true } : { field: 'group', match: 'all', conditions: [nested(depth - 1)] };

export const automationSamples: Samples<typeof automationRoutes> = {
  'GET /api/automations': {
    who: 'account',
    call: async (scene) => {
      await newRule(scene);
      return {};
    },
    answer: [{ id: Number, user_id: Number, name: RULE.name, enabled: false, scope: 'own', held: null, last_run: 0 }],
  },
  'POST /api/automations': {
    who: 'account',
    call: async (scene) => {
      await deleteAll(scene);
      return { body: RULE };
    },
    answer: { id: Number },
    refusals: [
      bad('no name', { name: ' ' }, 'name: must not be empty'),
      bad('no condition', when(), /^when\.conditions: /),
      bad('a field that there is not', when({ field: 'colour' }), /^when\.conditions\.0\.field: /),
      bad('a number below none', when({ field: 'ratio', op: 'at_least', value: -1 }), /must not be negative$/),
      bad('too deep', when(nested(3)), /^when\.conditions/),
      bad(
        'too many conditions in all groups',
        when(nested(2), ...Array.from({ length: 20 }, () => nested(1))),
        /^when/,
      ),
      bad(
        'a pattern that is none',
        when({ field: 'name', op: 'matches', syntax: 'regex', pattern: '(' }),
        /^pattern: Invalid regular expression/,
      ),
      bad('no action', { actions: [] }, /^actions: /),
      bad('two of a kind', { actions: [{ action: 'pause' }, { action: 'resume' }] }, /^actions: two of them/),
      bad(
        'something beside a removal',
        { actions: [{ action: 'remove', delete_data: false }, { action: 'pause' }] },
        /^actions: what removes/,
      ),
      bad('no such tag', { actions: [{ action: 'add_tag', tag_id: 987_654 }] }, 'tag not found', 404),
      bad('no such category', { actions: [{ action: 'category', category_id: 987_654 }] }, 'category not found', 404),
    ],
  },
  'POST /api/automations/preview': {
    who: 'account',
    call: () => ({ body: { rule: RULE } }),
    answer: { torrents: Number, matching: 0, acting: 0, complete: true, would_hold: false, matches: [] },
    refusals: [{ name: 'no rule', call: { body: {} }, status: 400, error: 'rule: required' }],
  },
  'PUT /api/automations/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newRule(scene) }, body: { name: 'Another', position: 0 } }),
    answer: OK,
    refusals: [unknown({ enabled: true })],
  },
  'DELETE /api/automations/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newRule(scene) } }),
    answer: OK,
    refusals: [unknown()],
  },
  'GET /api/automations/{id}/history': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newRule(scene) } }),
    answer: [],
    refusals: [unknown()],
  },
};

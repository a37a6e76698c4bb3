// Samples of the routes of docs/api.md, "Schedule rules".
import type { scheduleRoutes } from '../../../../api/routes/schedule.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = 987_654_321;
const RULE = {
  id: 0,
  days_mask: 127,
  start_min: 1320,
  end_min: 360,
  down_kbps: 100,
  up_kbps: 0,
  alt_only: false,
  enabled: true,
};

async function made(scene: Scene): Promise<number> {
  return (await scene.asAdmin<{ id: number }>('POST', '/api/schedule_rules', RULE)).id;
}

const bad = (change: object, error: string): Refusal => ({
  name: JSON.stringify(change),
  call: async (scene) => ({ body: { ...RULE, id: await made(scene), ...change } }),
  status: 400,
  error,
});
const BAD_RULES = [
  bad({ days_mask: 128 }, 'days_mask: at most 127'),
  bad({ days_mask: -1 }, 'days_mask: must not be negative'),
  bad({ start_min: 1440 }, 'start_min: at most 1439'),
  bad({ end_min: 1440 }, 'end_min: at most 1439'),
  bad({ end_min: -1 }, 'end_min: must not be negative'),
  bad({ down_kbps: -1 }, 'down_kbps: must not be negative'),
  bad({ up_kbps: -0.5 }, 'up_kbps: must not be negative'),
];

export const scheduleSamples: Samples<typeof scheduleRoutes> = {
  'GET /api/schedule_rules': {
    who: 'account',
    call: async (scene) => {
      await made(scene);
      return {};
    },
    answer: [{ ...RULE, id: Number }],
  },
  'POST /api/schedule_rules': {
    who: 'perm_change_settings',
    call: () => ({ body: RULE }),
    answer: { id: Number },
    refusals: BAD_RULES,
  },
  'PUT /api/schedule_rules': {
    who: 'perm_change_settings',
    call: async (scene) => ({ body: { ...RULE, id: await made(scene), enabled: false } }),
    answer: OK,
    refusals: [
      ...BAD_RULES,
      { name: 'an unknown id', call: { body: { ...RULE, id: UNKNOWN_ID } }, status: 404, error: 'rule not found' },
    ],
  },
  'DELETE /api/schedule_rules/{id}': {
    who: 'perm_change_settings',
    call: async (scene) => ({ params: { id: String(await made(scene)) } }),
    answer: OK,
    refusals: [
      { name: 'an unknown id', call: { params: { id: String(UNKNOWN_ID) } }, status: 404, error: 'rule not found' },
    ],
  },
};

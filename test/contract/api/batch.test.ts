// One action on many torrents: of each comes what the route for one torrent would have made of it, whoever asks.
import t from 'tap';
import type { BatchOutcome } from '../../../shared-protocol/dto/batch-outcome.js';
import type { BatchAction } from '../../../shared-protocol/dto/batch.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { startHarness } from '../../support/api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY, type Client } from '../../support/browser.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const TIMEOUT_MS = 60_000;
const PASSWORD = 'correct horse';
const OWN = parseInfoHash('a'.repeat(40));
const EDITED = parseInfoHash('b'.repeat(40));
const VIEWED = parseInfoHash('c'.repeat(40));
const HIDDEN = parseInfoHash('d'.repeat(40));
const NONE = '0'.repeat(40);
const ALL = [OWN, EDITED, VIEWED, HIDDEN, NONE, 'no-hash'];
const TRACKER = { url: 'http://t.example/announce' };
const TIERS = { tiers: [['http://t.example/announce']] };

type Call = readonly [method: string, path: string, body?: unknown];

/** Each action, and the route that does it to one torrent. */
const ACTIONS: readonly (readonly [BatchAction, (id: string) => Call])[] = [
  [{ action: 'pause' }, (id) => ['POST', `/api/torrents/${id}/pause`]],
  [{ action: 'announce' }, (id) => ['POST', `/api/torrents/${id}/announce`]],
  [{ action: 'resume' }, (id) => ['POST', `/api/torrents/${id}/resume`]],
  [{ action: 'recheck' }, (id) => ['POST', `/api/torrents/${id}/recheck`]],
  [{ action: 'move', path: 'elsewhere' }, (id) => ['POST', `/api/torrents/${id}/move`, { path: 'elsewhere' }]],
  [{ action: 'move', path: '/etc' }, (id) => ['POST', `/api/torrents/${id}/move`, { path: '/etc' }]],
  [
    { action: 'category', category_id: 99 },
    (infohash) => named('/api/torrents/category', { infohash, category_id: 99 }),
  ],
  [{ action: 'add_tag', tag_id: 99 }, (infohash) => named('/api/tags/assign', { infohash, tag_id: 99 })],
  [{ action: 'remove_tag', tag_id: 1 }, (infohash) => named('/api/tags/unassign', { infohash, tag_id: 1 })],
  [{ action: 'queue_position', pos: 0 }, (infohash) => named('/api/torrents/queue_position', { infohash, pos: 0 })],
  [{ action: 'force_start', force: true }, (infohash) => named('/api/torrents/force_start', { infohash, force: true })],
  [
    { action: 'sequential', enabled: true },
    (infohash) => named('/api/torrents/sequential', { infohash, enabled: true }),
  ],
  [{ action: 'super_seeding', enabled: true }, (id) => ['PUT', `/api/torrents/${id}/super_seeding`, { enabled: true }]],
  [
    { action: 'first_last_first', enabled: true },
    (infohash) => named('/api/torrents/first_last_first', { infohash, enabled: true }),
  ],
  [
    { action: 'seed_policy', policy: { use_global: true } },
    (id) => ['PUT', `/api/torrents/${id}/seed_policy`, { use_global: true }],
  ],
  [
    { action: 'seeding_rule', rule: { action: 'remove' } },
    (id) => ['PUT', `/api/torrents/${id}/seeding_rule`, { rule: { action: 'remove' } }],
  ],
  [{ action: 'seeding_rule', rule: null }, (id) => ['PUT', `/api/torrents/${id}/seeding_rule`, { rule: null }]],
  [
    { action: 'rate_limits', down_kbps: 5, up_kbps: 6 },
    (id) => ['PUT', `/api/torrents/${id}/rate_limits`, { down_kbps: 5, up_kbps: 6 }],
  ],
  [
    { action: 'peer_limits', max_peers: 5, upload_slots: 6 },
    (id) => ['PUT', `/api/torrents/${id}/peer_limits`, { max_peers: 5, upload_slots: 6 }],
  ],
  [{ action: 'add_peers', peers: ['bad'] }, (id) => ['POST', `/api/torrents/${id}/peers`, { peers: ['bad'] }]],
  [{ action: 'add_tracker', ...TRACKER }, (id) => ['POST', `/api/torrents/${id}/trackers`, TRACKER]],
  [{ action: 'remove_tracker', ...TRACKER }, (id) => ['DELETE', `/api/torrents/${id}/trackers`, TRACKER]],
  [{ action: 'set_trackers', ...TIERS }, (id) => ['PUT', `/api/torrents/${id}/trackers`, TIERS]],
  [
    { action: 'share', user_id: 99, access: 'viewer' },
    (id) => ['POST', `/api/torrents/${id}/shares`, { user_id: 99, access: 'viewer' }],
  ],
  [{ action: 'unshare', user_id: 99 }, (id) => ['DELETE', `/api/torrents/${id}/shares/99`]],
  [{ action: 'remove', delete_data: false }, (id) => ['DELETE', `/api/torrents/${id}`]],
];

const named = (path: string, body: unknown): Call => ['POST', path, body];

/** ann, who owns one torrent, edits one, views one, and knows nothing of the last. */
async function start(t: { teardown(handler: () => Promise<void>): void }, permissions: object = {}) {
  const harness = await startHarness({ args: THROUGH_A_PROXY });
  t.teardown(() => harness.close());
  const admin = await scriptOf(harness, await openBrowser(harness, 'admin', harness.password));
  const user = { username: 'ann', password: PASSWORD, perm_add_torrents: true, ...permissions };
  const { id } = await admin.ask<{ id: number }>('POST', '/api/users', user);
  const ann = await scriptOf(harness, await openBrowser(harness, 'ann', PASSWORD));
  const add = (client: Client, hash: string) =>
    client.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${hash}` });
  await add(ann, OWN);
  for (const hash of [EDITED, VIEWED, HIDDEN]) await add(admin, hash);
  await admin.ask('POST', `/api/torrents/${EDITED}/shares`, { user_id: id, access: 'editor' });
  await admin.ask('POST', `/api/torrents/${VIEWED}/shares`, { user_id: id, access: 'viewer' });
  return { harness, admin, ann, annId: id };
}

const batch = async (client: Client, ids: readonly string[], action: BatchAction) =>
  (await client.ask<{ outcomes: BatchOutcome[] }>('POST', '/api/torrents/batch', { ids, ...action })).outcomes;

for (const permissions of [{}, { perm_share: true }]) {
  void t.test(`of each torrent what its route says, ${JSON.stringify(permissions)}`, async (t) => {
    const one = await start(t, permissions);
    const many = await start(t, permissions);
    for (const who of ['ann', 'admin'] as const) {
      for (const [action, route] of ACTIONS) {
        const outcomes = await batch(many[who], ALL, action);
        t.same(
          outcomes.map(({ id }) => id),
          ALL,
        );
        for (const { id, ok, status = 200, error } of outcomes) {
          const [method, path, body] = route(id);
          const answer = await one[who].call(method, path, body);
          const said = { status: answer.status, error: answer.json<{ error?: string }>().error };
          // The field of a body is called infohash, and that of a path id.
          const expected = said.error?.replace(/^(infohash|id): /, 'ids: ');
          t.same(
            { ok, status, error },
            { ok: said.status === 200, status: said.status, error: expected },
            `${who}: ${action.action} ${id}`,
          );
        }
      }
    }
  });
}

void t.test('torrents move in the queue together, in their order, if they may be edited', async (t) => {
  const { admin, ann } = await start(t);
  const order = async () =>
    (await admin.ask<{ id: string; queue_position: number }[]>('GET', '/api/torrents'))
      .sort((a, b) => a.queue_position - b.queue_position)
      .map(({ id }) => id);
  t.same(await order(), [OWN, EDITED, VIEWED, HIDDEN]);
  t.same(await batch(admin, [HIDDEN, VIEWED], { action: 'queue_move', to: 'top' }), [
    { id: HIDDEN, ok: true },
    { id: VIEWED, ok: true },
  ]);
  t.same(await order(), [VIEWED, HIDDEN, OWN, EDITED], 'as they stood, not as they were named');
  const answers = await batch(ann, ALL, { action: 'queue_move', to: 'up' });
  t.same(
    answers.map(({ id, status = 200 }) => [id, status]),
    [
      [OWN, 200],
      [EDITED, 200],
      [VIEWED, 403],
      [HIDDEN, 403],
      [NONE, 403],
      ['no-hash', 403],
    ],
  );
  t.same(await order(), [VIEWED, OWN, EDITED, HIDDEN]);
  await batch(admin, [VIEWED, OWN], { action: 'queue_move', to: 1 });
  t.same(await order(), [EDITED, VIEWED, OWN, HIDDEN]);
  for (const to of ['first', 1.5, null]) {
    const refused = await admin.call('POST', '/api/torrents/batch', { ids: [OWN], action: 'queue_move', to });
    t.equal(refused.status, 400, String(to));
  }
});

void t.test('each torrent once, however often it is named', async (t) => {
  const { ann } = await start(t);
  const remove = { action: 'remove', delete_data: true } as const;
  t.same(await batch(ann, [OWN, OWN, HIDDEN, OWN], remove), [
    { id: OWN, ok: true },
    { id: HIDDEN, ok: false, status: 403, error: 'forbidden' },
  ]);
});

void t.test('rights that are taken away while a batch is under way end it', async (t) => {
  const { harness, admin, ann, annId } = await start(t);
  const hashes = Array.from({ length: 600 }, (_, i) => i.toString(16).padStart(40, 'e'));
  for (const hash of hashes) await ann.ask('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${hash}` });
  let release = (): void => undefined;
  harness.engine.pauseHeldBy = new Promise((resolve) => (release = resolve));
  const answer = ann.call('POST', '/api/torrents/batch', { ids: hashes, action: 'pause' });
  await waitUntil('the first pauses', TIMEOUT_MS, () => harness.engine.pausesAsked > 0 || undefined);
  await admin.ask('PUT', `/api/users/${annId}`, { disabled: true });
  release();
  const { outcomes } = (await answer).json<{ outcomes: BatchOutcome[] }>();
  t.ok(
    outcomes.some(({ ok }) => ok),
    'what had begun is done',
  );
  t.ok(outcomes.at(-1)?.status === 403, 'and nothing after that');
});

void t.test('others are answered while twenty thousand torrents are refused', async (t) => {
  const { admin, ann } = await start(t);
  const ids = Array.from({ length: 20_000 }, (_, i) => i.toString(16).padStart(40, 'f'));
  for (const action of [{ action: 'pause' }, { action: 'queue_move', to: 'top' }] as const) {
    let isUnderWay = true;
    const refused = batch(ann, ids, action).finally(() => (isUnderWay = false));
    let answered = 0;
    for (; isUnderWay; answered++) await admin.ask('GET', '/api/me');
    t.ok(answered >= 10, `${action.action}: ${answered}`);
    t.ok((await refused).every(({ status }) => status === 403));
  }
});

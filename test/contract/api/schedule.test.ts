// Schedule rules through the API: what was stored is what is shown, across restarts.
import t from 'tap';
import { startHarness, type Harness } from '../../support/api-harness.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const NIGHT = {
  days_mask: 32,
  start_min: 1320,
  end_min: 360,
  down_kbps: 0,
  up_kbps: 100,
  alt_only: false,
  enabled: true,
};

function clientOf(harness: Harness, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  return async (method: string, path = '', body?: unknown) => {
    const options = { headers, ...(body === undefined ? {} : { body }) };
    const answer = await harness.call(method, `/api/schedule_rules${path}`, options);
    return [answer.status, answer.json<unknown>()];
  };
}

void t.test('made, changed, deleted, and kept', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await startHarness({ dataDir });
  const key = await first.apiKey();
  const call = clientOf(first, key);
  t.same(await call('GET'), [200, []]);
  t.same(await call('POST', '', { ...NIGHT, id: 99, unknown: true }), [200, { id: 1 }], 'the id is ignored');
  t.same(await call('POST', '', { ...NIGHT, days_mask: 0, up_kbps: 10.9, alt_only: true }), [200, { id: 2 }]);
  t.same(await call('PUT', '', { ...NIGHT, id: 1, enabled: false }), [200, { ok: true }]);
  const expected = [
    { ...NIGHT, id: 1, enabled: false },
    { ...NIGHT, id: 2, days_mask: 0, up_kbps: 10, alt_only: true },
  ];
  t.same(await call('GET'), [200, expected]);
  await first.close();
  const second = await startHarness({ dataDir });
  t.teardown(() => second.close());
  const again = clientOf(second, key);
  t.same(await again('GET'), [200, expected]);
  t.same(await again('DELETE', '/1'), [200, { ok: true }]);
  t.same(await again('DELETE', '/1'), [404, { error: 'rule not found' }]);
  t.same(await again('DELETE', '/2'), [200, { ok: true }]);
  t.same(await again('POST', '', NIGHT), [200, { id: 3 }], 'no id is given out twice');
});

void t.test('a refused rule leaves nothing behind', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const call = clientOf(harness, await harness.apiKey());
  t.match(await call('POST', '', { ...NIGHT, end_min: 1440 }), [400, { error: 'end_min: at most 1439' }]);
  t.match(await call('POST', '', { ...NIGHT, enabled: undefined }), [400, { error: 'enabled: required' }]);
  t.match(await call('PUT', '', NIGHT), [400, { error: 'id: required' }]);
  t.same(await call('GET'), [200, []]);
  t.same(await call('POST', '', { ...NIGHT, start_min: 0, end_min: 0 }), [200, { id: 1 }]);
});

void t.test('a rule holds from the moment it is stored, and after a restart', async (t) => {
  const dataDir = await temporaryDirectory();
  const first = await startHarness({ dataDir });
  const key = await first.apiKey();
  const call = clientOf(first, key);
  const inForce = async (harness: Harness) => {
    const answer = await harness.call('GET', '/api/settings/limits_in_force', {
      headers: { authorization: `Bearer ${key}` },
    });
    const { now, ...limits } = answer.json<{ readonly now: string }>();
    t.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000, now);
    return limits;
  };
  const global = { source: 'global', rule_id: null, down_kbps: 0, up_kbps: 0 };
  t.same(await inForce(first), global);
  // Any minute of any day.
  const always = { ...NIGHT, days_mask: 127, start_min: 0, end_min: 0, down_kbps: 7 };
  t.same(await call('POST', '', always), [200, { id: 1 }]);
  const ruled = { source: 'rule', rule_id: 1, down_kbps: 7, up_kbps: 100 };
  t.same(await inForce(first), ruled);
  t.same(first.engine.rateLimits, { downBytesPerSec: 7 * 1024, upBytesPerSec: 100 * 1024 });
  await first.close();
  const second = await startHarness({ dataDir });
  t.teardown(() => second.close());
  t.same(second.engine.started?.rateLimits, { downBytesPerSec: 7 * 1024, upBytesPerSec: 100 * 1024 });
  t.same(await clientOf(second, key)('DELETE', '/1'), [200, { ok: true }]);
  t.same(await inForce(second), global);
  t.same(second.engine.rateLimits, { downBytesPerSec: 0, upBytesPerSec: 0 });
});

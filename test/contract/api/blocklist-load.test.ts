// A list of a million ranges on its way through a whole API process: fetched, read, kept and given to the engine while
// the main thread answers.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { countRanges } from '../../../shared-protocol/address-ranges.js';
import { manyRanges } from '../../support/address-ranges.js';
import { startHarness } from '../../support/api-harness.js';
import { startUpstream } from '../../support/upstream.js';

const RANGES = 1_000_000;
const RESOLUTION_MS = 5;
/** The bench holds it to 20 ms; here other tests run beside it. */
const MAX_P99_MS = 300;

void t.test('a million ranges do not delay the API', async (t) => {
  const body = gzipSync(manyRanges(RANGES), { level: 1 });
  const server = await startUpstream((_request, response) => response.end(body));
  t.teardown(() => server.close());
  const harness = await startHarness({ args: ['--fetch-allow', '127.0.0.1'] });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await harness.call('PUT', '/api/settings/blocklist', { headers, body: { url: `${server.origin}/`, enabled: true } });
  const refreshed = await harness.call('POST', '/api/settings/blocklist/refresh', { headers });
  delay.disable();
  t.equal(refreshed.status, 200);
  t.same(harness.engine.blocklist.map(countRanges), [RANGES]);
  const p99Ms = delay.percentile(99) / 1e6 - RESOLUTION_MS;
  t.ok(p99Ms < MAX_P99_MS, `p99 ${p99Ms.toFixed(1)} ms`);
});

// Every route is sent names that each object of the language has (`constructor`, `__proto__`, …) in the place of each text
// and each key of its sample, of its path and of its query: none is taken for something that is known.
import t from 'tap';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import { multipart } from '../../support/api-harness.js';
import { undocumented } from './runner/document.js';
import { World } from './runner/world.js';
import type { SampleCall } from './sample.js';
import { SAMPLES } from './samples/index.js';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
/** Answers that are no failure of ours: what was to be fetched, or done by others. */
const ELSEWHERE = new Set([502, 503]);

t.setTimeout(480_000);

void t.test('names that every object has', async (t) => {
  let world = await World.start();
  t.teardown(() => world.close());
  let sent = 0;
  for (const route of ROUTES) {
    const scene = await world.scene(world.admin, 'owner');
    const call = await SAMPLES[route.name].call(scene);
    for (const changed of NAMES.flatMap((name) => changes(route, call, name))) {
      const answer = await world.send(route, changed, scene, world.admin.bearer);
      sent++;
      const isOurs = answer.status >= 500 && !ELSEWHERE.has(answer.status) && route.errors[answer.status] === undefined;
      const complaints = [...(isOurs ? [`status ${answer.status}`] : []), ...undocumented(route, answer)];
      if (complaints.length === 0) continue;
      t.fail(`${route.name}: ${JSON.stringify(changed).slice(0, 300)}: ${complaints.join('; ')} ${answer.text}`);
    }
    t.same(world.harness.fatal, [], route.name);
    // A call that was as good as the sample may have ended the credential.
    if ((await world.harness.call('GET', '/api/me', { headers: world.admin.bearer })).status === 200) continue;
    await world.close();
    world = await World.start();
  }
  t.ok(sent > 10 * ROUTES.length, `${sent} requests`);
});

/** What may end the credential that calls comes last: a call as good as the sample. */
function changes(route: Route, call: SampleCall, name: string): SampleCall[] {
  const queries = [`?${name}=1`, `?${name}[${name}]=1`, ...['frames', 'delete'].map((key) => `?${key}=${name}`)];
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => ({
    ...call,
    params: { ...call.params, [key]: name },
  }));
  return [
    ...params,
    ...(route.input.kind === 'upload' ? uploads(name) : []),
    ...(route.input.kind === 'json'
      ? replaced(call.body, name).map((body) => ({ ...call, body: JSON.stringify(body) }))
      : []),
    ...queries.map((query) => ({ ...call, query })),
  ];
}

/** The value with one text or one key in it replaced, in each way. */
function replaced(value: unknown, name: string): unknown[] {
  if (Array.isArray(value))
    return [[name], ...value.flatMap((item, at) => replaced(item, name).map((changed) => value.with(at, changed)))];
  if (typeof value !== 'object' || value === null) return [name, { [name]: name }];
  const entries = Object.entries(value);
  const withEntries = (changed: [string, unknown][]) => Object.fromEntries(changed);
  return [
    withEntries([...entries, [name, name]]),
    ...entries.flatMap(([key, inner], at) => [
      withEntries(entries.with(at, [name, inner])),
      ...replaced(inner, name).map((changed) => withEntries(entries.with(at, [key, changed]))),
    ]),
  ];
}

function uploads(name: string): SampleCall[] {
  const file = Buffer.from('de');
  return ['save_path', 'paused', 'sequential', 'category_id', name].map((field) => {
    const { headers, body } = multipart({ file, [field]: name });
    return { headers: { 'content-type': String(headers?.['content-type']) }, body };
  });
}

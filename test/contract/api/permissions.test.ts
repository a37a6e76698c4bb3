// The permission matrix over every route: administrators, users with no flag, one, all but one and all of the five, and
// for torrents each level of access. Also: torrents that do not exist cannot be told from those that are not shown.
import t, { type Test } from 'tap';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import type { Answer } from '../../support/api-harness.js';
import { Judge } from './runner/judge.js';
import { ACCESSES, EVERY_FLAG, mayCall, PROFILES, type CaseAccess } from './runner/matrix.js';
import { World, type Profile } from './runner/world.js';
import { NOT_JSON, type Sample, type SampleCall, type Scene } from './sample.js';
import { SAMPLES } from './samples/index.js';

const FORBIDDEN = { status: 403, error: 'forbidden' };
/** These take keys and sessions away from callers, so they have a world of their own. */
const CHANGES_CREDENTIALS = /^\/api\/(?:me|settings\/web)(?:\/|$)/;
let total = 0;
/** By the command line. */
const shared = new Map<string, World>();

async function worldFor(t: Test, { path }: Route, ...args: string[]): Promise<World> {
  const key = args.join(' ');
  const known = shared.get(key);
  if (known && !CHANGES_CREDENTIALS.test(path)) return known;
  const world = await World.start(args);
  if (CHANGES_CREDENTIALS.test(path)) t.teardown(() => world.close());
  else shared.set(key, world);
  return world;
}

for (const route of ROUTES) {
  const sample = SAMPLES[route.name];
  void t.test(route.name, async (t) => {
    const world = await worldFor(t, route);
    const judge = new Judge(route);
    const accesses = typeof sample.who === 'object' ? ACCESSES : (['none'] as const);
    for (const profile of PROFILES) {
      for (const access of accesses) await plays(t, route, sample, world, judge, profile, access);
    }
    if (typeof sample.who === 'object') await hidesWhatDoesNotExist(t, route, sample, world, judge);
    t.comment(`${judge.cases} cases`);
    total += judge.cases;
  });
}

async function plays(
  t: Test,
  route: Route,
  sample: Sample,
  world: World,
  judge: Judge,
  profile: Profile,
  access: CaseAccess,
): Promise<void> {
  const caller = await world.caller(profile);
  const scene = await world.scene(caller, access);
  const call = await sample.call(scene);
  const answer = await world.send(route, call, scene, caller.bearer);
  const what = typeof sample.who === 'object' ? `${profile.name}, ${access}` : profile.name;
  if (mayCall(sample.who, profile, access)) {
    return judge.check(t, what, answer, { status: sample.status ?? 200 });
  }
  judge.check(t, what, answer, FORBIDDEN);
  // Who may not call at all is not told what is wrong with the body; which torrent is meant may only stand in there.
  const isNamedInBody = typeof sample.who === 'object' && !route.path.includes('{id}');
  if (route.input.kind !== 'json' || isNamedInBody || sample.who === 'account') return;
  const unreadable = await world.send(route, { ...call, body: NOT_JSON }, scene, caller.bearer);
  judge.check(t, `${what}, a malformed body`, unreadable, FORBIDDEN);
}

/** Whoever may see a torrent passes: this is of those who may not. */
async function hidesWhatDoesNotExist(t: Test, route: Route, sample: Sample, world: World, judge: Judge): Promise<void> {
  const caller = await world.caller(EVERY_FLAG);
  const scene = await world.scene(caller, 'none');
  const call = await sample.call(scene);
  const send = (id: string) => {
    const body = route.path.includes('{id}') ? call.body : withTorrent(call.body, id);
    return world.send(route, { ...call, params: { ...call.params, id }, body }, scene, caller.bearer);
  };
  const hidden = await send(scene.torrentId);
  judge.check(t, 'one that is not shown', hidden, FORBIDDEN);
  for (const id of ['f'.repeat(40), 'F'.repeat(40), 'f'.repeat(64), 'nonsense', '0']) {
    const answer = await send(id);
    judge.check(t, `one that does not exist: ${id}`, answer, FORBIDDEN);
    t.same(told(answer), told(hidden), 'told in the same words');
  }
}

function withTorrent(body: unknown, id: string): unknown {
  const fields = body as Readonly<Record<string, unknown>>;
  return { ...fields, ['infohash' in fields ? 'infohash' : 'id']: id };
}

function told({ status, text, headers: { date: _date, ...headers } }: Answer) {
  return { status, text, headers };
}

void t.test('the desktop build never says that something is forbidden', async (t) => {
  for (const route of ROUTES) {
    await t.test(route.name, async (t) => {
      const sample = SAMPLES[route.name];
      const world = await worldFor(t, route, '--flavor', 'desktop');
      const scene = await world.scene(world.admin, 'none');
      const call = await singleAccountCall(sample, scene);
      const answer = await world.send(route, call, scene, world.admin.bearer);
      if (sample.who !== 'anybody') t.not(answer.status, 401, answer.text);
      t.not(answer.status, 403, answer.text);
      total += 1;
    });
  }
});

/** Samples that need a second account cannot have one; what they would be called with is no matter then. */
async function singleAccountCall(sample: Sample, scene: Scene): Promise<SampleCall> {
  try {
    return await sample.call(scene);
  } catch {
    return { params: { id: scene.torrentId, userID: '2' }, body: {} };
  }
}

void t.test('the count', async (t) => {
  for (const world of shared.values()) await world.close();
  t.comment(`${total} cases over ${ROUTES.length} routes`);
  t.ok(total > 2_000, `${total} cases`);
});

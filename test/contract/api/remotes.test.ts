// What an account may ask of other servers: nothing of one that it was not named for, on every route that is forwarded, and
// never more than it may here. The server that is known records who came.
import t from 'tap';
import { ROUTES, type Route } from '../../../api/routes/index.js';
import { PERMISSIONS } from '../../../shared-protocol/dto/accounts.js';
import { startUpstream } from '../../support/upstream.js';
import { EVERY_FLAG } from './runner/matrix.js';
import { World, type Caller, type Profile } from './runner/world.js';
import type { SampleCall, Who } from './sample.js';
import { SAMPLES } from './samples/index.js';

const FORWARDED = ROUTES.filter(({ isForwarded }) => isForwarded);
const NO_FLAG: Profile = { name: 'no flag', isAdmin: false, permissions: [] };
const SECOND: Profile = { ...EVERY_FLAG, name: 'not named' };

/** The permission that the caller needs here, whatever the torrent is there. */
function permissionOf(who: Who): string | undefined {
  const needed = typeof who === 'object' ? who.permission : who;
  return PERMISSIONS.find((name) => name === needed);
}

void t.test('the servers of others are none, on every route that goes on to one', async (t) => {
  const upstream = await startUpstream((_request, response) => response.writeHead(503).end());
  t.teardown(() => upstream.close());
  const world = await World.start(['--fetch-allow', '127.0.0.1/32']);
  t.teardown(() => world.close());
  const [named, flagless, stranger] = [
    await world.caller(EVERY_FLAG),
    await world.caller(NO_FLAG),
    await world.caller(SECOND),
  ];
  const { id: server } = await world.asAdmin<{ id: number }>('POST', '/api/remotes', {
    ...{ name: 'attic', url: upstream.origin, api_key: 'k'.repeat(43), user_ids: [named.id, flagless.id] },
  });
  const asked = () => upstream.requests.filter(({ url = '' }) => !url.startsWith('/api/ws')).length;
  const ask = async (route: Route, caller: Caller, id: number) => {
    const scene = await world.scene(caller, 'owner');
    const call = await SAMPLES[route.name].call(scene);
    const query = [call.query, `server_id=${id}`].filter(Boolean).join('&');
    return world.send(route, { ...call, query } satisfies SampleCall, scene, caller.bearer);
  };
  t.ok(FORWARDED.length > 40);
  for (const route of FORWARDED) {
    const theirs = await ask(route, stranger, server);
    const none = await ask(route, stranger, server + 1);
    t.match(theirs, { status: 404, text: /server not found/ }, `${route.name}, not named`);
    t.same([theirs.status, theirs.text], [none.status, none.text], 'told in the words for one that does not exist');
    const permission = permissionOf(SAMPLES[route.name].who);
    const refused = await ask(route, flagless, server);
    t.equal(refused.status, permission ? 403 : 503, `${route.name}, without ${permission ?? 'any permission'}`);
    t.match(await ask(route, named, server), { status: 503, text: /REMOTE_AWAY/ }, `${route.name}, named`);
  }
  t.equal(asked(), 0, 'nothing was asked of a server that is away');
  t.same((await world.harness.call('GET', '/api/remotes', { headers: stranger.bearer })).json(), []);
});

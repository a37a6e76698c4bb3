// Random requests against a whole API process: whatever is sent, the answer is a documented one, in JSON, never 5xx where
// none is documented; nothing crashes, nothing is left unhandled, and what was stored can be read again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { ROUTES } from '../../../api/routes/index.js';
import { undocumented } from '../../contract/api/runner/document.js';
import { EVERY_FLAG } from '../../contract/api/runner/matrix.js';
import { World, type Caller } from '../../contract/api/runner/world.js';
import { startHarness, type Answer } from '../../support/api-harness.js';
import { sender } from '../sender.js';
import { requests, type FuzzRequest } from './requests.js';
import { complaintsAbout, isOutOfBounds } from './verdict.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 10_000);
// Chance finds more, but not in the middle of a change that has nothing to do with it.
const SEED = Number(process.env['FUZZ_SEED'] ?? (process.env['CI'] ? 146_961_828 : Date.now() % 2 ** 31));
const TORRENT_IDS = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(40));
const REFILL_EVERY = 50;

t.setTimeout(300_000);

const { send, end } = sender();

void t.test(`${RUNS} random requests, seed ${SEED}`, async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swarmd-fuzz-'));
  const world = await World.start([], dataDir);
  let isRunning = true;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.teardown(async () => {
    process.off('unhandledRejection', note);
    end();
    if (isRunning) await world.close();
    await rm(dataDir, { recursive: true });
  });
  const keys = await callers(world);
  const statuses = new Map<number, number>();
  let sent = 0;
  const property = fc.asyncProperty(
    requests({ torrentIds: TORRENT_IDS, folder: world.harness.filesDir }),
    async (request) => {
      fc.pre(!isOutOfBounds(request));
      if (sent++ % REFILL_EVERY === 0) await refill(world, keys.get('admin') ?? '');
      const answer = await send(world.harness.daemon.url, request, keys.get(request.caller));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      keepKey(keys, request, answer);
      const complaints = [
        ...complaintsAbout(request, answer),
        ...unhandled.map((reason) => `unhandled: ${String(reason)}`),
      ];
      if (complaints.length > 0)
        throw new Error(`${request.method} ${request.path.slice(0, 200)}: ${complaints.join('; ')}`);
    },
  );
  const result = await fc.check(property, { numRuns: RUNS, seed: SEED });
  t.notOk(result.failed, result.failed ? failure(result) : 'every answer was a documented one');
  t.comment(
    [...statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  );
  t.ok((statuses.get(200) ?? 0) > RUNS / 20, 'enough of it got through to the services');
  t.same(world.harness.fatal, []);
  for (const name of ['admin', 'every flag', 'no flag']) {
    const answer = await send(world.harness.daemon.url, { ...PLAIN, path: '/api/me' }, keys.get(name));
    t.equal(answer.status, 200, `${name} can still sign in`);
  }
  await world.close();
  isRunning = false;

  const again = await startHarness({ dataDir, engine: world.harness.engine });
  for (const route of ROUTES.filter(
    ({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/api/ws',
  )) {
    const answer = await send(again.daemon.url, { ...PLAIN, path: route.path }, keys.get('admin'));
    t.same([answer.status, undocumented(route, answer)], [200, []], `after a restart: ${route.name}`);
  }
  await again.close();
});

const PLAIN: FuzzRequest = {
  route: null,
  caller: 'admin',
  method: 'GET',
  path: '',
  body: undefined,
  chunked: false,
  headers: {},
};

/** Credential headers by caller. */
async function callers(world: World): Promise<Map<string, string>> {
  const bearer = (caller: Caller) => caller.bearer['authorization'] ?? '';
  const everyFlag = await world.caller(EVERY_FLAG);
  const noFlag = await world.caller({ name: 'no flag', isAdmin: false, permissions: [] });
  return new Map([
    ['admin', bearer(world.admin)],
    ['every flag', bearer(everyFlag)],
    ['no flag', bearer(noFlag)],
    ['cookie', everyFlag.cookie],
  ]);
}

/** Torrents that were deleted come back: there has to be something to ask for. */
async function refill({ harness }: World, authorization: string): Promise<void> {
  for (const id of TORRENT_IDS) {
    const body = { magnet: `magnet:?xt=urn:btih:${id}&dn=refilled`, save_path: harness.filesDir };
    await harness.call('POST', '/api/torrents/magnet', { headers: { authorization }, body });
  }
}

/** A rotated key is worth nothing any more. */
function keepKey(keys: Map<string, string>, { caller }: FuzzRequest, { status, text }: Answer): void {
  const key = status === 200 ? /^\{"api_key":"([^"]+)"\}$/.exec(text)?.[1] : undefined;
  if (key === undefined) return;
  keys.set(caller === 'cookie' ? 'every flag' : caller, `Bearer ${key}`);
}

function failure({ counterexample, errorInstance, numRuns }: fc.RunDetails<[FuzzRequest]>): string {
  const request = { ...(counterexample?.[0] ?? PLAIN), route: undefined };
  return `run ${numRuns}, seed ${SEED}: ${String(errorInstance)} ${JSON.stringify(request).slice(0, 2_000)}`;
}

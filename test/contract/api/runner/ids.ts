// Ids of any length and content, in paths and in bodies.
import type { Test } from 'tap';
import type { Route } from '../../../../api/routes/index.js';
import type { Sample } from '../sample.js';
import type { Expected, Judge } from './judge.js';
import type { World } from './world.js';

const UNKNOWN_HASHES = ['f'.repeat(40), 'F'.repeat(40), 'f'.repeat(64)];
/** As they stand in a path. */
const NO_HASHES = [
  'nonsense',
  '0',
  'g'.repeat(40),
  'f'.repeat(39),
  'f'.repeat(41),
  '%00',
  '..%2f..',
  'x'.repeat(4_000),
];
const NO_NUMBERS = ['0', '-1', '1.5', '1e3', 'abc', '0x1', '%2b1', '%31%00', '9007199254740993', '1'.repeat(4_000)];
const UNKNOWN_NUMBERS = ['987654321', '9007199254740991'];

export async function refusesBadIds(t: Test, route: Route, sample: Sample, world: World, judge: Judge): Promise<void> {
  for (const { name, param, value, expected } of badIds(route)) {
    const scene = await world.scene(world.admin, 'owner');
    const call = await sample.call(scene);
    const bad =
      param === 'infohash'
        ? { ...call, body: { ...(call.body as object), infohash: value } }
        : { ...call, params: { ...call.params, [param]: value } };
    judge.check(t, name, await world.send(route, bad, scene, world.admin.bearer), expected);
  }
}

interface BadId {
  readonly name: string;
  readonly param: string;
  readonly value: string;
  readonly expected: Expected;
}

function badIds({ gate, path }: Route): BadId[] {
  const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inBody = gate.kind === 'torrent' && gate.in === 'body' ? badHashes('infohash', decodeURIComponent) : [];
  const inPath = params.flatMap((param) => {
    if (param === 'file' || param === 'key' || param === 'name') return [];
    if (param === 'index') return badIndexes();
    return gate.kind === 'torrent' && param === 'id' ? badHashes(param, (value) => value) : badNumbers(param, path);
  });
  return [...inBody, ...inPath];
}

function badHashes(param: string, spell: (value: string) => string): BadId[] {
  const unknown = UNKNOWN_HASHES.map((value) => ({ value, expected: { status: 404, error: 'torrent not found' } }));
  const malformed = NO_HASHES.map((value) => ({ value, expected: { status: 400, error: new RegExp(`^${param}: `) } }));
  return [...unknown, ...malformed].map(({ value, expected }) => ({
    name: `${param} ${value.slice(0, 70)}`,
    param,
    value: spell(value),
    expected,
  }));
}

/** From 0, as files are counted. */
function badIndexes(): BadId[] {
  const expected: Expected = { status: 400, error: 'index: expected a whole number' };
  const malformed = NO_NUMBERS.filter((value) => !/^\d{1,15}$/.test(value)).map((value) => ({ value, expected }));
  const unknown = UNKNOWN_NUMBERS.slice(0, 1).map((value) => ({
    value,
    expected: { status: 404, error: 'file not found' },
  }));
  return [...unknown, ...malformed].map((each) => ({
    name: `index ${each.value.slice(0, 70)}`,
    param: 'index',
    ...each,
  }));
}

function badNumbers(param: string, path: string): BadId[] {
  // A share that is not there is as good as taken back (docs/semantics.md section 1).
  const isRelation = path.endsWith('/shares/{userID}') || path.endsWith('/links/{linkID}');
  const absent: Expected = isRelation ? { status: 200 } : { status: 404, error: /^\w+ not found$/ };
  const unknown = UNKNOWN_NUMBERS.map((value) => ({ value, expected: absent }));
  const malformed = NO_NUMBERS.map((value) => ({
    value,
    expected: { status: 400, error: `${param}: expected a whole number above 0` },
  }));
  return [...unknown, ...malformed].map(({ value, expected }) => ({
    name: `${param} ${value.slice(0, 70)}`,
    param,
    value,
    expected,
  }));
}

// Bodies that a route must refuse, made from a good one and from the schema of the document.
import type { Test } from 'tap';
import type { JsonSchema } from '../../../../api/documentation/components.js';
import type { Route } from '../../../../api/routes/index.js';
import { multipart } from '../../../support/api-harness.js';
import { NOT_JSON, type Sample, type SampleCall } from '../sample.js';
import { DOCUMENT, operationOf } from './document.js';
import type { Expected, Judge } from './judge.js';
import type { World } from './world.js';

const MIB = 1024 * 1024;

interface BadBody {
  readonly name: string;
  readonly call: SampleCall;
  readonly expected: Expected;
}

export async function refusesBadBodies(
  t: Test,
  route: Route,
  sample: Sample,
  world: World,
  judge: Judge,
): Promise<void> {
  const scene = await world.scene(world.admin, 'owner');
  const call = await sample.call(scene);
  for (const { name, call: bad, expected } of badBodies(route, call)) {
    const answer = await world.send(route, { ...call, ...bad }, scene, world.admin.bearer);
    judge.check(t, name, answer, expected);
  }
  if (route.input.kind !== 'json') return;
  const oversize = { ...call, body: `"${'x'.repeat(MIB)}"` };
  const tooLarge = { status: 413, error: 'request body too large' };
  judge.check(t, 'over 1 MiB', await world.send(route, oversize, scene, world.admin.bearer), tooLarge);
  judge.check(t, 'over 1 MiB of a stranger', await world.send(route, oversize, scene, {}), tooLarge);
}

function badBodies(route: Route, call: SampleCall): BadBody[] {
  if (route.input.kind === 'upload') return badUploads();
  if (route.input.kind !== 'json') return [];
  const unreadable = [NOT_JSON, '', ' ', '\u0000', '{"a":1}}', 'undefined'].map((body) =>
    refused(`not JSON: ${JSON.stringify(body)}`, body, 'body: not valid JSON'),
  );
  const noObjects = ['[]', 'null', '"text"', '5', 'true'].map((body) =>
    refused(`not an object: ${body}`, body, /^body: /),
  );
  return [...unreadable, ...noObjects, ...badFields(route, call)];
}

function badFields(route: Route, call: SampleCall): BadBody[] {
  const schema = resolved(operationOf(route).requestBody?.content['application/json']?.schema ?? {});
  const { properties = {}, required = [] } = schema as Shape;
  const good = call.body as Readonly<Record<string, unknown>>;
  const missing = required.map((field) => {
    const rest = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
    return refused(`without ${field}`, rest, `${field}: required`);
  });
  const wrong = Object.entries(properties).flatMap(([field, property]) =>
    wrongValues(property).map((value) =>
      refused(`${field}: ${JSON.stringify(value)}`, { ...good, [field]: value }, new RegExp(`^${field}[.:]`)),
    ),
  );
  return [...missing, ...wrong];
}

interface Shape {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Values of types that the schema does not have; an integer is not to have a fraction. */
function wrongValues(property: JsonSchema): unknown[] {
  const types = typesOf(property);
  const samples: Readonly<Record<string, unknown>> = {
    string: 'x',
    number: 1.5,
    boolean: true,
    null: null,
    array: [],
    object: { a: 1 },
  };
  return Object.entries(samples)
    .filter(([type]) => !types.has(type))
    .map(([, value]) => value);
}

function typesOf(property: JsonSchema): Set<string> {
  const { anyOf, type } = resolved(property) as { anyOf?: readonly JsonSchema[]; type?: string | string[] };
  if (anyOf) return new Set(anyOf.flatMap((option) => [...typesOf(option)]));
  return new Set(type === undefined ? [] : [type].flat());
}

function resolved(schema: JsonSchema): JsonSchema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;
  return name === undefined ? schema : (DOCUMENT.components.schemas[name] ?? {});
}

function badUploads(): BadBody[] {
  const upload = (name: string, options: ReturnType<typeof multipart>, error: RegExp): BadBody => ({
    name,
    call: { body: options.body, headers: options.headers as Readonly<Record<string, string>> },
    expected: { status: 400, error },
  });
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  return [
    upload('no multipart', { body: 'x', headers: { 'content-type': 'application/json' } }, /^body: expected multipart/),
    upload(
      'no boundary',
      { body: 'x', headers: { 'content-type': 'multipart/form-data' } },
      /^body: expected multipart/,
    ),
    upload('no end', { body: '--x\r\n', headers: form }, /./),
    upload('no file', multipart({ save_path: '' }), /^file: required$/),
    upload('no torrent', multipart({ file: Buffer.from('d3:fooe') }), /^torrent: /),
    upload('over 10 MiB', multipart({ file: Buffer.alloc(10 * MIB + 1) }), /^file: larger than 10 MiB$/),
    upload('far over 10 MiB', multipart({ file: Buffer.alloc(12 * MIB) }), /^file: larger than 10 MiB$/),
  ];
}

function refused(name: string, body: unknown, error: string | RegExp): BadBody {
  return { name, call: { body }, expected: { status: 400, error } };
}

// The document is valid OpenAPI 3.1, says of each row what the row says, and docs/api.md names the same endpoints. That
// answers fit it is looked at with every answer of routes.test.ts and permissions.test.ts.
import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import t from 'tap';
import { openApiDocument, type OpenApiDocument } from '../../../api/documentation/openapi.js';
import { ROUTES } from '../../../api/routes/index.js';
import { VERSION } from '../../../api/version.js';
import { startHarness } from '../../support/api-harness.js';
import { DOCUMENT, operationOf, validatorAt } from './runner/document.js';

const OPERATIONS = ROUTES.map((route) => ({ route, operation: operationOf(route) }));

void t.test('it is valid, and what the service hands out', async (t) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const answer = await harness.call('GET', '/api/openapi.json', { headers: { cookie: await harness.signIn() } });
  const served = answer.json<OpenApiDocument>();
  t.same(served, JSON.parse(JSON.stringify(openApiDocument(ROUTES, VERSION))));
  const { valid, errors } = await new Validator().validate(answer.json());
  t.ok(valid, JSON.stringify(errors));
  t.equal(served.info.version, (await harness.call('GET', '/api/bootstrap')).json()['version']);
});

void t.test('every schema compiles, and every reference leads somewhere', async (t) => {
  for (const name of Object.keys(DOCUMENT.components.schemas)) {
    t.doesNotThrow(() => validatorAt('components', 'schemas', name), name);
  }
  const references = [...JSON.stringify(DOCUMENT).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
  t.ok(references.length > 100);
  for (const [, name = ''] of references) {
    if (!DOCUMENT.components.schemas[name]) t.fail(`${name} is referred to, but not there`);
  }
});

void t.test('every route is an operation with an id of its own, a summary, a section and a gate', async (t) => {
  const count = Object.values(DOCUMENT.paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
  t.equal(count, ROUTES.length);
  t.equal(new Set(OPERATIONS.map(({ operation }) => operation.operationId)).size, ROUTES.length);
  const sections = DOCUMENT.tags.map(({ name }) => name);
  for (const { route, operation } of OPERATIONS) {
    t.match(operation, { summary: /^\S/, 'x-gate': /^\S/ }, route.name);
    t.ok(
      operation.tags.every((tag) => sections.includes(tag)),
      `${route.name} is in a section`,
    );
    const described =
      operation.parameters?.filter((parameter) => parameter.in === 'path').map(({ name }) => name) ?? [];
    t.same(
      described,
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      `${route.name}: the path`,
    );
  }
});

void t.test('what clients send may have fields we do not know; what they are sent has none', async (t) => {
  for (const { route, operation } of OPERATIONS) {
    if (operation.requestBody) {
      t.notMatch(JSON.stringify(operation.requestBody), /"additionalProperties":false/, `${route.name}: the request`);
    }
  }
  for (const [name, schema] of Object.entries(DOCUMENT.components.schemas)) {
    if (schema['type'] !== 'object') continue;
    t.equal(schema['additionalProperties'], name.endsWith('Body') ? undefined : false, name);
  }
});

void t.test('public routes take no credential, the others say 401; what changes something says 403', async (t) => {
  const open = OPERATIONS.filter(({ operation }) => operation.security).map(({ route }) => route.name);
  t.same(open.sort(), [
    'GET /api/bootstrap',
    'GET /api/healthz',
    'GET /api/links/{key}/files/{index}/{file}',
    'GET /api/links/{key}/zip',
    'POST /api/login',
    'POST /api/logout',
    'POST /api/signin',
    'POST /api/signin/proxy',
  ]);
  t.same(DOCUMENT.security, [{ cookie: [] }, { bearer: [] }]);
  for (const { route, operation } of OPERATIONS) {
    if (!operation.security) t.ok(operation.responses[401]?.headers?.['WWW-Authenticate'], `${route.name}: 401`);
    if (route.method !== 'GET') t.ok(operation.responses[403], `${route.name}: 403`);
    if (operation.requestBody) t.ok(operation.responses[400], `${route.name}: 400`);
  }
  const login = operationOf({ method: 'POST', path: '/api/login' });
  t.ok(login.responses[429]?.headers?.['Retry-After']);
});

const CONTRACT = new URL('../../../../docs/api.md', import.meta.url);

void t.test('docs/api.md names every endpoint, and none that is not there', async (t) => {
  const endpoints = endpointsOf(await readFile(CONTRACT, 'utf8'));
  const names: readonly string[] = ROUTES.map(({ name }) => name);
  t.same(endpoints.toSorted(), names.toSorted());
  for (const [at, endpoint] of endpoints.entries()) t.equal(endpoints.indexOf(endpoint), at, `${endpoint}: once`);
});

/** Of tables whose first two columns are method and path. */
function endpointsOf(markdown: string): string[] {
  const rows = markdown.matchAll(/^\| (GET|POST|PUT|DELETE|PATCH) +\| (\/(?:api\/\S*|metrics)) +\|/gm);
  return [...rows].map(([, method, path]) => `${method} ${path}`);
}

// The OpenAPI document as the judge of answers: what is answered must be documented, status, type and schema.
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument, type Operation } from '../../../../api/documentation/openapi.js';
import { ROUTES, type Route } from '../../../../api/routes/index.js';
import { VERSION } from '../../../../api/version.js';
import type { Answer } from '../../../support/api-harness.js';

export const DOCUMENT = openApiDocument(ROUTES, VERSION);

// A CommonJS package whose default export TypeScript cannot see from here.
const addFormats = createRequire(import.meta.url)('ajv-formats') as (ajv: Ajv2020) => void;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(DOCUMENT, 'api');
const compiled = new Map<string, ValidateFunction>();

export function operationOf({ method, path }: Pick<Route, 'method' | 'path'>): Operation {
  const operation = DOCUMENT.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

/** The schema at a place of the document, made of keys. */
export function validatorAt(...keys: readonly string[]): ValidateFunction {
  const pointer = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#/${encodeURI(pointer)}` });
  compiled.set(pointer, known);
  return known;
}

/** What of an answer the document does not allow; empty when all is well. */
export function undocumented(route: Pick<Route, 'method' | 'path'>, answer: Answer): string[] {
  const { responses } = operationOf(route);
  const status = String(answer.status);
  const response = responses[status];
  if (!response) return [`status ${status} is not documented: ${answer.text.slice(0, 200)}`];
  const type = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!response.content?.[type] && !response.content?.['*/*'])
    return [`type ${type} is not documented for status ${status}`];
  if (type !== 'application/json') return [];
  const method = route.method.toLowerCase();
  const validate = validatorAt('paths', route.path, method, 'responses', status, 'content', type, 'schema');
  if (validate(answer.json())) return [];
  const complaints = validate.errors?.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return complaints ?? [];
}

// The OpenAPI 3.1 document of the API, made from the table of routes. Nothing is written down here that a row knows.
import { z } from 'zod';
import { CONTENT_LAYOUTS } from '../../shared-protocol/content-layout.js';
import { MAX_SUFFIX_CHARS } from '../../shared-protocol/incomplete-suffix.js';
import { PREALLOCATIONS } from '../../shared-protocol/preallocation.js';
import { detailSchema } from '../../shared-protocol/dto/inspector.js';
import { noticesChangedSchema } from '../../shared-protocol/dto/notices.js';
import { serversTickSchema } from '../../shared-protocol/dto/remotes.js';
import { updateInfoSchema } from '../../shared-protocol/dto/settings.js';
import { globalStatsSchema, torrentListSchema } from '../../shared-protocol/dto/torrents.js';
import { SESSION_COOKIE } from '../auth/authenticate.js';
import type { Gate } from '../routes/gate.js';
import type { Route } from '../routes/index.js';
import { Components, type JsonSchema } from './components.js';
import { CONVENTIONS } from './conventions.js';
import { responsesOf, type Responses } from './responses.js';
import { SECTION_NAMES, sectionOf } from './sections.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface RequestBody {
  readonly required: true;
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly [];
  /** The callers that the gate lets pass, in words. */
  readonly 'x-gate': string;
  readonly 'x-frames'?: Readonly<Record<string, JsonSchema>>;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly Readonly<Record<string, readonly []>>[];
  readonly tags: readonly { readonly name: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

const SECURITY_SCHEMES = {
  cookie: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'set by POST /api/login' },
  bearer: { type: 'http', scheme: 'bearer', description: 'an API key' },
};

const INFO_HASH = { type: 'string', pattern: '^(?:[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$', description: 'info hash' };
const NUMBER_ID = { type: 'integer', minimum: 1 };
const INDEX = { type: 'integer', minimum: 0 };

const SERVER: Parameter = {
  name: 'server_id',
  in: 'query',
  required: false,
  schema: { ...NUMBER_ID, description: 'a remote, which is asked in place of this service' },
};

/** Parameters of paths that are no ids. */
const NAMED: Readonly<Record<string, JsonSchema>> = { file: { type: 'string' }, key: { type: 'string' }, index: INDEX };

export function openApiDocument(routes: readonly Route[], version: string, basePath = ''): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Swarmd', version, description: CONVENTIONS },
    servers: [{ url: `${basePath}/`, description: 'where this document comes from' }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: SECTION_NAMES.map((name) => ({ name })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: components.all },
  };
}

function operationOf(route: Route, components: Components): Operation {
  const parameters = [...pathParameters(route), ...queryParameters(route, components)];
  const requestBody = requestBodyOf(route, components);
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [sectionOf(route.name)],
    ...('needs' in route.gate ? {} : { security: [] }),
    'x-gate': gateInWords(route.gate),
    ...(route.name === 'GET /api/ws' ? { 'x-frames': framesOf(components) } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(route, components),
  };
}

/** `PUT /api/torrents/{id}/seed_policy` is `putTorrentsIdSeedPolicy`. */
function operationId({ method, path }: Route): string {
  const words = path.replace(/^\/api\//, '').match(/[A-Za-z]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function gateInWords(gate: Gate): string {
  if (!('needs' in gate)) return gate.kind === 'login' ? 'anybody, five times a minute' : 'anybody';
  if (gate.needs === 'admin') return 'administrators';
  const flag = gate.needs === 'account' ? '' : ` with ${gate.needs}`;
  if (gate.kind === 'account') return flag ? `accounts${flag}, and administrators` : 'any account';
  const access = gate.access === 'owner' ? 'owner of' : `${gate.access} or above of`;
  return `${access} the torrent${flag}, and administrators`;
}

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const isInfoHash = name === 'id' && path.startsWith('/api/torrents/');
    const schema = isInfoHash ? INFO_HASH : (NAMED[name] ?? NUMBER_ID);
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters({ input, isForwarded }: Route, components: Components): Parameter[] {
  return [...ofInput(input, components), ...(isForwarded ? [SERVER] : [])];
}

function ofInput(input: Route['input'], components: Components): Parameter[] {
  if ((input.kind !== 'query' && input.kind !== 'archive') || !(input.schema instanceof z.ZodObject)) return [];
  const fields: Readonly<Record<string, z.ZodType>> = input.schema.shape;
  return Object.entries(fields).map(([name, field]) => {
    const required = !field.safeParse(undefined).success;
    return { name, in: 'query', required, schema: components.refer(field, 'request') };
  });
}

function requestBodyOf({ input }: Route, components: Components): RequestBody | null {
  if (input.kind === 'upload') return { required: true, content: { 'multipart/form-data': { schema: UPLOAD } } };
  if (input.kind === 'archive') return { required: true, content: { 'application/octet-stream': { schema: ARCHIVE } } };
  if (input.kind !== 'json' || !input.schema) return null;
  return { required: true, content: { 'application/json': { schema: components.refer(input.schema, 'request') } } };
}

const IN_JSON = { type: 'string', contentMediaType: 'application/json' };
const FLAG = { type: 'string', enum: ['true', 'false'], description: 'left out: false' };
const UPLOAD = {
  type: 'object',
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream', description: 'the .torrent, 10 MiB at most' },
    save_path: { type: 'string', description: 'empty or left out: the default' },
    paused: FLAG,
    sequential: FLAG,
    category_id: { type: 'string', pattern: '^[1-9][0-9]*$', description: 'left out: none' },
    tags: { ...IN_JSON, description: 'ids, in an array' },
    seed_policy: { ...IN_JSON, description: 'SeedPolicyDTO; left out: the defaults' },
    rate_limits: { ...IN_JSON, description: 'TorrentRateLimitsDTO; left out: none of its own' },
    file_priorities: { ...IN_JSON, description: 'skip, normal, high or max by file index; left out: normal' },
    first_last_first: FLAG,
    force_start: FLAG,
    queue_position: { type: 'string', enum: ['top', 'bottom'], description: 'left out: bottom' },
    skip_check: FLAG,
    stop_after: { type: 'string', enum: ['metadata', 'check'], description: 'left out: it goes on' },
    name: { type: 'string', description: 'shown in place of its own' },
    content_layout: { type: 'string', enum: CONTENT_LAYOUTS, description: 'left out: as the setting has it' },
    incomplete_path: { type: 'string', description: 'empty: none; left out: as the setting has it' },
    incomplete_suffix: {
      type: 'string',
      maxLength: MAX_SUFFIX_CHARS,
      description: 'of files while they are incomplete; empty: none; left out: as the setting has it',
    },
    preallocation: { type: 'string', enum: PREALLOCATIONS, description: 'left out: as the setting has it' },
    portable_names: { type: 'boolean', description: 'left out: as the setting has it' },
    excluded_file_names: {
      ...IN_JSON,
      description: 'patterns, in an array; empty: none; left out: as the setting has it',
    },
  },
  required: ['file'],
};

const ARCHIVE = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'bytes of a .tar, .tar.gz or .zip, 2 GiB at most',
};

/** Returns what is pushed, by the frame's `type`. */
function framesOf(components: Components): Readonly<Record<string, JsonSchema>> {
  return {
    'torrents:tick': components.refer(torrentListSchema, 'response'),
    'stats:tick': components.refer(globalStatsSchema, 'response'),
    'inspector:tick': components.refer(detailSchema, 'response'),
    'servers:tick': components.refer(serversTickSchema, 'response'),
    'notices:changed': components.refer(noticesChangedSchema, 'response'),
    'update:available': components.refer(updateInfoSchema, 'response'),
  };
}

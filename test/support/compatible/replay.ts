// What a tool does, written down as data: its requests in order, and what it reads of each answer, as JSON Schema. One
// runner sends them. `{name}` in a text stands for a variable.
import { Ajv } from 'ajv';
import { httpCall, multipart, type Answer, type CallOptions } from '../api-harness.js';
import { waitUntil } from '../peers/wait-until.js';
import type { Sample } from './samples.js';
import type { Target } from './target.js';

/** Seeding rules are looked at each half minute. */
const TIMEOUT_MS = 60_000;

export type Schema = Readonly<Record<string, unknown>>;

export interface Exchange {
  /** What the tool does it for. */
  readonly name: string;
  /** `GET app/version`; the path is below the replay's root. */
  readonly send: string;
  readonly form?: Readonly<Record<string, string>>;
  /** A multipart form; the part whose value is `{file}` is the torrent file. */
  readonly parts?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** The whole text of the answer, as a pattern. */
  readonly text?: string;
  readonly schema?: Schema;
  /** A header that the tool reads, and the variable that it becomes. */
  readonly keepHeader?: readonly [header: string, variable: string];
  /** Sent over and over until the answer is as it should be. */
  readonly isRepeated?: true;
  /** What version 4.5.2 of the real program does not know. */
  readonly isNewer?: true;
}

export interface Replay {
  readonly tool: string;
  /** `/api/v2/` */
  readonly root: string;
  readonly exchanges: readonly Exchange[];
}

export type Variables = Record<string, string>;

/** Sends one exchange; throws where its answer is not what the tool needs, naming what is wrong. */
export async function play(
  replay: Replay,
  exchange: Exchange,
  target: Target,
  sample: Sample,
  variables: Variables,
): Promise<void> {
  let complaint = '';
  const once = async (): Promise<true | undefined> => {
    const answer = await send(replay, filled(exchange, variables), target, sample);
    complaint = complaintAbout(filled(exchange, variables), answer);
    if (complaint !== '') return undefined;
    const [header, variable] = exchange.keepHeader ?? [];
    if (header !== undefined && variable !== undefined)
      variables[variable] = String(answer.headers[header]).split(';')[0]!;
    return true;
  };
  if (exchange.isRepeated) await waitUntil(exchange.name, TIMEOUT_MS, once, () => complaint);
  else if (!(await once())) throw new Error(complaint);
}

function send({ root }: Replay, exchange: Exchange, target: Target, sample: Sample): Promise<Answer> {
  const { send, headers, ...rest } = exchange;
  const [method = '', path = ''] = send.split(/ (.*)/s);
  const body = bodyOf(rest, sample);
  return httpCall(`${target.url}${root}${path}`, method, { ...body, headers: { ...body.headers, ...headers } });
}

function bodyOf({ form, parts, json }: Pick<Exchange, 'form' | 'parts' | 'json'>, sample: Sample): CallOptions {
  if (parts) {
    const isFile = (value: string) => value === '{file}';
    const values = Object.entries(parts).map(([name, value]) => [name, isFile(value) ? sample.torrentBytes : value]);
    return multipart(Object.fromEntries(values) as Record<string, string | Uint8Array>);
  }
  if (form) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  return json === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
}

function complaintAbout({ status, text, schema, keepHeader }: Exchange, answer: Answer): string {
  const told = answer.text.slice(0, 2_000);
  if (answer.status !== status) return `${answer.status} in place of ${status}: ${told}`;
  if (keepHeader && answer.headers[keepHeader[0]] === undefined) return `no header ${keepHeader[0]}`;
  if (text !== undefined && !new RegExp(`^(?:${text})$`, 's').test(answer.text)) return `"${told}" is not /${text}/`;
  if (!schema) return '';
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  if (validate(JSON.parse(answer.text))) return '';
  return `${validate.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')}: ${told}`;
}

/** All texts of an exchange with their variables; `{file}` stays. */
function filled(exchange: Exchange, variables: Variables): Exchange {
  const text = JSON.stringify(exchange);
  return JSON.parse(text.replace(/\{(\w+)\}/g, (all, name: string) => quoted(variables[name]) ?? all)) as Exchange;
}

/** As it stands within a JSON text. */
function quoted(value: string | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value).slice(1, -1);
}

/** An object of which the tool reads these. */
export function reads(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', required: Object.keys(properties), properties };
}

export const TEXT: Schema = { type: 'string' };
export const NUMBER: Schema = { type: 'number' };
export const INTEGER: Schema = { type: 'integer' };
export const BOOLEAN: Schema = { type: 'boolean' };

export function only(value: unknown): Schema {
  return { const: value };
}

/** A list in which there is one like that. */
export function has(schema: Schema): Schema {
  return { type: 'array', contains: schema };
}

export function listOf(items: Schema, count?: number): Schema {
  return { type: 'array', items, ...(count === undefined ? {} : { minItems: count, maxItems: count }) };
}

// The dialect of Transmission from 4.1 on: JSON-RPC 2.0 with names in snake_case, over the same methods. Calls of a batch
// are run one after the other, and answered in their order; those without an id are run and not answered.
import type { ErrorCode } from '../../../shared-protocol/errors.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { answerFor, RequestError, type RequestErrorCode } from '../../errors.js';
import { RefusedWith, sentenceOf } from './answers.js';
import { JsonText } from './json-text.js';
import { methodNamed } from './methods.js';
import { inSnakeCase, toSnakeCase } from './names.js';
import { logFailure, runMethod, type Caller } from './run-method.js';

/** Calls of a batch; tools send a handful. */
const MAX_CALLS = 50;
/** Answers of a batch, in bytes; calls beyond are not run. */
const MAX_ANSWERS_BYTES = 32 * 1024 * 1024;
const MAX_ID_CHARS = 1_000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
/** One of those that JSON-RPC leaves to servers: for what the account may not do, and for what was not done. */
const REFUSED = -32000;

const MESSAGES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'Parse error',
  [INVALID_REQUEST]: 'Invalid Request',
  [METHOD_NOT_FOUND]: 'Method not found',
  [INVALID_PARAMS]: 'Invalid params',
  [REFUSED]: 'Not done',
  2: 'Invalid tracker list',
  4: 'Unrecognized info',
  6: 'File index out of range',
  8: 'HTTP error from backend service',
  9: 'Invalid or corrupt torrent',
};
/** The positive ones are Transmission's own. */
const CODES: { readonly [Code in ErrorCode | RequestErrorCode]?: number } = {
  BODY_INVALID: INVALID_PARAMS,
  TRACKER_INVALID: 2,
  MAGNET_INVALID: 4,
  FILE_INDEX_INVALID: 6,
  FETCH_FAILED: 8,
  FETCH_REFUSED: 8,
  TORRENT_INVALID: 9,
  TORRENT_TOO_LARGE: 9,
};

type Id = string | number | null;
interface Request {
  readonly id: Id;
  /** Null for a call that is not to be answered. */
  readonly isAnswered: boolean;
  readonly method: string;
  readonly params: unknown;
}

/** Whether the body is of this dialect: it says so, or is a batch, which the other does not know. */
export function isJsonRpc(value: unknown): boolean {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && 'jsonrpc' in value);
}

/** Null: there is nothing to answer. */
export async function answerJsonRpc(caller: Caller, value: unknown): Promise<JsonText | null> {
  if (!Array.isArray(value)) return answerCall(caller, value);
  if (value.length === 0) return failure(null, INVALID_REQUEST, 'a batch of no calls');
  if (value.length > MAX_CALLS) return failure(null, INVALID_REQUEST, `a batch of more than ${MAX_CALLS} calls`);
  const answers: JsonText[] = [];
  let bytes = 0;
  for (const call of value as unknown[]) {
    const answer = bytes <= MAX_ANSWERS_BYTES ? await answerCall(caller, call) : tooMuch(call);
    if (!answer) continue;
    bytes += answer.length;
    answers.push(answer);
  }
  if (answers.length === 0) return null;
  return JsonText.joined('[', ...answers.flatMap((answer, index) => (index === 0 ? [answer] : [',', answer])), ']');
}

async function answerCall(caller: Caller, value: unknown): Promise<JsonText | null> {
  const request = requestOf(value);
  if (!request) return failure(null, INVALID_REQUEST, 'expected jsonrpc, method, params and id of JSON-RPC 2.0');
  const answer = await resultOf(caller, request);
  return request.isAnswered ? answer : null;
}

async function resultOf(caller: Caller, { id, method, params }: Request): Promise<JsonText> {
  const row = methodNamed(method);
  if (!row) return failure(id, METHOD_NOT_FOUND, 'method name not recognized');
  try {
    const result = await runMethod(caller, row, params, toSnakeCase);
    const text = result instanceof JsonText ? result : JsonText.of(inSnakeCase(result));
    return JsonText.joined('{"jsonrpc":"2.0","result":', text, `,"id":${JSON.stringify(id)}}`);
  } catch (error) {
    logFailure(caller, method, error, answerFor(error).status);
    return failure(id, codeOf(error), sentenceOf(error), error instanceof RefusedWith ? error.args : undefined);
  }
}

function codeOf(error: unknown): number {
  const isKnown = error instanceof AppError || error instanceof RequestError;
  return (isKnown ? CODES[error.code] : undefined) ?? REFUSED;
}

function requestOf(value: unknown): Request | null {
  if (typeof value !== 'object' || value === null) return null;
  const { jsonrpc, method, params, id } = value as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || Array.isArray(params)) return null;
  if (id === undefined) return { id: null, isAnswered: false, method, params };
  return isId(id) ? { id, isAnswered: true, method, params } : null;
}

function isId(id: unknown): id is Id {
  return id === null || typeof id === 'number' || (typeof id === 'string' && id.length <= MAX_ID_CHARS);
}

function tooMuch(value: unknown): JsonText | null {
  const request = requestOf(value);
  if (request && !request.isAnswered) return null;
  return failure(request?.id ?? null, REFUSED, 'the answers to this batch are too long');
}

function failure(id: Id, code: number, sentence: string, args?: Readonly<Record<string, unknown>>): JsonText {
  const data = { error_string: sentence, ...(args && { result: inSnakeCase(args) }) };
  const error = { code, message: MESSAGES[code], data };
  return JsonText.of({ jsonrpc: '2.0', error, id });
}

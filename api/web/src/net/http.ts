// Requests to the API of the server that this page came from. An error says what the server said, as people read it.
import { ApiError } from './api-error.js';
import { atBase } from './base.js';
import { fewAtATime } from './few-at-a-time.js';
import { noteServerDate } from './server-clock.js';
import { t } from '../strings/index.js';
import type { ToldReason } from './reason-text.js';

export { ApiError };

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

let onUnauthorized = (): void => undefined;

/** Sets what to do when a request finds the session ended. */
export function whenUnauthorized(handler: () => void): void {
  onUnauthorized = handler;
}

/** Refused by these, nobody was signed in before. */
const SIGN_IN_PATHS: ReadonlySet<string> = new Set(['/api/login', '/api/signin/proxy']);

/** Sign-ins so far. */
let session = 0;

/** Tells that a user has just signed in: a request sent before says nothing about the session that began. */
export function beginSession(): void {
  session++;
}

/** The answer's body. The caller says of which type it is; both ends are built together. @throws ApiError */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  return request<Answer>(path, { method, ...init });
}

/** @throws ApiError */
export async function upload<Answer>(path: string, form: FormData): Promise<Answer> {
  return request<Answer>(path, { method: 'POST', body: form });
}

/** Something that is no JSON, as a file. @throws ApiError */
export async function fetchFile(path: string): Promise<Blob> {
  const response = await send(path, {});
  if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
  return response.blob();
}

/** The session that a request is sent in, for its answer. */
export function sessionNow(): number {
  return session;
}

/** The body of the answer to a request that was sent in `sentIn`. @throws ApiError */
export async function answerOf<Answer>(path: string, response: Response, sentIn: number): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  if (response.status === 401 && !SIGN_IN_PATHS.has(path) && sentIn === session) onUnauthorized();
  throw errorOf(response, answer);
}

export function noAnswer(): ApiError {
  return new ApiError(0, t('app.noAnswer'));
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const sentIn = session;
  return answerOf<Answer>(path, await fewAtATime(path, () => send(path, init)), sentIn);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(atBase(path), { credentials: 'same-origin', cache: 'no-store', ...init });
    noteServerDate(response.headers.get('Date'));
    return response;
  } catch {
    throw noAnswer();
  }
}

function errorOf(response: Response, answer: unknown): ApiError {
  const { error: said = response.statusText || `HTTP ${response.status}`, ...reason } = isErrorBody(answer)
    ? answer
    : {};
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  return new ApiError(response.status, said, reason, Number.isNaN(retryAfter) ? null : retryAfter);
}

interface ErrorBody extends ToldReason {
  readonly error: string;
}

function isErrorBody(answer: unknown): answer is ErrorBody {
  return typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string';
}

// Requests to the API of the server that this page came from. An error carries the server's own words.

export class ApiError extends Error {
  constructor(
    /** 0: no answer. */
    readonly status: number,
    message: string,
    /** From `Retry-After`; null when there is none. */
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

let onUnauthorized = (): void => undefined;

/** Sets what to do when a request finds the session ended. */
export function whenUnauthorized(handler: () => void): void {
  onUnauthorized = handler;
}

/** The answer's body. The caller says of which type it is; both ends are built together. @throws ApiError */
export async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const init =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
  return answerOf<Answer>(await send(path, { method, ...init }), path);
}

/** @throws ApiError */
export async function upload<Answer>(path: string, form: FormData): Promise<Answer> {
  return answerOf<Answer>(await send(path, { method: 'POST', body: form }), path);
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
  } catch {
    throw new ApiError(0, 'Swarmd does not answer');
  }
}

async function answerOf<Answer>(response: Response, path: string): Promise<Answer> {
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  if (response.status === 401 && path !== '/api/login') onUnauthorized();
  const message = isErrorBody(answer) ? answer.error : response.statusText || `HTTP ${response.status}`;
  const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
  throw new ApiError(response.status, message, Number.isNaN(retryAfter) ? null : retryAfter);
}

function isErrorBody(answer: unknown): answer is { readonly error: string } {
  return typeof answer === 'object' && answer !== null && 'error' in answer && typeof answer.error === 'string';
}

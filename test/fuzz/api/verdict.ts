// What an answer to a random request must not be.
import { errorSchema } from '../../../shared-protocol/dto/fields.js';
import { webBodySchema } from '../../../shared-protocol/dto/settings.js';
import type { Route } from '../../../api/routes/index.js';
import { undocumented } from '../../contract/api/runner/document.js';
import { headerComplaints } from '../../contract/api/runner/judge.js';
import type { Answer } from '../../support/api-harness.js';
import type { FuzzRequest } from './requests.js';

const wholeErrorSchema = errorSchema.strict();

/** Empty when all is well. */
export function complaintsAbout(request: FuzzRequest, answer: Answer): string[] {
  const { route, method } = request;
  // Headers are all there is to see of these.
  if (method === 'HEAD' || answer.status === 204) return headerComplaints(answer);
  const complaints = headerComplaints(answer);
  if (answer.status >= 400 && !isError(answer.text)) complaints.push(`no error: ${answer.text.slice(0, 200)}`);
  if (/\n? +at .*:\d+:\d+|node_modules|\/work\/|file:\/\/\/[^e]/.test(answer.text) && answer.status >= 400) {
    complaints.push(`tells of the machine: ${answer.text.slice(0, 200)}`);
  }
  if (answer.status >= 500 && !isDocumented(route, method, answer.status))
    complaints.push(`${answer.status} ${answer.text}`);
  if (route && method === route.method && ![400, 413].includes(answer.status))
    complaints.push(...undocumented(route, answer));
  return complaints;
}

/** A sentence, and what is told beside it, if anything (docs/api.md, "Codes"). */
function isError(text: string): boolean {
  const { success, data } = wholeErrorSchema.safeParse(valueOf(text));
  return success && data.error !== '';
}

function isDocumented(route: Route | null, method: string, status: number): boolean {
  return route !== null && method === route.method && route.errors[status] !== undefined;
}

/** What would take the service away from the test: the listener moved, a caller's account disabled, or its key ended. */
export function isOutOfBounds({ method, path, body }: FuzzRequest): boolean {
  if (method === 'PUT' && /^\/api\/settings\/web\/?(?:\?|$)/.test(path)) return wouldMoveTheListener(body);
  if (method === 'DELETE' && /^\/api\/me\/api_key\/?(?:\?|$)/.test(path)) return true;
  const user = /^\/api\/users\/([^/?]*)/.exec(path)?.[1];
  return user !== undefined && /^[123]$/.test(user);
}

function wouldMoveTheListener(body: FuzzRequest['body']): boolean {
  return webBodySchema.safeParse(valueOf(Buffer.from(body ?? '').toString())).success;
}

/** The value that the text is in JSON; undefined: it is none. */
function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

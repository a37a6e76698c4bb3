// Transmission's RPC at `/transmission/rpc`, as its tools know it (docs/compatible.md): one request, in the order of these
// lines, which is Transmission's own. Nothing of a body is kept before its sender was let in.
import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ClientAddress } from '../../auth/client-address.js';
import type { Principal } from '../../auth/authenticate.js';
import { RequestError } from '../../errors.js';
import { Reply } from '../../routes/reply.js';
import { send, whileQuick } from '../../routes/send-reply.js';
import { clientOf, principalOf, stillAllowed } from '../arrival.js';
import type { CompatibleDeps } from '../deps.js';
import { logRefusal } from '../log-refusal.js';
import { json, refusalOf, text } from './answers.js';
import { answerJsonRpc, isJsonRpc } from './json-rpc.js';
import { answerLegacy } from './legacy.js';
import { readRequestBody, type RequestBody } from './request-body.js';
import type { Caller } from './run-method.js';

const SESSION_ID = 'X-Transmission-Session-Id';
const SESSION_ID_BYTES = 24;

/** Passes on what it is not for, and everything while the interface is off. */
export function transmissionRouter(deps: CompatibleDeps): RequestHandler {
  // A page of another site cannot send it, as it cannot read it; it stands for no account. Some tools take letters,
  // digits and `_` alone.
  const sessionId = randomBytes(SESSION_ID_BYTES).toString('hex');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (request.path !== '/' || !deps.services.compatibleInterfaces.isOn('transmission')) return next();
    void answer(deps, sessionId, request, response);
  };
}

async function answer(deps: CompatibleDeps, sessionId: string, request: Request, response: Response): Promise<void> {
  try {
    const client = clientOf(deps, request);
    const principal = await principalOf(deps, request, client);
    if (!principal) throw new RequestError('UNAUTHORIZED');
    if (request.get(SESSION_ID) !== sessionId) {
      const line = `${SESSION_ID}: ${sessionId}`;
      return void send(response, text(line, 409, { [SESSION_ID]: sessionId }));
    }
    if (request.method !== 'POST') throw new RequestError('METHOD_NOT_ALLOWED', '', {}, { Allow: 'POST' });
    const body = await readRequestBody(deps.bodies, String(principal.account.id), request);
    await answerInTurn(deps, request, response, principal, client, body);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const refusal = refusalOf(error);
    logRefusal(deps.log, 'transmission', request, error, refusal.status);
    void send(response, refusal);
  }
}

/** A long answer keeps its account's other requests waiting no longer than one to `/api` does. */
async function answerInTurn(
  deps: CompatibleDeps,
  request: Request,
  response: Response,
  first: Principal,
  client: ClientAddress,
  { value, files, bytes }: RequestBody,
): Promise<void> {
  const { services, log } = deps;
  const answer = async (): Promise<void> => {
    const principal = stillAllowed(deps, first);
    const nothing = { params: {}, query: {}, body: undefined, upload: null, archive: null };
    const context = { services, client, principal, request, ...nothing };
    const sent = send(response, await replyTo({ context, files, log }, value));
    if (sent) await whileQuick(sent);
  };
  await deps.queue.run(first.account.id, answer, bytes);
}

async function replyTo(caller: Caller, value: unknown): Promise<Reply<unknown>> {
  if (!isJsonRpc(value)) return json(await answerLegacy(caller, value));
  const answer = await answerJsonRpc(caller, value);
  return answer ? json(answer) : new Reply(Buffer.alloc(0), {}, undefined, 204);
}

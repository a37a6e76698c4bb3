// qBittorrent's WebAPI v2 below `/api/v2`, as its tools know it (docs/compatible.md): one request, in the order of these
// lines. Nothing of a body is kept before its sender was let in.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { ClientAddress } from '../../auth/client-address.js';
import type { Principal } from '../../auth/authenticate.js';
import { sourceOf } from '../../auth/login-limit.js';
import { RequestError } from '../../errors.js';
import type { Admitted } from '../../routes/admitted.js';
import { mayPass } from '../../routes/authorize.js';
import { LiveBody } from '../../routes/live-body.js';
import { send, sendLive, whileQuick } from '../../routes/send-reply.js';
import { clientOf, principalOf, stillAllowed } from '../arrival.js';
import type { CompatibleDeps } from '../deps.js';
import { Fields } from '../fields.js';
import { EMPTY_FORM, readForm, type Form } from '../form.js';
import { logRefusal } from '../log-refusal.js';
import { refusalOf } from './answers.js';
import { rowOf } from './routes.js';
import { keptFrom } from './kept.js';
import type { Answer, Kept, Row } from './row.js';

/** Passes on what it is not for, and everything while the interface is off. */
export function qbittorrentRouter(deps: CompatibleDeps): RequestHandler {
  const kept = keptFrom(deps.services);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!deps.services.compatibleInterfaces.isOn('qbittorrent')) return next();
    void answer(deps, kept, request, response);
  };
}

async function answer(deps: CompatibleDeps, kept: Kept, request: Request, response: Response): Promise<void> {
  let principal: Principal | null = null;
  try {
    const client = clientOf(deps, request);
    const row = rowOf(request.path.slice(1));
    if (row?.gate !== 'public') {
      principal = await principalOf(deps, request, client);
      if (!principal) throw new RequestError('UNAUTHORIZED');
    }
    if (!row) throw new RequestError('NOT_FOUND', 'Not Found');
    if (!isMethodOf(row, request.method)) throw new RequestError('METHOD_NOT_ALLOWED');
    const form = await formOf(deps, request, client, principal);
    const admitted = {
      ...form,
      ...kept,
      client,
      request,
      services: deps.services,
      params: {},
      query: {},
      body: undefined,
      upload: null,
      archive: null,
    };
    if (principal) await answerInTurn(deps, response, row, admitted, principal);
    else if (row.gate === 'public') void send(response, await row.run({ ...admitted, principal }));
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const refusal = refusalOf(error, principal !== null);
    logRefusal(deps.log, 'qbittorrent', request, error, refusal.status);
    void send(response, refusal);
  }
}

/** An answer that is long, or not there yet, keeps its account's other requests waiting no longer than one to `/api` does. */
async function answerInTurn(
  deps: CompatibleDeps,
  response: Response,
  row: Row,
  admitted: Omit<Admitted, 'principal'> & Form & Kept,
  first: Principal,
): Promise<void> {
  const answer = async (): Promise<Answer | null> => {
    const principal = stillAllowed(deps, first);
    if (row.gate !== 'public' && !mayPass(principal.account, row.gate)) throw new RequestError('FORBIDDEN');
    const reply = await row.run({ ...admitted, principal });
    if (reply.body instanceof LiveBody) return reply;
    const sent = send(response, reply);
    if (sent) await whileQuick(sent);
    return null;
  };
  const reply = await deps.queue.run(first.account.id, answer, admitted.bytes);
  if (reply?.body instanceof LiveBody) await sendLive(response, reply, reply.body);
}

function isMethodOf({ kind }: Row, method: string): boolean {
  return method === 'POST' || (kind === 'read' && (method === 'GET' || method === 'HEAD'));
}

/** In qBittorrent's way: a query counts for GET alone. */
function formOf(
  { bodies }: CompatibleDeps,
  request: Request,
  { ip }: ClientAddress,
  principal: Principal | null,
): Form | Promise<Form> {
  if (request.method !== 'POST') {
    const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
    return { ...EMPTY_FORM, fields: Fields.ofQuery(query) };
  }
  return principal
    ? readForm(bodies, 'json', String(principal.account.id), request)
    : readForm(bodies, 'stranger', sourceOf(ip), request);
}

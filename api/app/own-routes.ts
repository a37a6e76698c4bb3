// The table of routes, asked without a connection: gate, input and handler as for any request of the account.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { answerFor, notFound, RequestError } from '../errors.js';
import type { Account } from '../auth/account.js';
import type { Admitted } from '../routes/admitted.js';
import { mayPass } from '../routes/authorize.js';
import { ROUTES, type Route } from '../routes/index.js';
import type { Services } from '../routes/services.js';
import { StreamedBody } from '../routes/streamed-body.js';
import { UploadBody, type RemoteRequest } from '../services/remotes/ask-remote.js';
import type { OwnRoutes } from '../services/servers/known-servers.js';

const LOCAL = { ip: '127.0.0.1', host: undefined, isSecure: true };

/** `services` is asked when the first request is made: they know each other. */
export function ownRoutes(services: () => Services): OwnRoutes {
  return {
    async ask(account, request) {
      try {
        const { route, admitted } = admittedTo(services(), account, request);
        const { status, body } = await route.run(admitted);
        return { status, body: body instanceof StreamedBody ? parsed(body) : body };
      } catch (error) {
        const { status, body } = answerFor(error);
        if (status >= 500) throw error;
        return { status, body };
      }
    },
  };
}

/** The value of an answer that goes out as the text that it was kept as. */
function parsed({ parts }: StreamedBody): unknown {
  return JSON.parse(Buffer.concat(parts).toString());
}

/** @throws RequestError `NOT_FOUND`, `FORBIDDEN` */
function admittedTo(services: Services, account: Account, { method, path, body }: RemoteRequest) {
  const [pathname = '', search = ''] = path.split('?');
  const { route, params } = routeOf(method, pathname);
  if (!('needs' in route.gate) || !mayPass(account, route.gate.needs)) throw new RequestError('FORBIDDEN');
  const isUpload = body instanceof UploadBody;
  const admitted: Admitted = {
    ...{ services, client: LOCAL, params, archive: null },
    principal: { account, credential: { kind: 'bearer' } },
    // No handler that is asked here looks at it: there is no connection.
    request: new IncomingMessage(new Socket()),
    query: Object.fromEntries(new URLSearchParams(search)),
    body: body === undefined || isUpload ? undefined : Buffer.from(JSON.stringify(body)),
    upload: isUpload ? { ...body.fields, file: body.file } : null,
  };
  return { route, admitted };
}

/** @throws RequestError `NOT_FOUND` */
function routeOf(method: string, path: string) {
  for (const route of ROUTES) {
    const params = paramsOf(route, method, path);
    if (params) return { route, params };
  }
  throw notFound('route');
}

/** The texts that stand for the `{…}` of the route's path; null: it is another one. */
function paramsOf(route: Route, method: string, path: string): Record<string, string> | null {
  const [template, given] = [route.path.split('/'), path.split('/')];
  if (route.method !== method || template.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of template.entries()) {
    if (part.startsWith('{')) params[part.slice(1, -1)] = given[at]!;
    else if (part !== given[at]) return null;
  }
  return params;
}

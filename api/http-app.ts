// The express application over the table of routes: size cap, Host, admission (admission.ts), input, handler, and JSON
// for every answer, errors included. Owns the order of these; which route does what is in routes/.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { admit, type Gate, type HttpPolicy } from './admission.js';
import { clientAddress } from './auth/client-address.js';
import { isHostAllowed } from './auth/origin.js';
import { answerFor, RequestError } from './errors.js';
import type { Log } from './logging.js';
import { ROUTES, type Route } from './routes/index.js';
import type { Admitted, Reply } from './routes/route.js';
import { checkDeclaredLength } from './routes/upload.js';
import type { Services } from './services.js';

const MAX_JSON_BODY_BYTES = 1024 * 1024;

export interface HttpAppDeps {
  readonly services: Services;
  readonly policy: HttpPolicy;
  readonly log: Log;
}

export function createHttpApp(deps: HttpAppDeps): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple');
  app.use(securityHeaders(deps.policy.tls));
  app.use((request, _response, next) => {
    const { host } = clientAddress(request, deps.policy.trustedProxies, deps.policy.tls);
    next(isHostAllowed(host, deps.policy.hosts) ? undefined : new RequestError('HOST_NOT_ALLOWED'));
  });
  app.use('/api', (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    // No CORS headers, ever: no page of another origin has business here.
    if (request.method === 'OPTIONS') response.status(204).end();
    else next();
  });
  for (const route of ROUTES) app[route.method](route.path, bodyReader(route), answerRoute(deps, route));
  for (const [path, routes] of routesByPath()) app.all(path, refuseMethod(deps, routes));
  app.use('/api', (request) => {
    admitRequest(deps, request, 'account');
    throw new RequestError('NOT_FOUND', 'not found');
  });
  app.use(() => {
    throw new RequestError('NOT_FOUND', 'not found');
  });
  app.use(answerError(deps.log));
  return app;
}

function securityHeaders(tls: boolean) {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'self'"], 'frame-ancestors': ["'none'"], 'base-uri': ["'none'"] },
    },
    // Over plain HTTP browsers must ignore it (RFC 6797); it would be noise.
    strictTransportSecurity: tls,
  });
}

function bodyReader(route: Route) {
  if (route.inputKind === 'upload') {
    return (request: Request, _response: Response, next: NextFunction) => {
      checkDeclaredLength(request);
      next();
    };
  }
  return express.raw({ type: () => true, limit: MAX_JSON_BODY_BYTES });
}

function answerRoute(deps: HttpAppDeps, route: Route) {
  return async (request: Request, response: Response): Promise<void> => {
    const admitted = admitRequest(deps, request, route.gate);
    send(response, 200, await route.run(admitted));
  };
}

function admitRequest({ services, policy }: HttpAppDeps, request: Request, gate: Gate): Admitted {
  const client = clientAddress(request, policy.trustedProxies, policy.tls);
  const { id } = request.params;
  const path = { id: typeof id === 'string' ? id : undefined };
  const principal = admit(
    { method: request.method, headers: request.headers, client, ...path },
    gate,
    services,
    policy,
  );
  const body = Buffer.isBuffer(request.body) ? request.body : undefined;
  return { services, client, principal, request, ...path, query: request.query, body };
}

function routesByPath(): Map<string, Route[]> {
  const byPath = new Map<string, Route[]>();
  for (const route of ROUTES) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  return byPath;
}

function refuseMethod(deps: HttpAppDeps, routes: readonly Route[]) {
  const isPublic = routes.some(({ gate }) => gate === 'public' || gate === 'login');
  const allow = routes.map(({ method }) => method.toUpperCase()).join(', ');
  return (request: Request): never => {
    admitRequest(deps, request, isPublic ? 'public' : 'account');
    throw new RequestError('METHOD_NOT_ALLOWED', '', { Allow: allow });
  };
}

/** Express knows an error handler by its four parameters. */
function answerError(log: Log) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) return void response.destroy();
    const { status, headers, body } = answerFor(understood(error));
    const fields = { method: request.method, path: request.path, status };
    if (status >= 500) log.error('request failed', { ...fields, reason: stackOf(error) });
    else log.debug('request refused', { ...fields, error: body.error });
    send(response, status, { json: body, headers });
  };
}

/** The errors that express and its body parser make themselves carry a status. */
function understood(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  if (error.status === 413) return new RequestError('BODY_TOO_LARGE');
  const isClientError = typeof error.status === 'number' && error.status >= 400 && error.status < 500;
  return isClientError ? new RequestError('BODY_INVALID', error.message) : error;
}

function send(response: Response, status: number, { json, headers }: Reply): void {
  const body = Buffer.isBuffer(json) ? json : Buffer.from(JSON.stringify(json));
  response.status(status).set({ ...headers, 'Content-Type': 'application/json; charset=utf-8' });
  response.end(body);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

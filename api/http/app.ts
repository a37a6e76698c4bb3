// The express application over the table of routes: Host, size cap, admission (routes/authorize.ts), body, input,
// handler, and JSON for every answer, errors included. Owns the order of these; which route does what is in routes/.
// Nothing of a body is kept before its sender was let in.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import { clientAddress } from '../auth/client-address.js';
import type { HttpPolicy } from '../auth/http-policy.js';
import { sourceOf } from '../auth/login-limit.js';
import type { NewestRecords } from '../auth/newest-records.js';
import { isHostAllowed } from '../auth/origin.js';
import type { Bodies, BodyKind } from './bodies/bodies.js';
import { readArchive } from './bodies/archive.js';
import { readUpload } from './bodies/upload.js';
import type { Connections } from './connections.js';
import { answerFor, RequestError, understood } from '../errors.js';
import type { InterfaceFiles } from '../static/files.js';
import { serveInterface } from '../static/serve.js';
import type { Log } from '../logging.js';
import { bodyOf, bodyReader, checkDeclaredBody, hasBody } from './request-body.js';
import { RequestQueue } from './request-queue.js';
import { ROUTES, type Route } from '../routes/index.js';
import type { Admitted, Upload } from '../routes/admitted.js';
import { compatibleOnDemand } from '../compatible/on-demand.js';
import { admit } from '../routes/authorize.js';
import type { Gate } from '../routes/gate.js';
import { Reply } from '../routes/reply.js';
import { LiveBody } from '../routes/live-body.js';
import type { Method } from '../routes/route.js';
import type { Services } from '../routes/services.js';
import { SIGN_IN_PAGES } from '../desktop/sign-in-page.js';
import { send, sendLive, whileQuick } from '../routes/send-reply.js';

const ANY_ACCOUNT: Gate = { kind: 'account', needs: 'account' };

export interface HttpAppDeps {
  readonly services: Services;
  readonly policy: HttpPolicy;
  readonly interfaceFiles: InterfaceFiles;
  readonly bodies: Bodies;
  readonly connections: Connections;
  readonly log: Log;
}

export function createHttpApp(deps: HttpAppDeps): Express {
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple').enable('case sensitive routing');
  app.use(securityHeaders(deps.policy.tls));
  app.use((request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    checkHostHeader(request);
    const { host } = clientAddress(request, deps.policy.trustedProxies, deps.policy.tls);
    next(isHostAllowed(host, deps.policy.hosts) ? undefined : new RequestError('HOST_NOT_ALLOWED'));
  });
  const { newestRecords } = deps.services;
  if (newestRecords) app.use(['/api', '/metrics', '/transmission/rpc'], afterLook(newestRecords));
  const queue = new RequestQueue();
  // Before the paths of `/api`, whose rules about credentials and methods are others.
  app.use('/api/v2', compatibleOnDemand('qbittorrent', { ...deps, queue }));
  app.use('/transmission/rpc', compatibleOnDemand('transmission', { ...deps, queue }));
  app.use(['/api', '/metrics'], (request, response, next) => {
    // No CORS headers, ever: no page of another origin has business here.
    if (request.method === 'OPTIONS') return void response.status(204).end();
    if (isDecodable(request.path)) return next();
    if (!isBelowPublicPath(request.originalUrl)) admitRequest(deps, request, ANY_ACCOUNT);
    throw new RequestError('BODY_INVALID', 'path: not valid percent-encoding');
  });
  for (const route of ROUTES) {
    const method = route.method.toLowerCase() as Lowercase<Method>;
    app[method](expressPath(route.path), answerRoute(deps, route, queue));
  }
  for (const [path, routes] of routesByPath()) app.route(expressPath(path)).all(refuseMethod(deps, routes));
  app.use('/api', (request) => {
    admitRequest(deps, request, ANY_ACCOUNT);
    throw new RequestError('NOT_FOUND', 'not found');
  });
  if (deps.services.about.flavor === 'desktop') serveSignInPages(app);
  serveInterface(app, deps.interfaceFiles);
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
      directives: {
        'default-src': ["'self'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Over plain HTTP browsers must ignore it (RFC 6797); it would be noise.
    strictTransportSecurity: tls,
  });
}

/** A request waits for the look after which it is known whether another front has let its sender in just now. */
function afterLook(newestRecords: NewestRecords) {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const look = newestRecords.lookFor(request.headers);
    if (look) void look.then(() => next());
    else next();
  };
}

/** RFC 9112 section 3.2. */
function checkHostHeader({ httpVersion, rawHeaders }: Request): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts > 1) throw new RequestError('BODY_INVALID', 'Host: more than one');
  if (hosts === 0 && httpVersion === '1.1') throw new RequestError('BODY_INVALID', 'Host: required');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Where strangers may ask, they are told what is wrong with the path that they asked for. */
function isBelowPublicPath(url: string): boolean {
  return ROUTES.some(({ gate, path }) => {
    const parameters = path.indexOf('{');
    return gate.kind === 'public' && parameters > 0 && url.startsWith(path.slice(0, parameters));
  });
}

function serveSignInPages(app: Express): void {
  for (const [path, { type, body }] of SIGN_IN_PAGES) {
    app.get(path, (_request, response) => {
      void send(response, new Reply(body, { 'Content-Type': type, 'Cache-Control': 'no-cache' }));
    });
  }
}

function answerRoute(deps: HttpAppDeps, route: Route, queue: RequestQueue) {
  const readBody = bodyReader();
  const isPublic = !('needs' in route.gate);
  return async (request: Request, response: Response): Promise<void> => {
    checkDeclaredBody(route.input, request);
    const first = admitRequest(deps, request, route.gate);
    const { kind, source } = senderOf(first);
    let upload: Upload | null = null;
    let archive: Admitted['archive'] = null;
    // Before its turn: no other request waits for a body that comes slowly, not even one of its account.
    if (route.input.kind === 'upload') upload = await readUpload(deps.bodies, first);
    else if (route.input.kind === 'archive') archive = await readArchive(deps.bodies, first);
    else if (hasBody(request)) {
      await deps.bodies.receive(kind, source, request, () => readBody(request, response));
    }
    const answer = async (): Promise<Reply<unknown>> => {
      // The account may have lost what let it in while it waited for its turn or its body was under way.
      const admitted = isPublic ? { ...first, body: bodyOf(request) } : admitRequest(deps, request, route.gate);
      return route.run({ ...admitted, upload, archive });
    };
    const account = isPublic ? undefined : first.principal?.account;
    const answerNow = async () => {
      const reply = await answer();
      if (reply.body instanceof LiveBody) return reply;
      const sent = send(response, reply);
      if (sent && account) await whileQuick(sent);
      return null;
    };
    const bodyBytes = upload?.file.length ?? bodyOf(request)?.length;
    const reply = await (account ? queue.run(account.id, answerNow, bodyBytes) : answerNow());
    if (!(reply?.body instanceof LiveBody)) return;
    // Whoever is given it has shown a key, if not an account's.
    deps.connections.vouch(request.socket);
    // It may take hours, and has limits of its own.
    await sendLive(response, reply, reply.body);
  };
}

/** Returns who takes a slot for the body of a JSON route. */
function senderOf({ principal, client }: Admitted): { readonly kind: BodyKind; readonly source: string } {
  if (principal) return { kind: 'json', source: String(principal.account.id) };
  return { kind: 'stranger', source: sourceOf(client.ip) };
}

function admitRequest({ services, policy, connections }: HttpAppDeps, request: Request, gate: Gate): Admitted {
  const client = clientAddress(request, policy.trustedProxies, policy.tls);
  const { method, headers, socket } = request;
  const principal = admit({ method, headers, socket, client }, gate, services, policy);
  if (principal) connections.vouch(request.socket);
  // No path has a wildcard, so each parameter is one text.
  const params = request.params as Readonly<Record<string, string>>;
  const { query } = request;
  return { services, client, principal, request, params, query, body: bodyOf(request), upload: null, archive: null };
}

/** Returns the path as express writes what varies. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** Paths without parameters first: `/api/torrents/category` would be taken for a torrent. */
function routesByPath(): [path: string, Route[]][] {
  const byPath = new Map<string, Route[]>();
  for (const route of ROUTES) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  return [...byPath].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')));
}

function refuseMethod(deps: HttpAppDeps, routes: readonly Route[]) {
  const isPublic = routes.some(({ gate }) => gate.kind === 'public' || gate.kind === 'login');
  const allow = routes.map(({ method }) => method).join(', ');
  return (request: Request): never => {
    admitRequest(deps, request, isPublic ? { kind: 'public' } : ANY_ACCOUNT);
    throw new RequestError('METHOD_NOT_ALLOWED', '', {}, { Allow: allow });
  };
}

/** Reasons that whoever looks after the machine has to know of, whatever the status. */
const OF_THE_MACHINE: ReadonlySet<string | undefined> = new Set(['DISK_FULL', 'DISK_FAILED', 'STORAGE_FAILED']);

/** Express knows an error handler by its four parameters. */
function answerError(log: Log) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    if (response.headersSent) return void response.destroy();
    const { status, headers, body } = answerFor(understood(error));
    const fields = { method: request.method, path: withoutKey(request.path), status };
    // What a route is documented to answer is no failure of ours.
    if (status >= 500 && !(error instanceof RequestError))
      log.error('request failed', { ...fields, reason: stackOf(error) });
    else if (OF_THE_MACHINE.has(body.code)) log.warn('request refused', { ...fields, error: body.error });
    else log.debug('request refused', { ...fields, error: body.error });
    void send(response, new Reply(body, headers, undefined, status));
  };
}

/** A link's key is nobody's business who reads a log. */
function withoutKey(path: string): string {
  return path.replace(/^\/api\/links\/[^/]*/, '/api/links/***');
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// Answers for the browser interface. Every path that is no file of it and that a browser goes to is the page itself,
// which then shows what belongs there; what is hashed may be kept for ever, the page is asked for each time.
import type { Express, Request, Response } from 'express';
import type { Coding, InterfaceFile, InterfaceFiles } from './files.js';

const PAGE = '/index.html';
const A_YEAR_S = 31_536_000;
/** Best first. */
const CODINGS = ['br', 'gzip', 'identity'] as const satisfies readonly Coding[];

export function serveInterface(app: Express, files: InterfaceFiles): void {
  const page = files.get(PAGE);
  if (!page) return;
  app.use((request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const file = files.get(request.path) ?? (isNavigation(request) ? page : undefined);
    if (!file) return next();
    send(file, request, response);
  });
}

/** A browser goes to a page: a script that asks for a file wants that file or none. */
function isNavigation(request: Request): boolean {
  const { path } = request;
  if (path === '/api' || path.startsWith('/api/') || path.includes('.')) return false;
  return path === '/' || (request.headers.accept ?? '').includes('text/html');
}

function send(file: InterfaceFile, request: Request, response: Response): void {
  const { type, etag, isHashed } = file;
  response.set({
    'Content-Type': type,
    'Cache-Control': isHashed ? `public, max-age=${A_YEAR_S}, immutable` : 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  if (request.headers['if-none-match'] === etag) return void response.status(304).end();
  const coding = CODINGS.find((candidate) => file.bodies[candidate] && accepts(request, candidate)) ?? 'identity';
  const body = file.bodies[coding];
  if (coding !== 'identity') response.set('Content-Encoding', coding);
  response.set('Content-Length', String(body?.length ?? 0)).status(200);
  response.end(request.method === 'HEAD' ? undefined : body);
}

function accepts(request: Request, coding: Coding): boolean {
  return coding === 'identity' || request.acceptsEncodings(coding) === coding;
}

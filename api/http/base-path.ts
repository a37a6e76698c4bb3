// The sub-path at which a reverse proxy has the service (--base-path). Requests come with it or without, as proxies hand on the path
// or cut it; everything behind this knows paths from `/` only. What names addresses to browsers puts it before them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void;
type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** `basePath`: begins with a slash and ends without one; empty: none. */
export function withoutBasePath<Handlers extends { readonly onRequest: OnRequest; readonly onUpgrade: OnUpgrade }>(
  basePath: string,
  handlers: Handlers,
): Handlers {
  if (basePath === '') return handlers;
  const { onRequest, onUpgrade } = handlers;
  return {
    ...handlers,
    onRequest: (request, response) => {
      const { path, query } = partsOf(request.url ?? '/');
      // Without the slash, what the page refers to would be looked for above it.
      if (path === basePath) return void response.writeHead(308, { Location: `${basePath}/${query}` }).end();
      request.url = cut(path, basePath) + query;
      onRequest(request, response);
    },
    onUpgrade: (request, socket, head) => {
      const { path, query } = partsOf(request.url ?? '/');
      request.url = cut(path, basePath) + query;
      onUpgrade(request, socket, head);
    },
  };
}

function partsOf(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at) };
}

function cut(path: string, basePath: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
}

// Web seeds over HTTP, loaded with the first range that is asked for: the library (undici) takes 170 ms of a start.
import type { Clock } from '../environment.js';
import type { WebSeedHttpOptions } from './http.js';
import type { RangeClient, WebSeedHttp } from './types.js';

/** Works as `createWebSeedHttp` does. */
export function webSeedsOnDemand(
  deps: { readonly clock: Pick<Clock, 'unixMs'> },
  options: Partial<WebSeedHttpOptions> = {},
): WebSeedHttp {
  let loading: Promise<WebSeedHttp> | null = null;
  const load = async () => (await import('./http.js')).createWebSeedHttp(deps, options);
  return {
    newClient(userAgent, access) {
      let client: RangeClient | null = null;
      let isClosed = false;
      return {
        async get(url, range, signal) {
          const http = await (loading ??= load());
          if (isClosed) return { kind: 'failed', reason: 'given up' };
          client ??= http.newClient(userAgent, access);
          return client.get(url, range, signal);
        },
        close() {
          isClosed = true;
          client?.close();
        },
      };
    },
  };
}

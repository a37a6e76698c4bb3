// The only HTTP that nat-api gets: plain, to the machine that answered our search and to no other, with an end in
// time, bytes and number. Without it a neighbour's datagram could make us request any address (SSRF), follow
// redirects, or read forever; the package has no limits of its own.
import { GATEWAY_BODY_MAX_BYTES, GATEWAY_HTTP_MS, GATEWAY_MAX_REQUESTS } from './constants.js';
import type { GatewayRemark } from './gateway-types.js';

export type Fetch = typeof globalThis.fetch;

interface GatewayFetchDeps {
  /** Node's own. */
  readonly fetch: Fetch;
  /** Whether this host has answered our search. */
  readonly isGateway: (host: string) => boolean;
  readonly onRemark: (remark: GatewayRemark) => void;
}

export function createGatewayFetch({ fetch, isGateway, onRemark }: GatewayFetchDeps): Fetch {
  let requests = 0;

  function refuse(remark: GatewayRemark): never {
    onRemark(remark);
    throw new Error(`gateway: ${remark}`);
  }

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { protocol, hostname } = url;
    if (protocol !== 'http:' || !isGateway(hostname)) refuse('other-machine');
    if (++requests > GATEWAY_MAX_REQUESTS) refuse('oversized-answer');
    const signal = AbortSignal.timeout(GATEWAY_HTTP_MS);
    const response = await fetch(url, { ...init, redirect: 'error', signal });
    const body = await readBody(response, () => refuse('oversized-answer'));
    return new Response(body, { status: response.status });
  };
}

/** Counted after decompression, so that a small body cannot become a large one. */
async function readBody(response: Response, onTooLong: () => never): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // The signal ends this loop too.
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > GATEWAY_BODY_MAX_BYTES) onTooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

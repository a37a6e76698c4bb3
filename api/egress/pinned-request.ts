// One GET over a connection of its own to addresses that were judged before: no pool, so nothing that was opened under
// one name or policy ever serves another. TLS is verified against the name in the URL. No time limits here: whoever asks
// gives up by the signal.
import type { LookupAddress } from 'node:dns';
import type { Readable } from 'node:stream';
import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher } from 'undici';

/** As the API's own server; no spec value. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface PinnedRequest {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  /** Trusted instead of the system's, in PEM; none: the system's. */
  readonly certificateAuthorities: readonly string[];
}

export interface RawResponse {
  readonly status: number;
  /** Lower-case names; several of one name are joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it comes, compressed or not. */
  readonly body: Readable;
  /** Ends the connection; to be called in any case. */
  close(): void;
}

/** Resolves when the headers are there. @throws what undici, TLS and the system throw */
export async function sendPinned(request: PinnedRequest, signal: AbortSignal): Promise<RawResponse> {
  const { url, addresses, certificateAuthorities } = request;
  const client = new Client(url.origin, {
    pipelining: 0,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: {
      timeout: 0,
      lookup: pinnedLookup(addresses),
      rejectUnauthorized: true,
      ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
    },
  });
  const close = (): void => void client.destroy().catch(() => undefined);
  try {
    const path = `${url.pathname}${url.search}`;
    const response = await client.request({ method: 'GET', path, headers: request.headers, signal });
    // A body that is ended before anybody reads it would otherwise have nobody to tell.
    response.body.on('error', () => undefined);
    return { status: response.statusCode, headers: flat(response.headers), body: response.body, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0];
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    return [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')];
  });
  return Object.fromEntries(entries);
}

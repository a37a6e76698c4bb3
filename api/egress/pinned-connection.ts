// A connection to addresses that were judged before, and to nothing else. TLS is verified against the name in the URL, or by
// the one certificate that is known: nothing is sent before it was shown.
import type { LookupAddress } from 'node:dns';
import type { RequestOptions } from 'node:http';
import { isIP, Socket, type LookupFunction } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { openStream } from '../../shared-protocol/network/open-stream.js';
import type { Outlet } from '../../shared-protocol/network/outlet.js';
import { WRONG_CERTIFICATE } from './failure.js';

/** For a connection; the caller has a deadline for the whole. */
const CONNECT_MS = 30_000;

export interface PinnedTarget {
  readonly url: URL;
  readonly addresses: readonly LookupAddress[];
  /** Trusted instead of the system's, in PEM; none: the system's. */
  readonly certificateAuthorities: readonly string[];
  /** SHA-256 of the only certificate that is taken, in hexadecimal; null: whichever the authorities vouch for. */
  readonly certificate: string | null;
  readonly outlet: Outlet;
}

/** How Node is to connect: by itself, or by a socket of the way out where that is bound or the certificate is known. */
export function connecting(target: PinnedTarget): RequestOptions {
  const { addresses, certificate, outlet } = target;
  const isPlain = outlet.binding.kind === 'open' && certificate === null;
  return isPlain ? { agent: false, lookup: pinnedLookup(addresses) } : { createConnection: creator(target) };
}

/** Makes the connection, as Node asks for one. */
export function creator(target: PinnedTarget): NonNullable<RequestOptions['createConnection']> {
  return (_options, onCreated) => {
    connected(target).then(
      (socket) => onCreated(null, socket),
      // Node ends the request by the error, and has no socket then.
      (error: unknown) => onCreated(error instanceof Error ? error : new Error(String(error)), new Socket()),
    );
    return undefined;
  };
}

async function connected({ url, addresses, certificateAuthorities, certificate, outlet }: PinnedTarget) {
  const isSecure = url.protocol === 'https:';
  // IPv6 stands in brackets in a URL and nowhere else.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = { host, port: Number(url.port) || (isSecure ? 443 : 80), addresses };
  const socket = await openStream(outlet, null, target, AbortSignal.timeout(CONNECT_MS));
  if (!isSecure) return socket;
  const secured = connectTls({
    ...{ socket, host, rejectUnauthorized: certificate === null },
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificateAuthorities.length > 0 ? { ca: [...certificateAuthorities] } : {}),
  });
  if (certificate !== null) await shown(secured, certificate);
  return secured;
}

/** Resolves when the other side has proved to hold that certificate. */
function shown(socket: TLSSocket, certificate: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket
        .off('close', onClose)
        .on('error', () => undefined)
        .destroy();
      reject(error);
    };
    const onClose = (): void => fail(Object.assign(new Error('connection closed'), { code: 'ECONNRESET' }));
    socket.once('error', fail).once('close', onClose);
    socket.setTimeout(CONNECT_MS, () => fail(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })));
    socket.once('secureConnect', () => {
      const sha256 = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase();
      if (sha256 !== certificate)
        return fail(Object.assign(new Error('another certificate'), { code: WRONG_CERTIFICATE }));
      socket.setTimeout(0).off('error', fail).off('close', onClose);
      resolve();
    });
  });
}

function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const first = addresses[0];
    if (!first) callback(new Error('no address'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

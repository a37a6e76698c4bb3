// What is said of a fetch that failed: why, but neither the URL (it may hold a secret) nor any address that a name was
// resolved to (it would tell what lies in this network).
import { RequestError } from '../errors.js';

export function fetchRefused(reason: string): RequestError {
  return new RequestError('FETCH_REFUSED', reason);
}

export function fetchFailed(reason: string): RequestError {
  return new RequestError('FETCH_FAILED', reason);
}

/** Code of the error of a server that shows another certificate than the one that is known. */
export const WRONG_CERTIFICATE = 'WRONG_PIN';

/** A system error's code says enough; its message holds the address. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return reasonOf(thrown.errors[0]);
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  if (/^Z_|^ERR_(?:_ERROR|BROTLI|PADDING)/.test(code)) return 'the body is not compressed as it says';
  if (code === WRONG_CERTIFICATE) return 'the certificate of the server is not the one that is known';
  if (/CERT|_SIGNATURE|TLS|SSL|UNABLE_TO|EPROTO/.test(code)) return 'the certificate or TLS of the server is not valid';
  // Node's word for an answer that ends before it is whole.
  if (code === 'ECONNRESET' && thrown instanceof Error && thrown.message === 'aborted') return 'connection closed';
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers too large';
  if (code.startsWith('HPE_')) return 'not an HTTP answer';
  return REASONS[code] ?? 'connection failed';
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  ENODATA: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  EAI_NODATA: 'host name not found',
};

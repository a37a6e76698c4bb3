// What is said of a fetch that failed: why, but neither the URL (it may hold a secret) nor any address that a name was
// resolved to (it would tell what lies in this network).
import { errors } from 'undici';
import { RequestError } from '../errors.js';

export function fetchRefused(reason: string): RequestError {
  return new RequestError('FETCH_REFUSED', reason);
}

export function fetchFailed(reason: string): RequestError {
  return new RequestError('FETCH_FAILED', reason);
}

/** A system error's code says enough; its message holds the address. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return reasonOf(thrown.errors[0]);
  if (thrown instanceof errors.HTTPParserError) return 'not an HTTP answer';
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  if (/^Z_|^ERR_(?:_ERROR|BROTLI|PADDING)/.test(code)) return 'the body is not compressed as it says';
  if (/CERT|_SIGNATURE|TLS|SSL|UNABLE_TO|EPROTO/.test(code)) return 'the certificate or TLS of the server is not valid';
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
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the body is shorter than it says',
  UND_ERR_SOCKET: 'connection closed',
};

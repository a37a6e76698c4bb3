// What is said of a fetch that failed: why, but neither the URL (it may hold a secret) nor any address that a name was
// resolved to (it would tell what lies in this network).
import type { ErrorData } from '../../shared-protocol/errors.js';
import { because, type ReasonCode } from '../../shared-protocol/reasons.js';
import { RequestError } from '../errors.js';

export function fetchRefused(reason: string, data?: ErrorData): RequestError {
  return new RequestError('FETCH_REFUSED', reason, data);
}

export function fetchFailed(reason: string, data?: ErrorData): RequestError {
  return new RequestError('FETCH_FAILED', reason, data);
}

/** The failure of a fetch that was answered with a status that is no success. */
export function statusFailed(status: number): RequestError {
  return fetchFailed(`Download failed: HTTP ${status}`, because('HTTP_STATUS', { status }));
}

/** The failure of a fetch in which this was thrown. */
export function connectionFailed(thrown: unknown): RequestError {
  const failure = failureOf(thrown);
  return fetchFailed(failure.said, failure.code && because(failure.code));
}

/** Code of the error of a server that shows another certificate than the one that is known. */
export const WRONG_CERTIFICATE = 'WRONG_PIN';

interface Failure {
  readonly said: string;
  /** Left out where nobody can do anything about it. */
  readonly code?: ReasonCode;
}

/** A system error's code says enough; its message holds the address. */
function failureOf(thrown: unknown): Failure {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return failureOf(thrown.errors[0]);
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  if (/^Z_|^ERR_(?:_ERROR|BROTLI|PADDING)/.test(code)) return { said: 'the body is not compressed as it says' };
  if (code === WRONG_CERTIFICATE) return { said: 'the certificate of the server is not the one that is known' };
  if (/CERT|_SIGNATURE|TLS|SSL|UNABLE_TO|EPROTO/.test(code)) return BAD_CERTIFICATE;
  // Node's word for an answer that ends before it is whole.
  if (code === 'ECONNRESET' && thrown instanceof Error && thrown.message === 'aborted') return CLOSED;
  if (code === 'HPE_HEADER_OVERFLOW') return { said: 'headers too large' };
  if (code.startsWith('HPE_')) return { said: 'not an HTTP answer', code: 'ANSWER_INVALID' };
  return FAILURES[code] ?? { said: 'connection failed', code: 'CONNECTION_FAILED' };
}

const BAD_CERTIFICATE: Failure = {
  said: 'the certificate or TLS of the server is not valid',
  code: 'CERTIFICATE_INVALID',
};
const CLOSED: Failure = { said: 'connection closed', code: 'CONNECTION_CLOSED' };
const RESET: Failure = { said: 'connection reset', code: 'CONNECTION_CLOSED' };
const NO_HOST: Failure = { said: 'host name not found', code: 'HOST_NOT_FOUND' };

const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: { said: 'connection refused', code: 'CONNECTION_REFUSED' },
  ECONNRESET: RESET,
  EPIPE: RESET,
  ETIMEDOUT: { said: 'connection timed out', code: 'TIMED_OUT' },
  EHOSTUNREACH: { said: 'host unreachable', code: 'HOST_UNREACHABLE' },
  ENETUNREACH: { said: 'network unreachable', code: 'HOST_UNREACHABLE' },
  ENOTFOUND: NO_HOST,
  ENODATA: NO_HOST,
  EAI_NODATA: NO_HOST,
  EAI_AGAIN: { said: 'host name lookup failed', code: 'HOST_NOT_FOUND' },
};

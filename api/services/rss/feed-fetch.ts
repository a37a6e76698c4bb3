// Gets a feed, whole or only if it has changed. Owns the cap on its size, and which of a server's validators are sent back.
import type { Caller } from '../../../shared-protocol/names/name-resolver.js';
import type { Egress, Fetched } from '../../egress/egress.js';
import { fetchRefused, statusFailed } from '../../egress/failure.js';
import { RequestError } from '../../errors.js';

/** docs/semantics.md section 13. */
const MAX_FEED_BYTES = 5_000_000;
const NOT_MODIFIED = 304;
/** No spec value. A longer one is an attempt to have us keep something. */
const MAX_VALIDATOR_LENGTH = 512;

/** The marks of an answer's freshness that a server gave (RFC 9110 section 8.8); empty where it gave none. */
export interface Validators {
  readonly etag: string;
  readonly lastModified: string;
}

export const NO_VALIDATORS: Validators = { etag: '', lastModified: '' };

export type FetchedFeed =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'feed';
      readonly bytes: Uint8Array;
      readonly contentType: string;
      readonly validators: Validators;
    };

/** `caller`: on whose behalf; null for a poll. Unchanged only where validators were given. @throws RequestError `UPSTREAM_FAILED` */
export async function fetchFeed(
  egress: Pick<Egress, 'fetch'>,
  url: string,
  caller: Caller,
  known: Validators = NO_VALIDATORS,
  signal?: AbortSignal,
): Promise<FetchedFeed> {
  const headers = {
    ...(known.etag === '' ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === '' ? {} : { 'if-modified-since': known.lastModified }),
  };
  const fetched = await orUpstreamFailed(
    egress.fetch(url, { caller, maxBytes: MAX_FEED_BYTES, headers, ...(signal ? { signal } : {}) }),
  );
  if (fetched.kind === 'magnet') throw upstreamFailed(fetchRefused('redirect to a magnet'));
  if (fetched.status === NOT_MODIFIED) {
    if (Object.keys(headers).length > 0) return { kind: 'unchanged' };
    throw upstreamFailed(statusFailed(NOT_MODIFIED));
  }
  return {
    kind: 'feed',
    bytes: fetched.bytes,
    contentType: fetched.headers['content-type'] ?? '',
    validators: { etag: usable(fetched.headers['etag']), lastModified: usable(fetched.headers['last-modified']) },
  };
}

async function orUpstreamFailed(fetching: Promise<Fetched>): Promise<Fetched> {
  try {
    return await fetching;
  } catch (error) {
    throw error instanceof RequestError ? upstreamFailed(error) : error;
  }
}

function upstreamFailed({ message, data }: RequestError): RequestError {
  return new RequestError('UPSTREAM_FAILED', `feed: ${message}`, data);
}

/** Drops what may not stand in a header of ours: it would make every later poll fail. */
function usable(validator = ''): string {
  return validator.length <= MAX_VALIDATOR_LENGTH && /^[\x20-\x7e]*$/.test(validator) ? validator : '';
}

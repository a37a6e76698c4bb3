// One fetch of a list: what is asked, and what the answer brings. Nothing of it is kept here.
import type { Chunks } from '../../egress/body.js';
import type { Egress } from '../../egress/egress.js';
import { statusFailed } from '../../egress/failure.js';
import type { HeldList, Validators } from './cached-list.js';
import type { ReadList } from './list-reader.js';

/** docs/api.md, "Limits". */
const MAX_BODY_BYTES = 50 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const NOT_MODIFIED = 304;

export interface FetchListDeps {
  readonly egress: Pick<Egress, 'read'>;
  readonly readList: (body: Chunks, signal: AbortSignal) => Promise<ReadList>;
}

export interface FetchedList extends ReadList {
  readonly validators: Validators;
}

/**
 * Null: what is held is the newest, which a server is asked about where it is held of the same URL.
 * @throws RequestError `FETCH_REFUSED`, `FETCH_FAILED`
 */
export function fetchList(
  { egress, readList }: FetchListDeps,
  url: string,
  held: HeldList | null,
  signal: AbortSignal,
): Promise<FetchedList | null> {
  const known = held?.url === url ? held.validators : null;
  const options = {
    caller: null,
    maxBytes: MAX_BODY_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
    headers: conditionsOf(known),
  };
  return egress.read(url, options, async (body, { status, headers }) => {
    if (status !== NOT_MODIFIED) return { ...(await readList(body, signal)), validators: validatorsIn(headers) };
    if (!known) throw statusFailed(NOT_MODIFIED);
    return null;
  });
}

function conditionsOf(known: Validators | null): Record<string, string> {
  return {
    ...(known?.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known?.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
  };
}

function validatorsIn({ etag, 'last-modified': lastModified }: Readonly<Record<string, string>>): Validators {
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

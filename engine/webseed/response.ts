// Whether a server's answer is the range that was asked for (RFC 9110, docs/limits.md 2.24). Pure, and strict: a server
// that answers something else would fill pieces with it.
import { shortened } from '../../shared-protocol/shortened.js';
import type { ByteRange, RangeRefusal } from './types.js';

/** Header values as they came; a list where a header came more than once. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ContentRange {
  readonly first: number;
  readonly last: number;
  /** null where the server does not know: `*`. */
  readonly total: number | null;
}

/** Longest text of a server that is kept for display. */
const MAX_SHOWN_CHARS = 80;

/** null: the body is the range. `unixMs` is the time now, for dates in headers. */
export function judgeResponse(status: number, headers: Headers, range: ByteRange, unixMs: number): RangeRefusal | null {
  if (status !== 200 && status !== 206) return refuseStatus(status, headers['retry-after'], unixMs);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') return failed(`content encoding ${show(encoding)}`);
  const length = range.last - range.first + 1;
  if (status === 200 && length !== range.fileBytes) return failed('HTTP status 200 for a part of the file');
  if (status === 206) {
    const text = headers['content-range'];
    const given = typeof text === 'string' ? parseContentRange(text) : null;
    const matches =
      given?.first === range.first &&
      given.last === range.last &&
      (given.total === null || given.total === range.fileBytes);
    if (!matches) return failed(`asked for bytes ${range.first}-${range.last}, was given ${show(text)}`);
  }
  const declared = headers['content-length'];
  if (declared !== undefined && declared !== String(length)) {
    return failed(`body of ${show(declared)} bytes instead of ${length}`);
  }
  return null;
}

/** RFC 9110 14.4; null for what is none, or of a range that was not satisfied. */
export function parseContentRange(text: string): ContentRange | null {
  const match = /^ *bytes +(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*) *$/i.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = Number(match[2]);
  const total = match[3] === '*' ? null : Number(match[3]);
  return last < first || (total !== null && last >= total) ? null : { first, last, total };
}

/** RFC 9110 10.2.3: seconds or a date. Whole seconds from now, 0 for the past; null for what is neither. */
export function parseRetryAfter(text: string, unixMs: number): number | null {
  const trimmed = text.trim();
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed);
  // Only the form of date that RFC 9110 has servers send: Date.parse takes much else.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(trimmed)) return null;
  const dateMs = Date.parse(trimmed);
  return Number.isNaN(dateMs) ? null : Math.max(0, Math.ceil((dateMs - unixMs) / 1000));
}

function refuseStatus(status: number, retryAfter: Headers[string], unixMs: number): RangeRefusal {
  const reason = `HTTP status ${status}`;
  const mayReturn = (status === 503 || status === 429) && typeof retryAfter === 'string';
  const seconds = mayReturn ? parseRetryAfter(retryAfter, unixMs) : null;
  return seconds === null ? failed(reason) : { kind: 'retry-after', seconds, reason };
}

function failed(reason: string): RangeRefusal {
  return { kind: 'failed', reason };
}

function show(value: Headers[string]): string {
  if (value === undefined) return 'nothing';
  const text = String(value).replace(/[^\x20-\x7e]+/g, ' ');
  return `"${shortened(text, MAX_SHOWN_CHARS)}"`;
}

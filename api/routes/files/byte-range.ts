// Which bytes of a file a request asks for, and whether at all: conditions and ranges of RFC 9110, sections 13 and 14. Pure.
// One range is served; several at once are answered by the whole file, as section 14.2 allows.
import type { IncomingHttpHeaders } from 'node:http';

/** A file, as far as requests may depend on what is in it. */
export interface Representation {
  /** A strong entity tag, in its quotes. */
  readonly etag: string;
  readonly sizeBytes: number;
}

/** `from` to before `end`. */
export interface ByteRange {
  readonly from: number;
  readonly end: number;
}

export type RangeOutcome =
  | { readonly kind: 'whole' }
  | ({ readonly kind: 'part' } & ByteRange)
  | { readonly kind: 'unsatisfiable' }
  /** The client has this very file. */
  | { readonly kind: 'not-modified' }
  /** The client wants another file than this. */
  | { readonly kind: 'precondition-failed' };

const WHOLE: RangeOutcome = { kind: 'whole' };

/** In the order of RFC 9110 section 13.2.2. Ranges are for GET alone (section 14.2). */
export function rangeOf(method: string, headers: IncomingHttpHeaders, file: Representation): RangeOutcome {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch, 'if-range': ifRange, range } = headers;
  if (ifMatch !== undefined && !names(ifMatch, file.etag, 'strongly')) return { kind: 'precondition-failed' };
  if (ifNoneMatch !== undefined && names(ifNoneMatch, file.etag, 'weakly')) return { kind: 'not-modified' };
  if (method !== 'GET' || range === undefined) return WHOLE;
  // A date is never the right one: nobody is told any.
  if (ifRange !== undefined && ifRange !== file.etag) return WHOLE;
  return parseRange(range, file.sizeBytes);
}

/** Ignores a header that is not understood (section 14.2). */
function parseRange(header: string, sizeBytes: number): RangeOutcome {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header.trim()) ?? [];
  if (first === '' && last === '') return WHOLE;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', from: sizeBytes - length, end: sizeBytes };
  }
  const from = Number(first);
  const through = last === '' ? Infinity : Number(last);
  if (through < from) return WHOLE;
  if (from >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', from, end: Math.min(through, sizeBytes - 1) + 1 };
}

/** Section 8.8.3.2: weakly, a tag is the same whether or not it is said to be weak. */
function names(header: string, etag: string, how: 'strongly' | 'weakly'): boolean {
  if (header.trim() === '*') return true;
  const tags = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => (how === 'weakly' ? tag.replace(/^W\//, '') : tag) === etag);
}

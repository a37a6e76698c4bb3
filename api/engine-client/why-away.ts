// Why an engine of its own process is away: a stable code for programs, and a sentence for people. Pure.
import type { AwayCode } from '../../shared-protocol/dto/engines.js';
import { messageOf } from '../../shared-protocol/errors.js';

export interface WhyAway {
  readonly code: AwayCode;
  /** The whole sentence. */
  readonly words: string;
  /** Words of the engine or of the system about what the code leaves open; empty where it says all. */
  readonly detail: string;
}

export const NOT_REACHED: WhyAway = { code: 'NOT_REACHED', words: 'not reached yet', detail: '' };
export const LOADING: WhyAway = { code: 'LOADING', words: 'it loads its torrents', detail: '' };
export const SILENT: WhyAway = { code: 'SILENT', words: 'silent', detail: '' };

/** More than the front can keep. */
export const TOO_MANY_TORRENTS: WhyAway = {
  code: 'TOO_MANY_TORRENTS',
  words: 'it tells of more torrents than the front has memory for',
  detail: '',
};

/** `said`: the body of its answer. */
export function refused(status: number, said: string): WhyAway {
  return { code: 'REFUSED', words: `refused (${status}): ${said}`, detail: said || `HTTP ${status}` };
}

/** Another engine is there than the one that was meant, or none. */
export function mistaken(words: string): WhyAway {
  return { code: 'MISTAKEN', words, detail: words };
}

export function closed(closeCode: number): WhyAway {
  return { code: 'CLOSED', words: `closed (${closeCode})`, detail: '' };
}

/** A connection that failed, or a start of the engine. */
export function failed(error: unknown): WhyAway {
  const errno = error instanceof Error && 'code' in error ? error.code : undefined;
  // Where a name has several addresses the error of all of them has no message.
  const words = messageOf(error) || String(errno);
  if (errno === 'ENOENT' || errno === 'ECONNREFUSED') return { code: 'NOBODY_THERE', words, detail: '' };
  return { code: 'FAILED', words, detail: words };
}

// What is to be done with a file in the watch folder (docs/semantics.md section 9). A file is taken when it was the
// same in two polls, added once, and then deleted or renamed; what can be neither is remembered, so that nothing loops.
// Pure.
import { isMagnetText } from '../../../shared-protocol/magnet-text.js';
import { AppError, ENGINE_GONE, type ErrorCode } from '../../../shared-protocol/errors.js';
import { RequestError } from '../../errors.js';

const SECOND_MS = 1_000;
/** docs/semantics.md section 9. */
export const POLL_MS = 5 * SECOND_MS;
/** Two polls that are closer, because a setting was changed between them, do not tell that a file is complete. */
const STABLE_MS = POLL_MS - SECOND_MS;
/** Browsers keep a name with an empty file while they still fetch what goes into it; no spec value. */
const EMPTY_PATIENCE_MS = 60 * SECOND_MS;
const MAX_RETRY_MS = 300 * SECOND_MS;
/** Names with a number that are tried; a user who has as many of one name has a reason to look into the folder. */
const MAX_NUMBER = 100;

export type FileKind = 'torrent' | 'magnet';

/** The state of a file by the file system; the same means that no program has touched it. */
export interface FileState {
  readonly mark: string;
  readonly size: number;
}

/** The memory of a name from one poll to the next. */
export type Memory =
  | { readonly kind: 'seen'; readonly mark: string; readonly sinceMs: number }
  /** The file could not be added, through no fault of its own. */
  | { readonly kind: 'waiting'; readonly mark: string; readonly attempts: number; readonly notBeforeMs: number }
  /** Dealt with, and still there because it can neither be deleted nor renamed. */
  | { readonly kind: 'settled'; readonly mark: string };

export type Verdict =
  | { readonly kind: 'take' }
  /** Not now; remembered like this. */
  | { readonly kind: 'leave'; readonly memory: Memory };

/** Returns what the name says; null: it is none of ours. Hidden files are another program's unfinished business. */
export function kindOf(name: string): FileKind | null {
  if (name.startsWith('.')) return null;
  const [, ending] = /\.(torrent|magnet)$/i.exec(name) ?? [];
  return ending === undefined ? null : ending.toLowerCase() === 'torrent' ? 'torrent' : 'magnet';
}

/** `nowMs` of the monotonic clock. */
export function decideOn(memory: Memory | undefined, { mark, size }: FileState, nowMs: number): Verdict {
  if (memory?.mark !== mark) return { kind: 'leave', memory: { kind: 'seen', mark, sinceMs: nowMs } };
  switch (memory.kind) {
    case 'settled':
      return { kind: 'leave', memory };
    case 'waiting':
      return nowMs >= memory.notBeforeMs ? { kind: 'take' } : { kind: 'leave', memory };
    case 'seen': {
      const patienceMs = size === 0 ? EMPTY_PATIENCE_MS : STABLE_MS;
      return nowMs - memory.sinceMs >= patienceMs ? { kind: 'take' } : { kind: 'leave', memory };
    }
  }
}

/** After one more failed attempt: the first retry is the next poll's, the later ones are ever further apart. */
export function waitLonger(memory: Memory | undefined, mark: string, nowMs: number): Memory & { kind: 'waiting' } {
  const attempts = memory?.kind === 'waiting' && memory.mark === mark ? memory.attempts + 1 : 1;
  const delayMs = attempts === 1 ? 0 : Math.min(MAX_RETRY_MS, POLL_MS * 2 ** (attempts - 1));
  return { kind: 'waiting', mark, attempts, notBeforeMs: nowMs + delayMs };
}

/** `away`: of the engine as a whole, so the other files would fare no better. */
export type AddFailure = 'invalid' | 'present' | 'later' | 'away';

const FAULTS_OF_THE_FILE: ReadonlySet<ErrorCode> = new Set(['TORRENT_INVALID', 'MAGNET_INVALID', 'INFO_HASH_INVALID']);

/** Only what is the file's own fault makes it invalid: a full disk says nothing of it. */
export function failureOf(error: unknown): AddFailure {
  if (error instanceof RequestError) return error.code === 'TORRENT_HIDDEN' ? 'present' : 'later';
  if (!(error instanceof AppError)) return 'later';
  if (FAULTS_OF_THE_FILE.has(error.code)) return 'invalid';
  return ENGINE_GONE.has(error.code) ? 'away' : 'later';
}

/** Where a file may go that was dealt with, best first: `a.torrent.added`, `a.torrent.1.added`, … */
export function* asideNames(name: string, ending: 'added' | 'invalid'): Generator<string> {
  yield `${name}.${ending}`;
  for (let number = 1; number <= MAX_NUMBER; number++) yield `${name}.${number}.${ending}`;
}

/** The magnets of a text file, one a line; null: it holds something else, or nothing. */
export function magnetsIn(bytes: Uint8Array): string[] | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0 && lines.every(isMagnetText) ? lines : null;
}

// The one table from error codes to HTTP statuses, for the engine's and storage's codes as well as the API's own.
// Nothing else decides a status. A fixed message hides what a client must not or need not know.
import { AppError, type ErrorCode, type ErrorData } from '../shared-protocol/errors.js';
import { because, isReasonCode, reasonIn, type Reason, type ReasonCode } from '../shared-protocol/reasons.js';

/** Failures that only exist between a client and this API. */
export type RequestErrorCode =
  | 'BODY_INVALID'
  | 'BODY_TOO_LARGE'
  | 'UPLOAD_TOO_LARGE'
  | 'UNAUTHORIZED'
  | 'INVALID_CREDENTIALS'
  | 'PROXY_USER_REFUSED'
  | 'FORBIDDEN'
  | 'ORIGIN_MISMATCH'
  | 'ORIGIN_MISSING'
  | 'HOST_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'UPGRADE_REQUIRED'
  | 'TOO_MANY_LOGINS'
  | 'TOO_MANY_SOCKETS'
  | 'TOO_MANY_REQUESTS'
  | 'TOO_MANY_BODIES'
  | 'TOO_MANY_STREAMS'
  | 'MEDIA_UNREADABLE'
  | 'RANGE_UNSATISFIABLE'
  | 'PRECONDITION_FAILED'
  | 'BODY_STALLED'
  | 'PASSWORD_INCORRECT'
  | 'TORRENT_REFUSED'
  | 'TORRENT_HIDDEN'
  | 'QUOTA_EXCEEDED'
  | 'NAME_TAKEN'
  | 'ACCOUNT_PROTECTED'
  | 'SINGLE_ACCOUNT'
  | 'SHARE_REFUSED'
  | 'SEEDING_RULE_REFUSED'
  | 'CHANNEL_INVALID'
  | 'REGEX_INVALID'
  | 'RSS_REFUSED'
  | 'CREATION_REFUSED'
  | 'PATH_UNUSABLE'
  | 'URL_REFUSED'
  | 'FETCH_REFUSED'
  | 'FETCH_FAILED'
  | 'UPSTREAM_FAILED'
  | 'REMOTE_AWAY'
  | 'UPDATER_DISABLED'
  | 'UPDATE_FAILED'
  | 'MANAGED_BY_APT'
  | 'PORT_UNUSABLE'
  | 'SHUTTING_DOWN';

export type Headers = Readonly<Record<string, string>>;

export class RequestError extends Error {
  constructor(
    readonly code: RequestErrorCode,
    message = '',
    /** With the reason among them ({@link because}) if clients do something about it. */
    readonly data: ErrorData = {},
    readonly headers: Headers = {},
  ) {
    super(message || code);
    this.name = 'RequestError';
  }
}

/** For what is named and is not there: a category, a feed, … */
export function notFound(kind: string): RequestError {
  return new RequestError('NOT_FOUND', `${kind} not found`);
}

interface Answer {
  readonly status: number;
  /** Instead of the error's own message. */
  readonly message?: string;
  /** The code in the body, where the error has no reason of its own. */
  readonly code?: ReasonCode;
  readonly headers?: Headers;
}

/** docs/api.md: constant. */
const LOGIN_RETRY_AFTER = { 'Retry-After': '12' };
const INTERNAL: Answer = { status: 500, message: 'internal error' };
const ENGINE_RESTARTING: Answer = { status: 503, message: 'engine restarting' };

const ANSWERS: { readonly [Code in ErrorCode | RequestErrorCode]: Answer } = {
  BODY_INVALID: { status: 400 },
  BODY_TOO_LARGE: { status: 413, message: 'request body too large' },
  UPLOAD_TOO_LARGE: { status: 400, message: 'file: larger than 10 MiB', code: 'UPLOAD_TOO_LARGE' },
  UNAUTHORIZED: { status: 401, message: 'unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } },
  INVALID_CREDENTIALS: { status: 401, message: 'invalid credentials' },
  PROXY_USER_REFUSED: { status: 401, code: 'PROXY_USER_REFUSED' },
  FORBIDDEN: { status: 403, message: 'forbidden' },
  ORIGIN_MISMATCH: { status: 403, message: 'origin mismatch' },
  ORIGIN_MISSING: { status: 403, message: 'missing origin' },
  HOST_NOT_ALLOWED: { status: 421, message: 'host not allowed' },
  NOT_FOUND: { status: 404 },
  METHOD_NOT_ALLOWED: { status: 405, message: 'method not allowed' },
  CONFLICT: { status: 409 },
  UPGRADE_REQUIRED: { status: 426, message: 'websocket upgrade required', headers: { Upgrade: 'websocket' } },
  TOO_MANY_LOGINS: { status: 429, message: 'too many login attempts', headers: LOGIN_RETRY_AFTER },
  TOO_MANY_SOCKETS: { status: 429, message: 'too many connections', headers: LOGIN_RETRY_AFTER },
  TOO_MANY_REQUESTS: { status: 429, message: 'too many requests at a time', headers: LOGIN_RETRY_AFTER },
  TOO_MANY_BODIES: { status: 429, message: 'too many uploads at a time', headers: LOGIN_RETRY_AFTER },
  TOO_MANY_STREAMS: { status: 429, message: 'too many files at a time', headers: LOGIN_RETRY_AFTER },
  MEDIA_UNREADABLE: { status: 400, code: 'MEDIA_UNREADABLE' },
  RANGE_UNSATISFIABLE: { status: 416, message: 'range not satisfiable' },
  PRECONDITION_FAILED: { status: 412, message: 'precondition failed' },
  BODY_STALLED: { status: 408, headers: { Connection: 'close' } },
  PASSWORD_INCORRECT: { status: 400, message: 'current password is incorrect', code: 'PASSWORD_INCORRECT' },
  TORRENT_REFUSED: { status: 400 },
  TORRENT_HIDDEN: { status: 400, message: 'torrent already exists' },
  QUOTA_EXCEEDED: { status: 400, code: 'QUOTA_EXCEEDED' },
  NAME_TAKEN: { status: 400, code: 'NAME_TAKEN' },
  ACCOUNT_PROTECTED: { status: 400 },
  SINGLE_ACCOUNT: { status: 400, message: 'single account' },
  SHARE_REFUSED: { status: 400 },
  SEEDING_RULE_REFUSED: { status: 403 },
  CHANNEL_INVALID: { status: 400, message: 'channel must be stable or beta' },
  REGEX_INVALID: { status: 400 },
  RSS_REFUSED: { status: 409 },
  CREATION_REFUSED: { status: 409 },
  PATH_UNUSABLE: { status: 400 },
  URL_REFUSED: { status: 400 },
  FETCH_REFUSED: { status: 400 },
  FETCH_FAILED: { status: 400 },
  UPSTREAM_FAILED: { status: 502 },
  REMOTE_AWAY: { status: 503, code: 'REMOTE_AWAY' },
  UPDATER_DISABLED: { status: 500, message: 'updater disabled' },
  UPDATE_FAILED: { status: 500 },
  MANAGED_BY_APT: { status: 500, message: 'managed by apt' },
  PORT_UNUSABLE: { status: 400 },
  SHUTTING_DOWN: { status: 503, message: 'shutting down', code: 'SHUTTING_DOWN' },
  TORRENT_NOT_RUNNING: { status: 409, code: 'TORRENT_NOT_RUNNING' },
  METADATA_UNKNOWN: { status: 409, code: 'METADATA_UNKNOWN' },
  TORRENT_INVALID: { status: 400 },
  TORRENT_TOO_LARGE: { status: 400 },
  MAGNET_INVALID: { status: 400 },
  INFO_HASH_INVALID: { status: 400 },
  PEER_ID_INVALID: { status: 400 },
  ACCOUNT_ID_INVALID: { status: 400 },
  PEER_ADDRESS_INVALID: { status: 400, code: 'PEER_ADDRESS_INVALID' },
  PEER_ADDRESS_REFUSED: { status: 400 },
  SAVE_PATH_INVALID: { status: 400 },
  FILE_INDEX_INVALID: { status: 400 },
  TORRENT_PRIVATE: { status: 400, message: 'torrent already exists' },
  CHECKED_LATELY: { status: 400, code: 'CHECKED_LATELY' },
  FILE_NOT_FOUND: { status: 404, message: 'file not found', code: 'FILE_NOT_FOUND' },
  FILE_UNAVAILABLE: { status: 409 },
  TOO_MANY_READERS: { status: 429, message: 'too many files at a time', headers: LOGIN_RETRY_AFTER },
  MOVE_NOT_ALLOWED: { status: 403, code: 'MOVE_NOT_ALLOWED' },
  MOVE_TARGET_TAKEN: { status: 409 },
  MOVE_CONFLICT: { status: 409 },
  CREATE_NOT_ALLOWED: { status: 403 },
  CREATE_REFUSED: { status: 400 },
  IMPORT_UNREADABLE: { status: 400 },
  CREATION_NOT_FOUND: { status: 404, message: 'creation not found' },
  CREATION_NOT_DONE: { status: 409 },
  FILES_CHANGED: { status: 409 },
  RENAME_INVALID: { status: 400 },
  RECORD_CHANGED: { status: 409 },
  TRACKER_INVALID: { status: 400 },
  TORRENT_NOT_FOUND: { status: 404, message: 'torrent not found' },
  DISK_FULL: { status: 500, message: 'disk full', code: 'DISK_FULL' },
  DISK_FAILED: { status: 500, message: 'disk failure', code: 'DISK_FAILED' },
  FILES_MISSING: { status: 500, message: 'files missing', code: 'FILES_MISSING' },
  STORAGE_FAILED: { status: 500, message: 'storage failure', code: 'STORAGE_FAILED' },
  STORAGE_LOCKED: INTERNAL,
  STORAGE_TOO_NEW: INTERNAL,
  RECORDS_MISSING: INTERNAL,
  RECORDS_IN_THE_WAY: INTERNAL,
  RECORDS_ELSEWHERE: INTERNAL,
  LISTEN_FAILED: INTERNAL,
  HOOK_PROGRAM_UNUSABLE: INTERNAL,
  ENGINES_FILE_INVALID: INTERNAL,
  ENGINE_EXITED: ENGINE_RESTARTING,
  ENGINE_TIMEOUT: { status: 503, message: 'engine does not answer', code: 'ENGINE_TIMEOUT' },
  ENGINE_NOT_RUNNING: ENGINE_RESTARTING,
  ENGINE_AWAY: { status: 503, message: 'engine away', code: 'ENGINE_AWAY' },
  ENGINE_FENCED: { status: 503, message: 'engine away', code: 'ENGINE_FENCED' },
  BUG: INTERNAL,
};

/** Why the system did not take what was to be stored, in words that say what to do. */
const NOT_STORED: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'disk full'],
  ['EDQUOT', 'disk full'],
  ['EROFS', 'the disk is read-only'],
  ['EIO', 'the disk failed'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
]);

interface NotStored {
  readonly message: string;
  readonly reason: Reason;
}

/** The answer to a client whose change could not be stored; null: it is another error, or nothing more is known of it. */
function notStored(thrown: unknown): NotStored | null {
  const errno = thrown instanceof AppError && thrown.code === 'STORAGE_FAILED' ? thrown.data?.['errno'] : undefined;
  const words = NOT_STORED.get(errno);
  if (words === undefined) return null;
  const isFull = words === 'disk full';
  const reason = isFull ? { code: 'DISK_FULL' as const } : { code: 'STORAGE_FAILED' as const, data: { errno: errno! } };
  return { message: `storage failure: ${words}`, reason };
}

/** The data of an error that stands for one of the engine or of storage, by which it keeps the reason of that. */
export function sameReason(error: AppError): ErrorData {
  const { code, data } = notStored(error)?.reason ?? { code: error.code, data: {} };
  return isReasonCode(code) ? because(code, data) : {};
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly error: string } & Partial<Reason>;
}

/** Returns what a client is told about anything that was thrown. */
export function answerFor(thrown: unknown): ErrorAnswer {
  const isKnown = thrown instanceof AppError || thrown instanceof RequestError;
  // An engine of its own process says what it likes.
  const answer = isKnown && Object.hasOwn(ANSWERS, thrown.code) ? ANSWERS[thrown.code] : INTERNAL;
  const said = thrown instanceof Error ? thrown.message : 'internal error';
  const unstored = notStored(thrown);
  const message = unstored?.message ?? answer.message ?? said;
  const ownHeaders = thrown instanceof RequestError ? thrown.headers : {};
  const reason = unstored?.reason ?? reasonOf(thrown, answer);
  return { status: answer.status, headers: { ...answer.headers, ...ownHeaders }, body: { error: message, ...reason } };
}

/** The reason that programs are told beside the words: of the engine's errors none that is not said to be one. */
function reasonOf(thrown: unknown, { code }: Answer): Partial<Reason> {
  const data = thrown instanceof AppError || thrown instanceof RequestError ? thrown.data : undefined;
  const reason = reasonIn(data);
  if (reason) return reason;
  if (code === undefined) return {};
  const isTold = thrown instanceof RequestError && Object.keys(thrown.data).length > 0;
  return { code, ...(isTold && { data: thrown.data }) };
}

/** The errors that express and its body parser make themselves carry a status. */
export function understood(error: unknown): unknown {
  if (!(error instanceof Error) || !('status' in error)) return error;
  if (error.status === 413) return new RequestError('BODY_TOO_LARGE');
  const isClientError = typeof error.status === 'number' && error.status >= 400 && error.status < 500;
  return isClientError ? new RequestError('BODY_INVALID', error.message) : error;
}

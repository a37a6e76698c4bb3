// Why something was refused or failed, for programs: a code that stays as it is, beside a sentence for people, which may be worded anew.
import type { ErrorData } from './errors.js';

/** Codes that an answer of the API may tell, and what is stored of a failure. What each means and its facts are in docs/api.md, "Codes". */
export const REASON_CODES = [
  // of URLs, and of what came of asking there
  'URL_NOT_HTTP',
  'URL_PRIVATE',
  'HTTP_STATUS',
  'CONNECTION_REFUSED',
  'CONNECTION_CLOSED',
  'CONNECTION_FAILED',
  'HOST_UNREACHABLE',
  'HOST_NOT_FOUND',
  'TIMED_OUT',
  'ANSWER_INVALID',
  'CERTIFICATE_INVALID',
  'TOO_MANY_FETCHES',
  'FEED_INVALID',
  // of paths of the server
  'PATH_NOT_ABSOLUTE',
  'PATH_OUTSIDE',
  'PATH_OF_STATE',
  'PATH_NOT_FOUND',
  'PATH_NOT_A_FOLDER',
  'FOLDER_NOT_FOUND',
  'PATH_NOT_A_FILE',
  'PATH_IS_LINK',
  'PATH_NOT_READABLE',
  'PATH_NOT_WRITABLE',
  'PATH_NOT_CREATABLE',
  'PATH_TAKEN',
  'PATH_OF_OTHERS',
  'FILES_NOT_THERE',
  // of values
  'VALUE_MISSING',
  'REGEX_INVALID',
  'REGEX_TOO_LARGE',
  'ADDRESS_INVALID',
  'PEER_ADDRESS_INVALID',
  'INTERFACE_INVALID',
  'PORTS_INVALID',
  'PORT_IN_USE',
  'PORT_NOT_ALLOWED',
  'HOST_INVALID',
  'NAME_TAKEN',
  'PASSWORD_INCORRECT',
  'TORRENT_INVALID',
  'TORRENT_VERSION_2',
  'MAGNET_INVALID',
  'TRACKER_INVALID',
  'TRACKER_KNOWN',
  // of imports
  'IMPORT_OUTSIDE',
  'IMPORT_SOURCE_UNREADABLE',
  'IMPORT_SOURCE_IN_USE',
  'IMPORT_NOTHING_THERE',
  'IMPORT_TOO_LARGE',
  'ARCHIVE_NOT_FOUND',
  'ARCHIVE_FORMAT',
  'ARCHIVE_EMPTY',
  'ARCHIVE_TOO_LARGE',
  'ARCHIVE_UNPACKED_TOO_LARGE',
  'ARCHIVE_TOO_MANY_ENTRIES',
  'ARCHIVE_LINK',
  'ARCHIVE_PATH',
  'ARCHIVE_ENCRYPTED',
  'ARCHIVE_UNREADABLE',
  // of accounts, torrents and files
  'PROXY_USER_REFUSED',
  'QUOTA_EXCEEDED',
  'REMOVAL_BY_ADMINISTRATORS',
  'REMOVAL_BY_OWNER',
  'ACCOUNT_FIRST',
  'ACCOUNT_OWN',
  'ACCOUNT_LAST_ADMINISTRATOR',
  'TORRENT_NOT_RUNNING',
  'METADATA_UNKNOWN',
  'CHECKED_LATELY',
  'MOVE_NOT_ALLOWED',
  'MOVE_UNDER_WAY',
  'TORRENT_INCOMPLETE',
  'NO_SERVER_WITH_ROOM',
  'FILE_NOT_FOUND',
  'FILE_INCOMPLETE',
  'MEDIA_UNREADABLE',
  'UPLOAD_TOO_LARGE',
  // of the machine and its programs
  'DISK_FULL',
  'DISK_FAILED',
  'FILES_MISSING',
  'STORAGE_FAILED',
  'ENGINE_TIMEOUT',
  'ENGINE_AWAY',
  'ENGINE_FENCED',
  'REMOTE_AWAY',
  'REMOTE_REFUSED',
  'SHUTTING_DOWN',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** `data`: what the sentence holds beside its words. */
export interface Reason {
  readonly code: ReasonCode;
  readonly data?: ErrorData;
}

const CODES: ReadonlySet<unknown> = new Set(REASON_CODES);

export function isReasonCode(value: unknown): value is ReasonCode {
  return CODES.has(value);
}

/** The data of an error that has this reason. */
export function because(reason: ReasonCode, facts: ErrorData = {}): ErrorData {
  return { ...facts, reason };
}

/** The reason among the data of an error; null: it has none that is known. */
export function reasonIn(data: ErrorData | undefined): Reason | null {
  const { reason, ...facts } = data ?? {};
  if (!isReasonCode(reason)) return null;
  return { code: reason, ...(Object.keys(facts).length > 0 && { data: facts }) };
}

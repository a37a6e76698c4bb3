// The sentence of a reason in the language of the page, by its code and facts. Pure.
import type { Reason, ReasonCode } from '../../../../shared-protocol/reasons.js';
import { inert } from '../format/quantities.js';
import { quotaText } from './quota-text.js';
import { t, type TextKey, type TextValues } from '../strings/index.js';

type Facts = NonNullable<Reason['data']>;
type ServerText = Extract<TextKey, `server.${string}`>;

/** A reason as a server of any version tells it. */
export interface ToldReason {
  readonly code?: string | null | undefined;
  readonly data?: Facts | undefined;
}

/** Codes that the page has no sentence for are shown in the server's words. */
const TEXTS: { readonly [Code in ReasonCode]?: ServerText | ((facts: Facts) => ServerText | null) } = {
  URL_NOT_HTTP: 'server.notHttp',
  URL_PRIVATE: 'server.privateAddress',
  HTTP_STATUS: 'server.downloadFailed',
  CONNECTION_REFUSED: 'server.refused',
  CONNECTION_CLOSED: 'server.closed',
  CONNECTION_FAILED: 'server.noConnection',
  HOST_UNREACHABLE: 'server.noWay',
  HOST_NOT_FOUND: 'server.noHost',
  TIMED_OUT: 'server.late',
  ANSWER_INVALID: 'server.noSense',
  CERTIFICATE_INVALID: 'server.certificate',
  TOO_MANY_FETCHES: 'server.tooMany',
  FEED_INVALID: 'server.notAFeed',
  PATH_NOT_ABSOLUTE: 'server.absolutePath',
  PATH_OUTSIDE: 'server.outside',
  PATH_OF_STATE: 'server.ofState',
  PATH_NOT_FOUND: 'server.notThere',
  PATH_NOT_A_FOLDER: ({ path }) => (path === undefined ? 'server.noDirectory' : 'server.isNoFolder'),
  FOLDER_NOT_FOUND: 'server.noFolder',
  PATH_NOT_A_FILE: 'server.notAFile',
  PATH_IS_LINK: 'server.isLink',
  PATH_NOT_READABLE: 'server.notReadable',
  PATH_NOT_WRITABLE: 'server.noWriting',
  PATH_NOT_CREATABLE: 'server.noMaking',
  VALUE_MISSING: 'server.needed',
  PATH_TAKEN: 'server.pathTaken',
  PATH_OF_OTHERS: 'server.pathOfOthers',
  FILES_NOT_THERE: 'server.filesNotThere',
  REGEX_INVALID: 'server.expression',
  REGEX_TOO_LARGE: 'server.repeats',
  ADDRESS_INVALID: 'server.noAddress',
  PEER_ADDRESS_INVALID: 'server.peerAddress',
  PORT_IN_USE: 'server.portInUse',
  PORT_NOT_ALLOWED: 'server.portNotAllowed',
  NAME_TAKEN: 'server.nameTaken',
  PASSWORD_INCORRECT: 'server.wrongPassword',
  TORRENT_INVALID: 'server.noTorrent',
  TORRENT_VERSION_2: 'server.version2',
  MAGNET_INVALID: 'server.noMagnet',
  TRACKER_INVALID: 'server.noTracker',
  TRACKER_KNOWN: 'server.trackerKnown',
  PROXY_USER_REFUSED: ({ account }) => {
    if (account === 'unknown') return 'server.proxyUserUnknown';
    return account === 'disabled' ? 'server.proxyUserDisabled' : 'server.proxyNamesNobody';
  },
  REMOVAL_BY_ADMINISTRATORS: 'server.removalByAdministrators',
  REMOVAL_BY_OWNER: 'server.removalByOwner',
  ACCOUNT_FIRST: 'server.firstAccount',
  ACCOUNT_OWN: 'server.ownAccount',
  ACCOUNT_LAST_ADMINISTRATOR: 'server.lastAdministrator',
  TORRENT_NOT_RUNNING: 'server.notRunning',
  METADATA_UNKNOWN: 'server.noMetadata',
  CHECKED_LATELY: 'server.checkedLately',
  MOVE_NOT_ALLOWED: 'server.heldByOthers',
  MOVE_UNDER_WAY: 'server.moving',
  TORRENT_INCOMPLETE: 'server.torrentNotWhole',
  NO_SERVER_WITH_ROOM: 'server.noServerWithRoom',
  FILE_NOT_FOUND: 'server.fileGone',
  FILE_INCOMPLETE: 'server.fileNotWhole',
  MEDIA_UNREADABLE: ({ timed_out: isSlow }) => (isSlow === true ? 'server.mediaTooLong' : 'server.mediaUnreadable'),
  UPLOAD_TOO_LARGE: 'server.fileTooLarge',
  DISK_FULL: ({ free_mib: free }) => {
    if (typeof free !== 'number') return 'server.diskFull';
    return free === 0 ? 'server.hardlyRoom' : 'server.noRoom';
  },
  DISK_FAILED: 'server.diskFailed',
  FILES_MISSING: 'server.filesMissing',
  STORAGE_FAILED: ({ errno }) => (errno === undefined ? 'server.storageFailed' : 'server.notSaved'),
  ENGINE_TIMEOUT: 'server.noAnswer',
  ENGINE_AWAY: 'server.engineAway',
  ENGINE_FENCED: 'server.engineAway',
  SHUTTING_DOWN: 'server.stopping',
};

/** Why the system refuses something, by its word for it. */
const ERRNOS: Readonly<Record<string, ServerText>> = {
  EACCES: 'server.errno.denied',
  EPERM: 'server.errno.denied',
  EROFS: 'server.errno.readOnly',
  EIO: 'server.errno.failed',
  EMFILE: 'server.errno.openFiles',
  ENFILE: 'server.errno.openFiles',
  ENOENT: 'server.errno.nothingThere',
  ENAMETOOLONG: 'server.errno.nameTooLong',
};

/** null: the page has no sentence for it. */
export function reasonText({ code, data = {} }: ToldReason): string | null {
  if (code === 'QUOTA_EXCEEDED') return quotaText(data);
  if (code === null || code === undefined || !Object.hasOwn(TEXTS, code)) return null;
  const entry = TEXTS[code as ReasonCode];
  if (entry === undefined) return null;
  const key = typeof entry === 'function' ? entry(data) : entry;
  if (key === null) return null;
  const text = t(key, valuesOf(data));
  // A server that leaves a fact out says it better itself.
  return /\{\w+\}/.test(text) ? null : text;
}

function valuesOf(data: Facts): TextValues {
  const { errno, ...others } = data;
  const shown = Object.entries(others).map(([name, value]) => [name, inert(String(value))]);
  const words = typeof errno === 'string' && Object.hasOwn(ERRNOS, errno) ? t(ERRNOS[errno]!) : errno;
  return { ...Object.fromEntries(shown), ...(words !== undefined && { errno: String(words) }) } as TextValues;
}

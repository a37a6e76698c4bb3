// The server's messages as people read them, in the language of the page. One that is not known is shown as it came, from
// a capital on. Pure.
import { t, type TextKey } from '../strings/index.js';

type ServerText = Extract<TextKey, `server.${string}`>;

/** By what the server says, without the field before it. Named groups are filled in. */
const MESSAGES: readonly (readonly [RegExp, ServerText])[] = [
  [/^This URL points to a private address\./, 'server.privateAddress'],
  [/^Download failed: HTTP (?<status>\d+)$/, 'server.downloadFailed'],
  [/^Enter an absolute path,/, 'server.absolutePath'],
  [/^Not an RSS or Atom feed\.$/, 'server.notAFeed'],
  [/^updater disabled$/, 'server.noUpdates'],
  [/^managed by apt$/, 'server.byApt'],
  [/^(?<text>".*") is not in the form address:port\.$/s, 'server.peerAddress'],
  [/^(?<text>".*") is not an address or a network\.$/s, 'server.noAddress'],
  [/^Invalid regular expression: repeats too much$/, 'server.repeats'],
  [/^Invalid regular expression: (?<reason>.+)$/s, 'server.expression'],
  [/^(?:(?:expected|not) an http or https URL|not a URL)$/, 'server.notHttp'],
  [/^no such directory$/, 'server.noFolder'],
  [/^not writable \((?<reason>.+)\)$/, 'server.noWriting'],
  [/^does not exist and cannot be made \((?<reason>.+)\)$/, 'server.noMaking'],
  [/^not a directory$/, 'server.noDirectory'],
  [/^outside the allowed paths$/, 'server.outside'],
  [/^(?:required|must not be empty)$/, 'server.needed'],
  [/^current password is incorrect$/, 'server.wrongPassword'],
  [/^already (?:used|taken)$/, 'server.nameTaken'],
  [/^torrent already exists$/, 'server.exists'],
  [/^forbidden$/, 'server.forbidden'],
  [/^torrent not found$/, 'server.torrentGone'],
  [/^file not found$/, 'server.fileGone'],
  [/^not all of it is downloaded yet$/, 'server.fileNotWhole'],
  [/^MediaInfo cannot read it: it takes too long$/, 'server.mediaTooLong'],
  [/^MediaInfo cannot read it\b/, 'server.mediaUnreadable'],
  [/^[a-z]+ not found$/, 'server.gone'],
  [/^request body too large$/, 'server.tooLarge'],
  [/^larger than 10 MiB$/, 'server.fileTooLarge'],
  [/^too many (?:connections|requests|uploads|files|fetches)\b/, 'server.tooMany'],
  [/^engine restarting$/, 'server.restarting'],
  [/^engine away$/, 'server.engineAway'],
  [/^engine does not answer$/, 'server.noAnswer'],
  [/^shutting down$/, 'server.stopping'],
  [/^(?:storage failure: )?disk full$/, 'server.diskFull'],
  // Without a full stop, as sentences are made with it.
  [/^no room left on the disk \(0 MiB free\)$/, 'server.hardlyRoom'],
  [/^no room left on the disk \((?<free>\d+ MiB) free\)$/, 'server.noRoom'],
  [/^disk failure$/, 'server.diskFailed'],
  [/^files missing$/, 'server.filesMissing'],
  [/^storage failure$/, 'server.storageFailed'],
  [/^internal error$/, 'server.internal'],
  [/^unauthorized$/, 'server.signIn'],
  [/^the proxy names no user$/, 'server.proxyNamesNobody'],
  [/^no account has the name (?<name>".*")$/s, 'server.proxyUserUnknown'],
  [/^the account (?<name>".*") is disabled$/s, 'server.proxyUserDisabled'],
  [/^(?<path>\/.+) is not there$/s, 'server.notThere'],
  [/^(?<path>.+) is a symbolic link, and none is followed$/s, 'server.isLink'],
  [/^(?<path>.+) is neither a file nor a folder$/s, 'server.notAFile'],
  [/^(?<path>.+) cannot be read \((?<reason>[A-Z]+)\)$/s, 'server.notReadable'],
];

/** How a connection fails, whichever server it leads to. */
const FAILURES: readonly (readonly [RegExp, ServerText])[] = [
  [/^connection refused$/, 'server.refused'],
  [/^connection (?:closed|reset)$/, 'server.closed'],
  [/^connection failed$/, 'server.noConnection'],
  [/^(?:host|network) unreachable$/, 'server.noWay'],
  [/^host name (?:not found|lookup failed)$/, 'server.noHost'],
  [/^(?:no answer(?: within \d+ s)?|(?:connection )?timed out)$/, 'server.late'],
  [/^HTTP status (?<status>\d+)$/, 'server.http'],
  [/^(?:reply is not|invalid reply|unexpected reply|not an HTTP (?:reply|answer))\b/, 'server.noSense'],
  [/^the certificate or TLS of the server is not valid$/, 'server.certificate'],
  [/^refused by the tracker; what it says is not shown/, 'server.secret'],
];

/** In the language of the page; null: it is none that is known, as in a server's own words. */
export function failureText(failure: string): string | null {
  return textIn(FAILURES, failure);
}

/** `message`: `<field>: <reason>`, where the field is told by the place at which it is shown, or the reason alone. */
export function worded(message: string): string {
  // What another server says, by its name.
  const { server = '', said = '' } = /^server (?<server>.+?): (?<said>.+)$/s.exec(message)?.groups ?? {};
  if (said) return t('actions.saidBy', { server, reason: worded(said) });
  const [, reason = message] = /^\w+: (.+)$/s.exec(message) ?? [];
  const known = textIn(MESSAGES, reason) ?? textIn(MESSAGES, message) ?? failureText(reason);
  if (known !== null) return known;
  // One that begins as a sentence does stands by itself.
  const shown = /^\p{Lu}/u.test(reason) ? reason : message;
  // Where it begins with a word, not with an address or a name.
  return shown.replace(/^\p{Ll}(?=\p{L}*(?:[ ,.]|: |$))/u, (letter) => letter.toUpperCase());
}

function textIn(table: readonly (readonly [RegExp, ServerText])[], said: string): string | null {
  for (const [pattern, text] of table) {
    const found = pattern.exec(said);
    if (found) return t(text, found.groups);
  }
  return null;
}

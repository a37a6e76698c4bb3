// What in an address looks like a secret of the account that got it: a passkey in the path, the query, the user name or the
// host. It errs on hiding: a harmless part that is hidden costs a viewer nothing. Pure.

/** Parameters whose value no other account may see, whatever it looks like. */
const SECRET_NAME =
  /pass|auth|key|token|secret|cred|sess|sig|hash|cookie|user|login|account|member|^(?:k|p|u|pk|tk|uk|id|[a-z]{0,8}[_-]?[psu]id)$/i;
/** A folder after which comes what it names: `/passkey/…/announce`, `/rss/…`. */
const SECRET_FOLDER = /^(?:[a-z]{0,8}[_-]?(?:pass|key|auth|token|secret|pid|uid|user)|u|rss|feeds?)$/i;
/** docs/semantics.md section 6: 20 hexadecimal digits; other alphabets are in use as well. */
const LONG_RUN = /[a-z0-9]{20}/i;
const LONG_HEX = /[0-9a-f]{20}/i;
/** Keys of 16 to 19 characters are used too; words are told from them by their lack of digits. */
const KEY_RUN = /[a-z0-9]{16,}/gi;
/** base64url, groups as in a UUID, and the like; with a digit, so not words alone. */
const JOINED_RUN = /[a-z0-9_=+~.-]{20,}/gi;
const MIXED = /[a-z][0-9]|[0-9][a-z]/i;
/** Shorter keys, and numbers of accounts: words with a number before or behind them are none. */
const SHORT_RUN = /[a-z0-9]{8,}/gi;
const NUMBERED_WORD = /^(?:[a-z]+[0-9]{0,4}|[0-9]{0,4}[a-z]+)$/i;
const MAX_DECODINGS = 3;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

export function isSecretFolder(segment: string): boolean {
  return SECRET_FOLDER.test(segment);
}

/** Whether the text, in which nothing is escaped any more, holds a secret. */
export function holdsSecret(text: string): boolean {
  const isAny = (runs: RegExp, sign: RegExp) => (text.match(runs) ?? []).some((run) => sign.test(run));
  const isShortKey = (text.match(SHORT_RUN) ?? []).some((run) => !NUMBERED_WORD.test(run));
  return LONG_RUN.test(text) || isAny(KEY_RUN, MIXED) || isAny(JOINED_RUN, /[0-9]/) || isShortKey;
}

/** Whether a label of a host name looks like a key; international ones (`xn--…`) do and are none. */
export function isSecretLabel(label: string): boolean {
  return LONG_HEX.test(label) || (LONG_RUN.test(label) && MIXED.test(label) && !/^xn--/i.test(label));
}

/** Also of what was escaped more than once; what is no UTF-8 becomes U+FFFD. Never throws. */
export function unescapeFully(text: string): string {
  let decoded = text;
  for (let turn = 0; turn < MAX_DECODINGS && decoded.includes('%'); turn++) {
    decoded = decoded.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  }
  return decoded;
}

// What the server says, as people read it, in the language of the page: by the code of its reason where it has one, else as it
// came, from a capital on. Pure.
import { t, type TextKey } from '../strings/index.js';
import { reasonText, type ToldReason } from './reason-text.js';

/** Whole messages that docs/api.md keeps as they are, as they have no code. */
const KEPT: Readonly<Record<string, Extract<TextKey, `server.${string}`>>> = {
  unauthorized: 'server.signIn',
  forbidden: 'server.forbidden',
  'torrent not found': 'server.torrentGone',
  'torrent already exists': 'server.exists',
  'internal error': 'server.internal',
  'request body too large': 'server.tooLarge',
  'too many connections': 'server.tooMany',
  'too many requests at a time': 'server.tooMany',
  'too many uploads at a time': 'server.tooMany',
  'too many files at a time': 'server.tooMany',
  'engine restarting': 'server.restarting',
  'updater disabled': 'server.noUpdates',
  'managed by apt': 'server.byApt',
};

/** `said`: `<field>: <words>`, where the field is told by the place at which it is shown, or the words alone. */
export function worded(said: string, reason: ToldReason = {}): string {
  const { server, why, said: words } = reason.data ?? {};
  // What another server says, or how asking it failed, by its name.
  if (typeof server === 'string') {
    const { server: _named, ...data } = reason.data ?? {};
    const code = typeof why === 'string' ? why : reason.code;
    return t('actions.saidBy', { server, reason: worded(typeof words === 'string' ? words : said, { code, data }) });
  }
  const text = reasonText(reason);
  if (text !== null) return text;
  const [, own = said] = /^\w+: (.+)$/s.exec(said) ?? [];
  if (Object.hasOwn(KEPT, own)) return t(KEPT[own]!);
  if (/^[a-z]+ not found$/.test(own)) return t('server.gone');
  // One that begins as a sentence does stands by itself.
  const shown = /^\p{Lu}/u.test(own) ? own : said;
  // Where it begins with a word, not with an address or a name.
  return shown.replace(/^\p{Ll}(?=\p{L}*(?:[ ,.]|: |$))/u, (letter) => letter.toUpperCase());
}

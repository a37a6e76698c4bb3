// Countries by their two letters: a name in the language of the page, and a flag where its fonts have one.
import { inLanguage } from '../../strings/locale.js';

const names = inLanguage((locale) => new Intl.DisplayNames(locale, { type: 'region' }));
/** From `A` to the letter of the same name that flags are made of. */
const TO_INDICATOR = 0x1f1e6 - 'A'.charCodeAt(0);

export interface Country {
  /** Emoji; the two letters where it cannot be drawn. */
  readonly flag: string;
  readonly name: string;
}

/** null for anything but two letters. */
export function countryOf(code: string, canDrawFlags: boolean): Country | null {
  if (!/^[A-Z]{2}$/.test(code)) return null;
  const flag = [...code].map((letter) => String.fromCodePoint(letter.charCodeAt(0) + TO_INDICATOR)).join('');
  return { flag: canDrawFlags ? flag : code, name: names().of(code) ?? code };
}

// The texts of the page with those that its features bring, for tests that look at all of it.
import { de } from '../../api/web/src/strings/de/index.js';
import { en } from '../../api/web/src/strings/en.js';
import { bringTexts, speak } from '../../api/web/src/strings/index.js';
import { PARTS, type Language, type PartName } from '../../api/web/src/strings/parts.js';

const CORE = { en, de };
// Its keys are the names of the parts.
const NAMES = Object.keys(PARTS) as PartName[];

export async function allTexts(language: Language): Promise<object> {
  const parts = await Promise.all(NAMES.map((name) => PARTS[name][language]()));
  return Object.assign({}, CORE[language], ...parts) as object;
}

/** `t` knows the texts of all parts from then on. */
export async function speakAll(language: Language, locale: string = language): Promise<void> {
  speak(locale, language, CORE[language]);
  await bringTexts(NAMES);
}

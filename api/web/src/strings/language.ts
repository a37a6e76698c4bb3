// Which language this browser shows: the one that its user has chosen here, else the first of the browser's own that
// there is, else English. All but English is loaded only when it is shown.
import { isOneOf, readPreference, writePreference } from '../state/preferences.js';
import { en } from './en.js';
import { speak } from './index.js';
import { LANGUAGES, type Language } from './parts.js';

export const LANGUAGE_CHOICES = ['system', ...LANGUAGES] as const;
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number];

const NAME = 'language';

export function languageChoice(): LanguageChoice {
  return readPreference(NAME, isOneOf(LANGUAGE_CHOICES)) ?? 'system';
}

/** The page begins again: texts that are shown already are of the language before. */
export function chooseLanguage(choice: LanguageChoice): void {
  writePreference(NAME, choice);
  location.reload();
}

/** Before anything is shown. */
export async function loadLanguage(): Promise<void> {
  const language = languageNow();
  const locale = navigator.languages.find((tag) => primaryOf(tag) === language) ?? language;
  try {
    speak(locale, language, language === 'de' ? (await import('./de/index.js')).de : en);
    document.documentElement.lang = language;
  } catch {
    // The server has gone away meanwhile, which the page is about to say, in the language that it has.
  }
}

function languageNow(): Language {
  const choice = languageChoice();
  if (choice !== 'system') return choice;
  const wished = navigator.languages.map(primaryOf);
  return wished.flatMap((tag) => LANGUAGES.find((known) => known === tag) ?? [])[0] ?? 'en';
}

function primaryOf(tag: string): string {
  return tag.split('-')[0]!.toLowerCase();
}

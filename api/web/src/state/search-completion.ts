// What may stand where one types in the search: the operators, and behind those that name something the names that there
// are. Pure.
import type { TextKey } from '../strings/index.js';
import { FIELDS, FIGURES, FLAGS, NONE, STATUS_FIELDS, TEXT_FIELDS, type TextField } from './search-terms.js';
import { TERM } from './search.js';
import { STATE_FILTERS, type StateFilter } from './state-filter.js';

/** Letters of a word before operators are offered that begin so: most words are of a name. */
const MIN_LETTERS = 2;
const MAX_VALUES = 50;
/** The words for what has nothing in the field. */
const ABOUT_NONE: Readonly<Partial<Record<TextField, TextKey>>> = {
  tag: 'operators.none',
  category: 'operators.none',
  tracker: 'operators.none',
  server: 'operators.thisServer',
};

/** The names that there are, by the operator that asks for one. */
export type Vocabulary = (field: TextField) => readonly string[];

export interface Completion {
  /** The term with it, as it is typed; it goes on where nothing is complete yet. */
  readonly typed: string;
  readonly isWhole: boolean;
  /** The words that say what it does; null where it says so itself. */
  readonly about: TextKey | null;
}

export interface Completions {
  /** The part of the text that one of them takes the place of. */
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
  /** Whether they are the names behind an operator, of which some was typed. */
  readonly isBegun: boolean;
}

const OPERATORS: readonly Completion[] = [
  ...FIELDS.map((field) => operator(`${field}:`, `operators.${field}`)),
  ...Object.entries(FIGURES).map(([name, { sign }]) =>
    operator(`${name}${sign}`, `operators.${name as keyof typeof FIGURES}`),
  ),
];

/** `caret`: the place in the text where one types. Everything is offered where nothing has been typed yet. */
export function completionsAt(text: string, caret: number, vocabulary: Vocabulary): Completions {
  const { from, term } = termAt(text, caret);
  const to = term === '' ? caret : caret + (/^[^\s"]*/.exec(text.slice(caret))?.[0].length ?? 0);
  const [, sign = '', word = ''] = /^(-?)(.*)$/s.exec(term) ?? [];
  const [, name = '', value] = /^([a-z]+):(.*)$/is.exec(word) ?? [];
  const at = { from, to };
  const signed = (options: readonly Completion[]) =>
    options.map((option) => ({ ...option, typed: sign + option.typed }));
  if (value !== undefined) {
    // A quote that is closed is complete.
    const isWhole = /^".*"$/s.test(value);
    const options = isWhole ? [] : signed(valuesOf(name.toLowerCase(), name, value, vocabulary));
    return { ...at, options, isBegun: value !== '' };
  }
  const begun = word.toLowerCase();
  const isOffered = ({ typed }: Completion) =>
    typed.startsWith(begun) && typed !== begun && (typed !== 'server:' || vocabulary('server').length > 0);
  const isAsked = begun === '' || begun.length >= MIN_LETTERS;
  const options = isAsked ? OPERATORS.filter(isOffered) : [];
  return { ...at, options: signed(options), isBegun: false };
}

/** Puts one of them into the text; `caret`: where one goes on. */
export function completed(
  text: string,
  { from, to }: Pick<Completions, 'from' | 'to'>,
  { typed, isWhole }: Completion,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(to);
  const isSpaced = isWhole && !/^\s/.test(rest);
  const before = text.slice(0, from) + typed + (isSpaced ? ' ' : '');
  return { text: before + rest, caret: before.length + (isWhole && !isSpaced ? 1 : 0) };
}

/** The term that is written up to the caret; '' behind a space. */
function termAt(text: string, caret: number): { readonly from: number; readonly term: string } {
  for (const match of text.slice(0, caret).matchAll(TERM)) {
    if (match.index + match[0].length === caret) return { from: match.index, term: match[0] };
  }
  return { from: caret, term: '' };
}

function valuesOf(field: string, written: string, value: string, vocabulary: Vocabulary): readonly Completion[] {
  const begun = value.replace(/^"/, '').toLowerCase();
  const whole = (text: string, about: TextKey | null): Completion => ({
    typed: `${written}:${quoted(text)}`,
    isWhole: true,
    about,
  });
  if (STATUS_FIELDS.has(field)) {
    const words = field === 'is' ? Object.keys(FLAGS) : STATE_FILTERS;
    return matching(words, begun).map((word) => whole(word, aboutWord(word as keyof typeof FLAGS))); // these are its keys
  }
  const asked = TEXT_FIELDS.get(field);
  if (!asked) return [];
  const found = matching(vocabulary(asked), begun).slice(0, MAX_VALUES);
  const aboutNone = NONE.startsWith(begun) ? ABOUT_NONE[asked] : undefined;
  return [...found.map((text) => whole(text, null)), ...(aboutNone ? [whole(NONE, aboutNone)] : [])];
}

function aboutWord(word: keyof typeof FLAGS): TextKey {
  const state = STATE_FILTERS.find((filter) => filter === word);
  return state ? `filter.${state}` : `operators.word.${word as Exclude<typeof word, StateFilter>}`;
}

/** The words with that in them; those that begin so come first. */
function matching(words: readonly string[], begun: string): readonly string[] {
  const found = words.filter((word) => word.toLowerCase().includes(begun));
  const isFirst = (word: string) => word.toLowerCase().startsWith(begun);
  return [...found.filter(isFirst), ...found.filter((word) => !isFirst(word))];
}

/** A quote cannot be written within quotes; what is searched for is the longest part without one. */
function quoted(text: string): string {
  if (!/[\s"]/.test(text)) return text;
  const [longest = ''] = text.split('"').sort((a, b) => b.length - a.length);
  return `"${longest}"`;
}

function operator(typed: string, about: TextKey): Completion {
  return { typed, isWhole: false, about };
}

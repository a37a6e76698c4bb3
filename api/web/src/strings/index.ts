// Looks texts up. Which language, and how numbers are worded in it, is decided here and nowhere else.
import { en } from './en.js';
import { inLanguage, setLocale } from './locale.js';
import { PARTS, type Language, type PartName, type PartTexts } from './parts.js';

type Plural = { readonly one: string; readonly other: string };
type Leaf = string | Plural;
type PathsOf<Node, Prefix extends string = ''> = {
  [Key in keyof Node & string]: Node[Key] extends Leaf ? `${Prefix}${Key}` : PathsOf<Node[Key], `${Prefix}${Key}.`>;
}[keyof Node & string];

/** The same texts in another language: with a text left out, or one too many, it does not compile. */
export type Translated<Node> = {
  readonly [Key in keyof Node]: Node[Key] extends string
    ? string
    : Node[Key] extends Plural
      ? Plural
      : Translated<Node[Key]>;
};

/** A path as in `signIn.title`. */
export type TextKey = PathsOf<typeof en & PartTexts>;

export type TextValues = Readonly<Record<string, string | number>>;

let language: Language = 'en';
let texts: Record<string, unknown> = { ...en };
const plural = inLanguage((locale) => new Intl.PluralRules(locale));
const number = inLanguage((locale) => new Intl.NumberFormat(locale));

/** Before anything is shown. `locale`: how the language is written here, as in `de-AT`. */
export function speak(locale: string, spoken: Language, translated: Translated<typeof en>): void {
  setLocale(locale);
  language = spoken;
  texts = { ...translated };
}

/** Before anything is shown that needs them. */
export async function bringTexts(names: readonly PartName[]): Promise<void> {
  const missing = names.filter((name) => !(name in texts));
  Object.assign(texts, ...(await Promise.all(missing.map((name) => PARTS[name][language]()))));
}

/** `count` decides the plural. A number is written as the language does; what is a name, as a port is, comes as a text. */
export function t(key: TextKey, values: TextValues = {}): string {
  const leaf = leafAt(key);
  const text =
    typeof leaf === 'string' ? leaf : leaf[plural().select(Number(values['count'])) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => worded(values[name]) ?? whole);
}

function worded(value: string | number | undefined): string | undefined {
  return typeof value === 'number' ? number().format(value) : value;
}

function leafAt(key: TextKey): Leaf {
  let node: unknown = texts;
  for (const part of key.split('.')) node = (node as Record<string, unknown>)[part];
  return node as Leaf; // the key is one of the paths of the records, and who shows it has brought its part
}

// Looks texts up. Which language, and how numbers are worded in it, is decided here and nowhere else.
import { en } from './en.js';

const texts = en;
const PLURAL = new Intl.PluralRules('en');

type Plural = { readonly one: string; readonly other: string };
type Leaf = string | Plural;
type PathsOf<Node, Prefix extends string = ''> = {
  [Key in keyof Node & string]: Node[Key] extends Leaf ? `${Prefix}${Key}` : PathsOf<Node[Key], `${Prefix}${Key}.`>;
}[keyof Node & string];

/** A path as in `signIn.title`. */
export type TextKey = PathsOf<typeof en>;

export type TextValues = Readonly<Record<string, string | number>>;

/** `count` decides the plural. */
export function t(key: TextKey, values: TextValues = {}): string {
  const leaf = leafAt(key);
  const text =
    typeof leaf === 'string' ? leaf : leaf[PLURAL.select(Number(values['count'])) === 'one' ? 'one' : 'other'];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function leafAt(key: TextKey): Leaf {
  let node: unknown = texts;
  for (const part of key.split('.')) node = (node as Record<string, unknown>)[part];
  return node as Leaf; // the key is one of the paths of the record above
}

// Names of files that are wanted of no torrent, such as `*.exe` or `sample`: how they are written, and what they match.

/** No spec value: more than the lists that go round have. */
export const MAX_EXCLUDED_NAMES = 50;
export const MAX_EXCLUDED_NAME_CHARS = 100;

/**
 * Tells whether a file is excluded, by its path below the save path: its own name or that of a folder below the
 * torrent's own has to match one of the patterns as a whole, in any case. `*` stands for any characters, `?` for one.
 * A file of an author who wants it to be slow takes no longer than searching its path for each pattern.
 */
export function excluding(patterns: readonly string[]): (path: readonly string[]) => boolean {
  const matches = patterns.map(matcher);
  /** Files of one folder ask for it again and again. */
  const folders = new Map<string, boolean>();
  const isMatched = (name: string): boolean => {
    const lower = name.toLowerCase();
    return matches.some((match) => match(lower));
  };
  const isFolderMatched = (name: string): boolean => {
    const known = folders.get(name);
    if (known !== undefined) return known;
    const is = isMatched(name);
    folders.set(name, is);
    return is;
  };
  return (path) => {
    const name = path.at(-1);
    if (name === undefined || matches.length === 0) return false;
    return isMatched(name) || path.slice(1, -1).some(isFolderMatched);
  };
}

/** The text between two `*`; a `?` in it is any character. */
interface Part {
  readonly text: string;
  readonly hasGap: boolean;
}

function matcher(pattern: string): (name: string) => boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((text): Part => ({ text, hasGap: text.includes('?') }));
  const [first, ...others] = parts as [Part, ...Part[]];
  const last = others.pop();
  if (!last) return (name) => name.length === first.text.length && isAt(name, first, 0);
  return (name) => {
    const end = name.length - last.text.length;
    if (!isAt(name, first, 0) || end < first.text.length || !isAt(name, last, end)) return false;
    let from = first.text.length;
    // The first place where a part is found leaves most room for those behind it.
    for (const part of others) {
      const found = placeOf(name, part, from, end);
      if (found < 0) return false;
      from = found + part.text.length;
    }
    return from <= end;
  };
}

function isAt(name: string, { text, hasGap }: Part, at: number): boolean {
  if (!hasGap) return name.startsWith(text, at);
  if (at + text.length > name.length) return false;
  for (let i = 0; i < text.length; i++) if (text[i] !== '?' && text[i] !== name[at + i]) return false;
  return true;
}

function placeOf(name: string, part: Part, from: number, end: number): number {
  if (!part.hasGap) {
    const found = name.indexOf(part.text, from);
    return found + part.text.length <= end ? found : -1;
  }
  for (let at = from; at + part.text.length <= end; at++) if (isAt(name, part, at)) return at;
  return -1;
}

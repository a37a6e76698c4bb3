// How large a pattern of RE2 becomes, read from its text: repeats are compiled by copying, those within each other by as
// many copies as their product, so that 200 characters may be 173,000 instructions and seconds. Owns: never less than what
// is compiled of a pattern that compiles. Pure.

/** A quotation, a class of Unicode, another escape, a class, a repeat, flags, the beginning of a group, any other sign. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\[:\^?[a-z]{1,8}:\]|\\.|[^\]\\])*\]|\{(\d+)(?:(,)(\d*))?\}|\(\?[\w^-]*\)|\((?:\?(?:P?<[^>]*>|[\w^-]*:?))?|./gsu;
const UNICODE_CLASS = /\\[pP]/g;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;
const RANGE = /(\\x\{[^}]*\}|\\x..|\\.|[^\\])-(\\x\{[^}]*\}|\\x..|\\.|[^\]\\])/gsu;
/** No letter beyond has another case. */
const LAST_FOLDED = 0x1_e9_43;

export interface PatternSize {
  /** At most. */
  readonly instructions: number;
  /** Classes of Unicode, each of which is hundreds of ranges. */
  readonly classes: number;
  /** Characters of ranges of which each is looked up, where case does not count. */
  readonly folded: number;
}

/** A group that is read: what comes before the last part of it, and the last part, which a repeat would be of. */
interface Open {
  before: number;
  last: number;
}

export function sizeOf(regex: string): PatternSize {
  const open: Open[] = [];
  let group: Open = { before: 0, last: 0 };
  let classes = 0;
  let folded = 0;
  const add = (size: number) => {
    group.before += group.last;
    group.last = size;
  };
  const ignoresCase = IGNORES_CASE.test(regex);
  for (const [token, least, comma, most] of regex.matchAll(TOKEN)) {
    // A repeat after them is of what they follow.
    if (/^\(.*\)$/.test(token)) continue;
    if (least !== undefined) {
      const [from, to] = [Number(least), Number(most ?? 0)];
      const copies = Math.max(1, from, to);
      group.last = group.last * copies + (comma === undefined ? 0 : copies + 1);
    } else if (token.startsWith('(')) {
      add(0);
      open.push(group);
      // What is taken out is marked at both ends.
      group = { before: token === '(' || token.endsWith('>') ? 2 : 0, last: 0 };
    } else if (token === ')') {
      // Nothing is an instruction as well.
      const size = Math.max(1, group.last) + group.before;
      group = open.pop() ?? { before: 0, last: 0 };
      add(size);
    } else if (token === '*' || token === '+' || token === '?') {
      // One more of what may be empty.
      group.last += token === '?' ? 1 : 2;
    } else if (token === '|') {
      add(2);
      add(0);
    } else {
      add(token.startsWith('\\Q') ? token.length : 1);
      if (token.startsWith('[') && ignoresCase) folded += foldedIn(token);
      classes += token.startsWith('[') || token.startsWith('\\') ? (token.match(UNICODE_CLASS)?.length ?? 0) : 0;
    }
  }
  return {
    instructions: open.reduce((sum, { before, last }) => sum + before + last, group.before + group.last),
    classes,
    folded,
  };
}

function foldedIn(characterClass: string): number {
  let folded = 0;
  for (const [, from, to] of characterClass.slice(1, -1).matchAll(RANGE))
    folded += Math.max(0, Math.min(codeOf(to!, LAST_FOLDED), LAST_FOLDED) - codeOf(from!, 0));
  return folded;
}

/** `otherwise`: of what is no character by its number and stands for one all the same. */
function codeOf(text: string, otherwise: number): number {
  if (!text.startsWith('\\')) return text.codePointAt(0)!;
  const hex = /^\\x\{?([\da-fA-F]+)\}?$/.exec(text)?.[1];
  return hex === undefined ? otherwise : Number.parseInt(hex, 16);
}

// Writes a pattern of RE2 (what filters are matched with on the server) as one of JavaScript's, for the preview; null when
// it cannot be said there, or is refused by both. Only whether something matches counts, so greediness does not. Pure.

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

const SPACES = '\\t\\n\\f\\r ';
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** The parts that RE2 knows and the rest of the pattern is made of; the longest first. */
const TOKEN = new RegExp(
  [
    '\\\\Q(?<quoted>[\\s\\S]*?)(?:\\\\E|$)',
    '\\\\(?<property>[pP](?:\\{\\^?\\w+\\}|[A-Z]))',
    '\\\\x\\{(?<code>[0-9A-Fa-f]{1,6})\\}',
    '\\\\(?<escaped>[\\s\\S])',
    '\\[:(?<not>\\^?)(?<posix>[a-z]+):\\]',
    '(?<repeat>\\{\\d+(?:,\\d*)?\\})',
    '(?<group>\\(\\?P?<(?![=!])|\\(\\?[a-zA-Z-]*[:)]|\\(\\?)',
    '(?<plain>[\\s\\S])',
  ].join('|'),
  'gu',
);

export function translate(re2: string): Pattern | null {
  const { flags, rest } = leadingFlags(re2);
  const source = flags === null ? null : rewrite(rest, flags.includes('m'));
  if (flags === null || source === null) return null;
  const pattern = { source, flags: `${flags}u` };
  try {
    void new RegExp(pattern.source, pattern.flags);
    return pattern;
  } catch {
    return null;
  }
}

/** JavaScript has flags for a whole pattern, or for a group, but none from here on. */
function leadingFlags(re2: string): { readonly flags: string | null; readonly rest: string } {
  const [whole = '', letters = ''] = /^\(\?([a-zA-Z]+)\)/.exec(re2) ?? [];
  const isKnown = /^[imsU]*$/.test(letters);
  const flags = [...new Set(letters)].filter((letter) => letter !== 'U').join('');
  return { flags: isKnown ? flags : null, rest: re2.slice(whole.length) };
}

function rewrite(re2: string, isMultiline: boolean): string | null {
  let written = '';
  let isInClass = false;
  let isClassBegun = false;
  for (const { 0: token, groups = {} } of re2.matchAll(TOKEN)) {
    const { quoted, property, code, escaped, posix, group, repeat } = groups;
    // A bracket at the beginning of a class belongs to it.
    const isFirst: boolean = isClassBegun;
    isClassBegun = token === '^' && written.endsWith('[') ? isFirst : false;
    if (quoted !== undefined)
      written += quoted.replace(/[\^$\\.*+?()[\]{}|/-]/g, (sign) => escapedSign(sign, isInClass));
    else if (property !== undefined) written += writeProperty(property);
    else if (code !== undefined) written += `\\u{${code}}`;
    else if (escaped !== undefined) {
      const sign = writeEscaped(escaped, isInClass, isMultiline);
      if (sign === null) return null;
      written += sign;
    } else if (posix !== undefined && isInClass) {
      const range = POSIX[posix];
      if (range === undefined || groups['not'] !== '') return null;
      written += range;
    } else if (isInClass) {
      if (token === ']' && !isFirst) isInClass = false;
      written += token === '[' || (token === ']' && isFirst) || /^[(){}|/]/.test(token) ? literal(token) : token;
    } else if (token === '[') {
      isInClass = isClassBegun = true;
      written += token;
    } else if (group !== undefined) {
      const begin = writeGroup(group);
      if (begin === null) return null;
      written += begin;
    } else if (repeat !== undefined || posix === undefined) written += /^[\]{}]$/.test(token) ? literal(token) : token;
    else return null;
  }
  return written;
}

function writeProperty(property: string): string {
  const name = /^[pP]\{?\^?(\w+)/.exec(property)?.[1] ?? '';
  const isNegated = property.startsWith('P') !== property.includes('^');
  // Categories have one or two letters, scripts have more.
  return `\\${isNegated ? 'P' : 'p'}{${name.length <= 2 ? name : `Script=${name}`}}`;
}

function writeEscaped(sign: string, isInClass: boolean, isMultiline: boolean): string | null {
  switch (sign) {
    case 's':
      return isInClass ? SPACES : `[${SPACES}]`;
    case 'S':
      return isInClass ? null : `[^${SPACES}]`;
    case 'A':
      return isMultiline ? '(?<![\\s\\S])' : '^';
    case 'z':
      return isMultiline ? '(?![\\s\\S])' : '$';
    case 'a':
      return '\\x07';
    default:
      if (/[dDwWnrtfvx]/.test(sign) || (/[bB]/.test(sign) && !isInClass)) return `\\${sign}`;
      return /[0-9A-Za-z]/.test(sign) ? null : escapedSign(sign, isInClass);
  }
}

/** Flags of a group are passed on; older browsers then cannot say it. What looks around is not RE2. */
function writeGroup(group: string): string | null {
  if (group === '(?P<' || group === '(?<') return '(?<';
  if (!/^\(\?[imsU-]*:$/.test(group)) return null;
  const flags = group.slice(2, -1).replace('U', '');
  return `(?${flags === '-' ? '' : flags}:`;
}

function literal(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
}

/** With the flag `u` only what has a meaning may be escaped. */
function escapedSign(sign: string, isInClass: boolean): string {
  return /[\^$\\.*+?()[\]{}|/]/.test(sign) || (isInClass && sign === '-') ? `\\${sign}` : sign;
}

// What a file of the tree names that has to exist: paths in comments and documents, links, anchors and sections of
// documents, commands of npm. Finds only; whether it exists is looked at elsewhere. Each is found with its line.
import { withoutFences } from './sections.js';

export type Citation = { readonly line: number } &
  /** `from`: names are meant from the folder of the file; links are meant so and in no other way. */
  (
    | { readonly kind: 'path'; readonly path: string }
    | { readonly kind: 'link'; readonly path: string; readonly anchor: string }
    /** A document named with what in it is meant. */
    | { readonly kind: 'section'; readonly document: string; readonly section: string; readonly by: SectionKind }
    | { readonly kind: 'script'; readonly name: string }
    /** What nobody can find who has only this tree. */
    | { readonly kind: 'outside'; readonly text: string }
  );
export type SectionKind = 'anchor' | 'number' | 'name';

/** Ends of names of files that are named in comments; others (`runtime.json`) are often data. */
const FILE = String.raw`[\w.*-]*\w\.(?:tsx?|md|mjs|css|html|py|ya?ml)`;
const STEP = String.raw`(?:\.{0,2}[\w-](?:[\w.-]*[\w-])?|\.\.?(?=\/))`;
/** `a/b.ts`, `b.ts`, `engine/wire/`, `test/unit`; not behind what makes it a part of something else. */
const PATH = new RegExp(
  String.raw`(?<![\w@/.:~$#{}*<>-])(?:${STEP}\/)*(?:${FILE}|${STEP}\/${STEP}\/?|${STEP}\/)(?![\w/*{<$…])`,
  'g',
);
const COMMENT = /(?:^|\s)\/\/ ?(.*)$|^\s*(?:\/\*\*?|\*(?!\/)) ?(.*)$/;
const HASH_COMMENT = /(?:^|\s)#(?!!) ?(.*)$/;
const LINK = /\]\(<?([^)\s>#]*)(?:#([^)\s>]*))?>?(?: "[^"]*")?\)/g;
const SCRIPT = /\bnpm run ([\w:-]+)/g;
/** Between words of one sentence in a comment lies the beginning of its next line. */
const GAP = String.raw`(?:[ \t]|\n\s*(?:\/\/|\*|#)?[ \t]*)+`;
const DOCUMENT = String.raw`(?<![\w.-])((?:[\w-]+\/)*[\w-]+\.md)\)?`;
const NUMBERS = String.raw`(\d+(?:\.\d+)?(?:(?:,|${GAP}(?:and|to))${GAP}(?:sections?${GAP})?\d+(?:\.\d+)?)*)`;
const BY_ANCHOR = new RegExp(String.raw`${DOCUMENT}#([\w-]+)`, 'g');
const BY_NUMBER = new RegExp(String.raw`${DOCUMENT}${GAP}(?:sections?${GAP}${NUMBERS}|(?=\d+\.\d)${NUMBERS})`, 'g');
const BY_NAME = new RegExp(String.raw`${DOCUMENT},${GAP}"([^"]+)"(?:${GAP}and${GAP}"([^"]+)")?`, 'g');
/** Documents and discussions that lie elsewhere. */
const OUTSIDE = [
  /(?<![\w/.-])(?:semantics|safety|design|interface)(?:\.md)?,?\s(?:sections?\s\d|§|\d+\.\d)/gi,
  /\.\.\/shared\/|\/work\/\w+/g,
  /\bissues? #?\d+\b/gi,
];

export function citationsOf(path: string, text: string): Citation[] {
  const found: Citation[] = [];
  const isMarkdown = path.endsWith('.md');
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const said = isMarkdown ? saidInMarkdown(line, lines, index) : saidInCode(path, line);
    for (const part of said) {
      for (const [token] of part.matchAll(PATH)) found.push({ kind: 'path', path: token, line: index + 1 });
      for (const [, name = ''] of part.matchAll(SCRIPT)) found.push({ kind: 'script', name, line: index + 1 });
    }
    for (const pattern of OUTSIDE) {
      for (const [outside] of (said.join('\n') || '').matchAll(pattern)) {
        found.push({ kind: 'outside', text: outside, line: index + 1 });
      }
    }
  }
  if (isMarkdown) {
    for (const { 1: to = '', 2: anchor = '', index } of withoutFences(text).matchAll(LINK)) {
      if (!/^[a-z]+:/.test(to)) found.push({ kind: 'link', path: to, anchor, line: lineAt(text, index) });
    }
  }
  return [...found, ...sectionsIn(text)];
}

function sectionsIn(text: string): Citation[] {
  const found: Citation[] = [];
  const add = (document: string, section: string, by: SectionKind, index: number) =>
    found.push({ kind: 'section', document, section, by, line: lineAt(text, index) });
  for (const { 1: document = '', 2: anchor = '', index } of text.matchAll(BY_ANCHOR))
    add(document, anchor, 'anchor', index);
  for (const { 1: document = '', 2: some, 3: others, index } of text.matchAll(BY_NUMBER)) {
    for (const [number] of (some ?? others ?? '').matchAll(/\d+(?:\.\d+)?/g)) add(document, number, 'number', index);
  }
  for (const { 1: document = '', 2: first = '', 3: second, index } of text.matchAll(BY_NAME)) {
    add(document, first, 'name', index);
    if (second !== undefined) add(document, second, 'name', index);
  }
  return found;
}

/** The comment on a line of code, if there is one. */
function saidInCode(path: string, line: string): string[] {
  if (/\.(?:py|ya?ml)$|^\.ci\//.test(path)) return [HASH_COMMENT.exec(line)?.[1] ?? ''];
  const comment = COMMENT.exec(line);
  return [comment?.[1] ?? comment?.[2] ?? ''];
}

/** What stands in backticks, and whole lines within fences. */
function saidInMarkdown(line: string, lines: readonly string[], index: number): string[] {
  const fences = lines.slice(0, index + 1).filter((one) => /^\s*```/.test(one)).length;
  if (fences % 2 === 1) return [line];
  return [...line.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

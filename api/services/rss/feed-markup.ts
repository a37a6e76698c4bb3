// Cuts the XML of a feed into its items without understanding them (docs/limits.md 2.4): linear in the text, no
// entities, nothing that a document type refers to, nesting of at most 64. What is wrong is told by the reason of a
// {@link FeedInvalid}.

const MAX_DEPTH = 64;
/** The tags above an item, which are repeated whenever some items are parsed, and its own. */
const MAX_ENVELOPE_LENGTH = 8 * 1024;
/** Children of one item; the ones after that are left out. */
const MAX_CHILDREN = 200;
/** After so many tags, comments and the like the reader may let other work run. */
const TAGS_PER_PAUSE = 5_000;

/** A name, and at most the public name of a type, which is never looked up; whatever declares anything is refused. */
const HARMLESS_TYPE = /^<!DOCTYPE\s+[\w:-]+\s*(?:PUBLIC\s*(?:"[^"]*"|'[^']*')\s*(?:(?:"[^"]*"|'[^']*')\s*)?)?>$/i;

const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf', 'feed']);
const ITEMS: ReadonlySet<string> = new Set(['item', 'entry']);

export class FeedInvalid extends Error {}

export interface Element {
  /** Lower case, without its prefix. */
  readonly name: string;
  readonly markup: string;
}

export interface RawItem {
  /** The tags it stands in: with these around it, it is a feed of its own. */
  readonly before: string;
  readonly openTag: string;
  readonly children: readonly Element[];
  readonly closeTag: string;
  readonly after: string;
}

interface Open {
  readonly qualifiedName: string;
  readonly name: string;
  readonly start: number;
  readonly tag: string;
}

/** The items in their order; null is a good moment to pause. @throws FeedInvalid */
export function* itemsOf(text: string): Generator<RawItem | null> {
  const open: Open[] = [];
  /** How deep the item being read is; 0 outside. */
  let itemDepth = 0;
  let children: Element[] = [];
  let tags = 0;
  let hasRoot = false;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const end = endOfMarkup(text, at, !hasRoot);
    const second = text.charAt(at + 1);
    if (++tags % TAGS_PER_PAUSE === 0) yield null;
    if (second === '!' || second === '?') {
      at = end;
      continue;
    }
    const tag = text.slice(at, end);
    const isClosing = second === '/';
    if (!isClosing) {
      const qualifiedName = /^<([^\s/>]{1,100})/.exec(tag)?.[1];
      if (qualifiedName === undefined) throw new FeedInvalid('malformed XML');
      open.push({ qualifiedName, name: localName(qualifiedName), start: at, tag });
      if (open.length > MAX_DEPTH) throw new FeedInvalid('nested too deeply');
      hasRoot ||= checkRoot(open);
      if (itemDepth === 0 && isItem(open)) itemDepth = open.length;
    }
    if (isClosing || tag.endsWith('/>')) {
      const closed = open.at(-1);
      if (!closed || (isClosing && tag.slice(2, -1).trimEnd() !== closed.qualifiedName)) {
        throw new FeedInvalid('malformed XML');
      }
      if (itemDepth > 0 && open.length === itemDepth + 1 && children.length < MAX_CHILDREN) {
        children.push({ name: closed.name, markup: text.slice(closed.start, end) });
      }
      if (itemDepth > 0 && open.length === itemDepth) {
        yield { ...envelopeOf(open), openTag: closed.tag.replace(/\/>$/, '>'), children };
        children = [];
        itemDepth = 0;
      }
      open.pop();
    }
    at = end;
  }
  if (!hasRoot) throw new FeedInvalid('Not an RSS or Atom feed.');
  if (open.length > 0) throw new FeedInvalid('malformed XML');
}

/** Just after the comment, section, instruction or tag that starts here. */
function endOfMarkup(text: string, at: number, isProlog: boolean): number {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at + 9);
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2);
  const end = endOfTag(text, at);
  if (text.startsWith('<!', at) && !(isProlog && HARMLESS_TYPE.test(text.slice(at, end)))) {
    throw new FeedInvalid('document types are not read');
  }
  return end;
}

function endOfTag(text: string, at: number): number {
  let quote = '';
  for (let index = at + 1; index < text.length; index++) {
    const character = text[index] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return index + 1;
    else if (character === '"' || character === "'") quote = character;
  }
  throw new FeedInvalid('malformed XML');
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw new FeedInvalid('malformed XML');
  return found + mark.length;
}

function localName(qualifiedName: string): string {
  return qualifiedName.slice(qualifiedName.indexOf(':') + 1).toLowerCase();
}

/** @throws FeedInvalid when the first element is no feed */
function checkRoot([root]: readonly Open[]): true {
  if (!root || !ROOTS.has(root.name)) throw new FeedInvalid('Not an RSS or Atom feed.');
  return true;
}

/** RSS 2.0 has its items in the channel, RDF and Atom beside it. */
function isItem(open: readonly Open[]): boolean {
  const [, second] = open;
  const isInPlace = open.length === 2 || (open.length === 3 && second?.name === 'channel');
  return isInPlace && ITEMS.has(open.at(-1)?.name ?? '');
}

function envelopeOf(open: readonly Open[]): Pick<RawItem, 'before' | 'after' | 'closeTag'> {
  const above = open.slice(0, -1);
  const before = above.map(({ tag }) => tag).join('');
  if (before.length + (open.at(-1)?.tag.length ?? 0) > MAX_ENVELOPE_LENGTH)
    throw new FeedInvalid('its first tags are too long');
  const close = above.toReversed().map(({ qualifiedName }) => `</${qualifiedName}>`);
  return { before, after: close.join(''), closeTag: `</${open.at(-1)?.qualifiedName ?? ''}>` };
}

// What a Markdown document can be cited by: its headings, as anchors, by number and by name.

export interface Sections {
  /** As GitHub makes them. */
  readonly anchors: ReadonlySet<string>;
  /** `5` of `## 5. The states`, `2.22` of `### 2.22 Requests`. */
  readonly numbers: ReadonlySet<string>;
  /** Without their number, in lower case. */
  readonly names: ReadonlySet<string>;
}

const HEADING = /^#{1,6} +(.+?) *$/gm;
const NUMBER = /^(\d+(?:\.\d+)*|\d+\.[A-Z])\.? +/;

export function sectionsOf(markdown: string): Sections {
  const anchors = new Set<string>();
  const numbers = new Set<string>();
  const names = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(HEADING)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/`/g, '');
    const number = NUMBER.exec(text);
    if (number?.[1]) numbers.add(number[1]);
    names.add(text.replace(NUMBER, '').toLowerCase());
    const anchor = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replace(/ /g, '-');
    for (let again = 0; ; again++) {
      const unique = again === 0 ? anchor : `${anchor}-${again}`;
      if (anchors.has(unique)) continue;
      anchors.add(unique);
      break;
    }
  }
  return { anchors, numbers, names };
}

/** Line by line as before: what is in a fence is blank. */
export function withoutFences(markdown: string): string {
  let isFenced = false;
  return markdown
    .split('\n')
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) isFenced = !isFenced;
      return isFence || isFenced ? '' : line;
    })
    .join('\n');
}

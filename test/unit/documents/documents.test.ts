// Documents and comments name what is there: every path, link, anchor, section and npm command. A fault is told as
// `file:line: what is missing`, so that it can be mended without looking for it.
import t from 'tap';
import { z } from 'zod';
import { CitationCheck } from './check-citation.js';
import { citationsOf } from './citations.js';
import { Tree } from './tree.js';

/** Of other trees: what is built or installed, a torrent's pad files, any folder, a document of Transmission's. */
const ELSEWHERE = [/^(?:\.\/)?dist\b/, /^node_modules\b/, /^\.pad\//, /^folder\/$/, /^rpc-spec\.md$/];
/** These make up what is not there. */
const INVENTED = 'test/unit/documents/';
/** The fewest files that each walk of docs/architecture.md passes. */
const WALKS = {
  'A block comes in': 20,
  'A block goes out': 8,
  'A request until it is durable': 15,
  'A number on its way to a row': 18,
};

const tree = new Tree();
const packageSchema = z.object({ scripts: z.record(z.string(), z.string()) });
const scripts = Object.keys(packageSchema.parse(JSON.parse(tree.read('package.json'))).scripts);

void t.test('what documents and comments name is there', async (t) => {
  const check = new CitationCheck(tree, scripts, ELSEWHERE);
  let count = 0;
  for (const path of tree.texts.filter((one) => !one.startsWith(INVENTED))) {
    for (const citation of citationsOf(path, tree.read(path))) {
      count++;
      const fault = check.faultOf(path, citation);
      if (fault) t.fail(`${path}:${citation.line}: ${fault}`);
    }
  }
  t.ok(count > 1_500, `${count} citations`);
});

void t.test('every bound of docs/limits.md is a constant of the file that it names', async (t) => {
  const rows = [...tree.read('docs/limits.md').matchAll(/^\|.*\| `([A-Z_]+)` in `([^`]+)` +\|$/gm)];
  t.ok(rows.length > 100, `${rows.length} bounds`);
  for (const [row, constant = '', path = ''] of rows) {
    const named = [constant, ...[...row.matchAll(/\(`([A-Z_]+)`\)/g)].map(([, other = '']) => other)];
    for (const name of named) {
      const isThere = tree.has(path) && new RegExp(`\\bconst ${name}\\b`).test(tree.read(path));
      if (!isThere) t.fail(`docs/limits.md: no ${name} in ${path}`);
    }
  }
});

void t.test('the walks of docs/architecture.md pass files that are there', async (t) => {
  const architecture = tree.read('docs/architecture.md');
  for (const [title, fewest] of Object.entries(WALKS)) {
    const [, walk = ''] = architecture.split(`\n## ${title}\n`);
    const [section = ''] = walk.split('\n## ');
    const files = [...section.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = '']) => path);
    t.ok(files.length >= fewest, `${title}: ${files.length} files`);
    for (const path of files) if (!tree.has(path)) t.fail(`docs/architecture.md, ${title}: no ${path}`);
  }
});

/** A tree of two files: what the first cites, and one document. */
function faultsOf(path: string, text: string): (string | null)[] {
  const document = '# Limits\n\n## Caps\n\n### 2.4 Bombs\n\n## 5. States\n';
  const made = new Tree({ [path]: text, 'docs/limits.md': document, 'engine/wire/frames.ts': '' });
  const check = new CitationCheck(made, ['build'], ELSEWHERE);
  return citationsOf(path, text).map((citation) => check.faultOf(path, citation));
}

void t.test('a citation that leads nowhere is seen', async (t) => {
  const broken: readonly (readonly [path: string, text: string, fault: string])[] = [
    ['engine/a.ts', '// As wire/frame.ts has it.', 'no wire/frame.ts'],
    ['engine/a.ts', '/** See engine/wires/. */', 'no engine/wires/'],
    ['engine/a.ts', 'const a = 1; // of gone.ts', 'no gone.ts'],
    ['engine/a.ts', '// What limits.md says.', 'no limits.md'],
    ['engine/a.ts', '// (docs/limits.md 2.5).', 'no section 2.5 in docs/limits.md'],
    ['engine/a.ts', '// Bounds (docs/limits.md\n// sections 5 and 6).', 'no section 6 in docs/limits.md'],
    ['engine/a.ts', '// docs/limits.md#cups', 'no #cups in docs/limits.md'],
    ['engine/a.ts', '// docs/limits.md, "Cups"', 'no "Cups" in docs/limits.md'],
    ['engine/a.ts', '// (safety 2.4)', '"safety 2.4" is nothing of this tree'],
    ['engine/a.ts', '// After issue 12.', '"issue 12" is nothing of this tree'],
    ['README.md', 'See [limits](docs/limit.md).', 'no docs/limit.md'],
    ['README.md', 'See [limits](docs/limits.md#cups).', 'no #cups in docs/limits.md'],
    ['README.md', 'Then `npm run biuld`.', 'no script biuld in package.json'],
    ['README.md', '```\nnpm run biuld\n```', 'no script biuld in package.json'],
  ];
  for (const [path, text, fault] of broken)
    t.ok(faultsOf(path, text).includes(fault), `${text}: ${faultsOf(path, text).join()}`);
});

void t.test('one that leads somewhere is none', async (t) => {
  const sound: readonly (readonly [path: string, text: string])[] = [
    ['engine/a.ts', '// wire/frames.ts, frames.ts and engine/wire/ (docs/limits.md 2.4, docs/limits.md section 5).'],
    ['engine/a.ts', '// docs/limits.md, "Caps"; docs/limits.md#caps; IPv4/IPv6, and/or, 16 KiB/s'],
    ['engine/wire/b.ts', "import { a } from './gone.js'; // frames.ts"],
    ['README.md', '[Caps](docs/limits.md#caps), `engine/wire/`, `npm run build`, [x](https://example.org/a.md)'],
  ];
  for (const [path, text] of sound) t.same(faultsOf(path, text).filter(Boolean), [], text);
});

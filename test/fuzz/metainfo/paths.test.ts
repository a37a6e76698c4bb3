// docs/limits.md 2.1 as a property: lists of random paths, a hundred thousand of them (a million on the long run).
// Joined they lie inside the root, by whatever rules; each element has 1 to 255 bytes of UTF-8 and is left as it is by a second cleaning;
// and no two files of a torrent are one place, nor is one another's folder.
import { resolve, sep } from 'node:path';
import t from 'tap';
import { placeFiles, type ListedFile } from '../../../engine/metainfo/file-list.js';
import { parseMagnet } from '../../../engine/metainfo/magnet.js';
import { joinInside, safeElement } from '../../../engine/metainfo/safe-path.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { NameRules } from '../../../shared-protocol/name-rules.js';
import { FUZZ_SEED, fuzzRuns, keepFailingInput } from '../../support/fuzzing.js';
import { SeededRandom } from '../../support/seeded-random.js';

const LISTS = fuzzRuns(100_000);
const ROOT = '/srv/data';
/** Of every range that matters: ASCII, C1, marks, separators, surrogates, ideographs, private use, full width. */
const RANGES = [0x80, 0x80, 0x80, 0x100, 0x600, 0x2100, 0x3100, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x11_0000];
const FRAGMENTS = [
  ...['..', '.', '/', '\\', '\0', ' ', '. ', 'con', 'NUL', 'aux.', 'lpt1', 'COM¹', 'clock$', '~', 'C:', '//'],
  ...[
    '\u202e',
    '\u200b',
    '\ufeff',
    '\ud800',
    '\udc00',
    '\ufffd',
    'e\u0301',
    '\u00e9',
    '🎬',
    '\u{e0041}',
    'a',
    'b',
    '1',
  ],
];

function randomText(random: SeededRandom): string {
  let text = '';
  for (let parts = random.below(5); parts >= 0; parts--) {
    const kind = random.below(8);
    if (kind < 4) text += FRAGMENTS[random.below(FRAGMENTS.length)];
    else if (kind < 7) text += String.fromCodePoint(random.below(RANGES[random.below(RANGES.length)]!));
    else text += (FRAGMENTS[random.below(FRAGMENTS.length)] ?? '').repeat(random.below(150));
  }
  return text;
}

const randomName = (random: SeededRandom): string | Uint8Array =>
  random.below(10) === 0 ? random.bytes(random.below(30)) : randomText(random);

const RULES = ['posix', 'portable', 'windows'] as const;

function badElement(element: string, rules: NameRules): string | null {
  const bytes = Buffer.from(element);
  if (bytes.length < 1 || bytes.length > 255) return `${bytes.length} bytes`;
  if (bytes.toString() !== element) return 'not UTF-8';
  if (safeElement(element, rules) !== element) return 'not idempotent';
  if (rules !== 'posix' && element.includes('\\')) return 'a backslash';
  return /[/\0]/.test(element) || element === '.' || element === '..' ? 'a path of its own' : null;
}

/** @returns what is wrong */
function badPath(names: readonly (string | Uint8Array)[], rules: NameRules): string | null {
  const elements = names.map((name) => safeElement(name, rules));
  for (const element of elements) {
    const bad = badElement(element, rules);
    if (bad !== null) return `${JSON.stringify(element)}: ${bad}`;
  }
  const joined = resolve(ROOT, ...elements);
  if (joined !== [ROOT, ...elements].join(sep) || joinInside(ROOT, elements) !== joined) return joined;
  return null;
}

void t.test(`${LISTS} lists of names, seed ${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED);
  for (let run = 0; run < LISTS; run++) {
    const names = Array.from({ length: 1 + random.below(4) }, () => randomName(random));
    const bad = RULES.map((rules) => badPath(names, rules)).find((each) => each !== null);
    if (bad === undefined) continue;
    const input = JSON.stringify(names.map((name) => (typeof name === 'string' ? name : [...name])));
    return void t.fail(`run ${run}: ${bad}; ${keepFailingInput('paths', input)}`);
  }
  t.pass();
});

/** What `placeFiles` promises, said once more in the plainest words. */
function badPlaces(files: readonly ListedFile[], caseInsensitive: boolean): string | null {
  const places = new Set<string>();
  const folders = new Set<string>();
  for (const { isPad, path } of files) {
    if (isPad) continue;
    const normal = path.map((element) => element.normalize('NFC'));
    const folded = caseInsensitive ? normal.map((element) => element.toUpperCase().toLowerCase()) : normal;
    const place = folded.join('/');
    if (places.has(place)) return `twice: ${place}`;
    places.add(place);
    for (let depth = 1; depth < folded.length; depth++) folders.add(folded.slice(0, depth).join('/'));
  }
  for (const place of places) if (folders.has(place)) return `a folder: ${place}`;
  return null;
}

void t.test(`places of files, seed ${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED + 1);
  const names = [
    'a',
    'A',
    'a.1',
    'a.2',
    'b',
    'e\u0301',
    '\u00e9',
    'É',
    'ﬁ',
    'fi',
    'x.y',
    'x.1.y',
    'x'.repeat(240),
    'ß',
    'SS',
  ];
  let renamed = 0;
  for (let run = 0; run < fuzzRuns(10_000); run++) {
    const listed = Array.from({ length: 1 + random.below(12) }, () =>
      Array.from({ length: 1 + random.below(3) }, () => names[random.below(names.length)]!),
    );
    const files = listed.map((path, index) => {
      return { index, path: ['', ...path], sizeBytes: 1, offset: index, isPad: random.below(9) === 0 };
    });
    const caseInsensitive = random.below(3) === 0;
    placeFiles('root', files, caseInsensitive ? 'posix' : 'windows');
    renamed += files.filter(({ path }, i) => path.at(-1) !== listed[i]?.at(-1)).length;
    const bad = badPlaces(files, caseInsensitive);
    if (bad !== null) return void t.fail(`${bad}; ${keepFailingInput('places', JSON.stringify(listed))}`);
  }
  t.ok(renamed > 1_000, `${renamed} renamed`);
});

void t.test(`names of magnets, seed ${FUZZ_SEED}`, async (t) => {
  const random = new SeededRandom(FUZZ_SEED + 2);
  for (let run = 0; run < fuzzRuns(5_000); run++) {
    const escaped = Array.from(Buffer.from(randomText(random)), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
    const uri = `magnet:?xt=urn:btih:${'a1'.repeat(20)}&dn=${escaped.join('')}`;
    try {
      const bad = RULES.find((rules) => {
        const { name } = parseMagnet(uri, rules);
        return name !== null && name !== safeElement(name, rules);
      });
      if (bad !== undefined) return void t.fail(`${bad}; ${keepFailingInput('magnet', uri)}`);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  t.pass();
});

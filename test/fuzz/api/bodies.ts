// Bodies of requests: good ones, good ones with a few fields spoilt, uploads that were cut, and what is no body at all.
import fc, { type Arbitrary } from 'fast-check';
import type { Route } from '../../../api/routes/index.js';
import { operationOf } from '../../contract/api/runner/document.js';
import { multipart } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';
import { NASTY, toJsonText, valid, type Hints } from './values.js';

const TORRENTS = [1, 2, 3].map(
  (seed) => makeTorrent({ name: `up-${seed}`, pieceLength: 16_384, files: seededBytes(seed, 100) }).torrentBytes,
);

export interface Body {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function bodyOf(route: Route, hints: Hints): Arbitrary<Body | undefined> {
  const junk = fc.oneof(
    fc.constantFrom(
      '',
      '{',
      '[]',
      'null',
      '"',
      '{"a":',
      '\0',
      '{}'.repeat(1_000),
      '['.repeat(50_000),
      `"${'x'.repeat(1_100_000)}"`,
    ),
    fc.uint8Array({ maxLength: 200 }),
    NASTY.map(toJsonText),
  );
  const content = operationOf(route).requestBody?.content;
  const schema = content?.['application/json']?.schema;
  if (schema) {
    const good = valid(schema, hints);
    return fc.oneof(
      { weight: 5, arbitrary: good.map((value) => ({ body: toJsonText(value) })) },
      { weight: 4, arbitrary: spoilt(good).map((value) => ({ body: toJsonText(value) })) },
      { weight: 1, arbitrary: junk.map((body) => ({ body })) },
    );
  }
  if (content)
    return fc.oneof(
      { weight: 4, arbitrary: uploads },
      junk.map((body) => ({ body })),
    );
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    junk.map((body) => ({ body })),
  );
}

/** One or more fields replaced, left out or added. */
function spoilt(good: Arbitrary<unknown>): Arbitrary<unknown> {
  const change = fc.tuple(fc.nat(), fc.constantFrom('replace', 'replace', 'drop', 'add'), NASTY);
  return fc.tuple(good, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    const fields = { ...(value as Record<string, unknown>) };
    for (const [at, kind, nasty] of changes) {
      const names = Object.keys(fields);
      const name = names[at % Math.max(1, names.length)] ?? 'a';
      if (kind === 'replace') fields[name] = nasty;
      else if (kind === 'drop') delete fields[name];
      else
        Object.defineProperty(fields, '__proto__', {
          value: nasty,
          enumerable: true,
          configurable: true,
          writable: true,
        });
    }
    return fields;
  });
}

const uploads: Arbitrary<Body> = fc
  .record({
    torrent: fc.constantFrom(...TORRENTS),
    cut: fc.option(fc.nat(200)),
    save_path: fc.option(fc.constantFrom('', 'sub', '\0', '../..', 'x'.repeat(9_000))),
    name: fc.constantFrom('file', 'file', 'other'),
    garble: fc.option(fc.nat(300)),
  })
  .map(({ torrent, cut, save_path, name, garble }) => {
    const file = cut === null ? torrent : torrent.subarray(0, cut);
    const { headers, body } = multipart({ [name]: file, ...(save_path === null ? {} : { save_path }) });
    const bytes = body as Uint8Array;
    return { headers: headers as Record<string, string>, body: garble === null ? bytes : bytes.subarray(0, garble) };
  });

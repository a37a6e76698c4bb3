// Which compiled test files there are, and which of them a command line means. What is left in dist/ of a source that is
// gone is no test.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** dist/test: test files are named by their path below it, with slashes. */
export const TESTS = fileURLToPath(new URL('..', import.meta.url));
export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** A name that stands for no test: a mistake of who typed it, or a table that has not followed a move. */
export class NoSuchTest extends Error {}

/** All of the folders below test/, in the order of the names. */
export function allTests(): string[] {
  return below(TESTS);
}

/**
 * The tests of files and folders below test/: `unit/api`, `unit/api/ws/hub.test.js`, with the extension of the source
 * too, or with `test/` in front.
 *
 * @throws NoSuchTest when a name matches nothing
 */
export function namedTests(names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const path = join(TESTS, name.replace(/^(?:\.\/)?(?:dist\/)?test\//, '').replace(/\.ts$/, '.js'));
    const tests = existsSync(path) ? below(path) : [];
    if (tests.length === 0) throw new NoSuchTest(`"${name}" names no test below test/`);
    return tests;
  });
  return [...new Set(found)];
}

/** Of a compiled test, relative to the repository. */
export function sourceOf(test: string): string {
  return `test/${test.replace(/\.js$/, '.ts')}`;
}

function below(path: string): string[] {
  const names = statSync(path).isFile() ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => relative(TESTS, join(path, name)).split(sep).join('/'))
    .filter((name) => name.endsWith('.test.js') && existsSync(join(REPOSITORY, sourceOf(name))))
    .sort();
}

// The unit tests that a change can touch: those that import, over any number of files, one that differs from what has
// been pushed. What a file is read or started by without an import (a worker by its URL) counts as imported.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { allTests, REPOSITORY, sourceOf } from './tests.js';

const ROOMS = ['api', 'engine', 'shared-protocol', 'storage', 'bench', 'fleet', 'test'];
const SOURCE = /(?<!\.d)\.tsx?$/;
/** Of these nobody imports anything, and no unit test reads them. */
const WITHOUT_EFFECT = /(\.md|\.png|\.svg|\.css|\.html|^LICENSE|^\.gitignore|^\.ci\/.*|^\.editorconfig|^docs\/.*)$/;
const BY_URL = /new URL\(\s*['"`](\.{1,2}\/[^'"`]+\.js)['"`]/g;

/** All unit tests when nothing has changed, and when something has on which all may depend. */
export function testsOfChange(changed: readonly string[] = changedFiles()): string[] {
  const units = allTests().filter((test) => test.startsWith('unit/'));
  const sources = changed.filter((path) => !WITHOUT_EFFECT.test(path));
  if (changed.length === 0 || sources.some((path) => !isSource(path))) return units;
  const touched = importersOf(sources);
  return units.filter((test) => touched.has(sourceOf(test)));
}

/** In the working tree, and in commits that origin has not. Those that are gone too. */
function changedFiles(): string[] {
  const git = (...args: readonly string[]): string[] =>
    execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '');
  const base = ((): string => {
    try {
      return git('merge-base', 'HEAD', 'origin/HEAD')[0] ?? 'HEAD';
    } catch {
      return 'HEAD';
    }
  })();
  return [
    ...new Set([...git('diff', '--name-only', '--no-renames', base), ...git('ls-files', '-o', '--exclude-standard')]),
  ];
}

function isSource(path: string): boolean {
  return SOURCE.test(path) && ROOMS.some((room) => path.startsWith(`${room}/`));
}

/** The files themselves, and what imports them, directly or not. */
function importersOf(paths: readonly string[]): Set<string> {
  const importers = new Map<string, string[]>();
  for (const path of ROOMS.flatMap(sourcesBelow)) {
    for (const imported of importsOf(path)) importers.set(imported, [...(importers.get(imported) ?? []), path]);
  }
  const reached = new Set(paths);
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer);
  return reached;
}

function sourcesBelow(room: string): string[] {
  return readdirSync(join(REPOSITORY, room), { recursive: true, encoding: 'utf8' })
    .map((name) => `${room}/${name.split(sep).join('/')}`)
    .filter((path) => SOURCE.test(path) && !path.includes('/node_modules/'));
}

function importsOf(path: string): string[] {
  const text = readFileSync(join(REPOSITORY, path), 'utf8');
  const named = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const byUrl = Array.from(text.matchAll(BY_URL), (match) => match[1]!);
  return [...named, ...byUrl].filter((name) => name.startsWith('.')).flatMap((name) => sourceNamed(path, name));
}

/** Of what a source imports as it will be compiled; of a file that is gone, the name that it had. */
function sourceNamed(importer: string, name: string): string[] {
  const path = relative(REPOSITORY, resolve(REPOSITORY, dirname(importer), name))
    .split(sep)
    .join('/');
  const bare = path.replace(/\.jsx?$/, '');
  const candidates = [`${bare}.ts`, `${bare}.tsx`, path];
  return candidates.filter((candidate, i) => i === 0 || existsSync(join(REPOSITORY, candidate)));
}

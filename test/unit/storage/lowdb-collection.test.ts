// The crash-safe file of a collection: what each moment of a power cut leaves behind, and what is loaded from that.
import { copyFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { sealEnvelope } from '../../../storage/collection-envelope.js';
import { openCollection, type CollectionOptions } from '../../../storage/lowdb-collection.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

interface Names {
  names: string[];
}

const OPTIONS: CollectionOptions<Names> = {
  version: 2,
  defaults: { names: [] },
  migrate: (data) => ({ names: (data as { list: string[] }).list }),
  validate: (data) => {
    const candidate = data as Names;
    if (!Array.isArray(candidate.names)) throw new Error('names: expected a list');
    return candidate;
  },
};

/** A collection file that held [one], then [one, two]. */
async function writtenTwice(): Promise<string> {
  const file = join(await temporaryDirectory(), 'names.json');
  const collection = await openCollection(file, OPTIONS);
  await collection.update((data) => void data.names.push('one'));
  await collection.update((data) => void data.names.push('two'));
  return file;
}

async function load(file: string, options = OPTIONS): Promise<string[]> {
  return (await openCollection(file, options)).data.names;
}

void t.test('what was acknowledged is there after a restart', async (t) => {
  t.same(await load(await writtenTwice()), ['one', 'two']);
});

void t.test('a power cut at any step leaves the old data or the new', async (t) => {
  const next = sealEnvelope(2, { names: ['one', 'two', 'three'] });
  const cuts: { name: string; leave: (file: string) => Promise<void>; expected: string[] }[] = [
    {
      name: 'temporary file torn',
      leave: (file) => writeFile(`${file}.tmp`, next.subarray(0, next.length / 2)),
      expected: ['one', 'two'],
    },
    {
      name: 'temporary file whole, not renamed',
      leave: (file) => writeFile(`${file}.tmp`, next),
      expected: ['one', 'two'],
    },
    { name: 'backup removed, not renamed', leave: (file) => rm(`${file}.bak`), expected: ['one', 'two'] },
    { name: 'main emptied', leave: (file) => truncate(file, 0), expected: ['one'] },
    { name: 'main full of zeroes', leave: async (file) => writeFile(file, Buffer.alloc(200)), expected: ['one'] },
    {
      name: 'one letter of main altered, still valid JSON',
      leave: async (file) => {
        const bytes = await readFile(file);
        bytes.write('b', bytes.lastIndexOf('two'));
        await writeFile(file, bytes);
      },
      expected: ['one'],
    },
    { name: 'main gone', leave: (file) => rm(file), expected: ['one'] },
    {
      name: 'only the temporary file is left',
      leave: async (file) => {
        await rename(file, `${file}.tmp`);
        await rm(`${file}.bak`);
      },
      expected: ['one', 'two'],
    },
  ];
  for (const { name, leave, expected } of cuts) {
    const file = await writtenTwice();
    await leave(file);
    t.same(await load(file), expected, name);
  }
});

void t.test('after a fallback the next change makes the main file whole again', async (t) => {
  const file = await writtenTwice();
  await truncate(file, 10);
  const passedOver: string[] = [];
  const collection = await openCollection(file, { ...OPTIONS, onFallback: (path) => passedOver.push(path) });
  t.same(passedOver, [file]);
  await collection.update((data) => void data.names.push('three'));
  t.same(await load(file), ['one', 'three']);
});

void t.test('no usable copy is an error, never a fresh start', async (t) => {
  const file = await writtenTwice();
  await truncate(file, 10);
  await copyFile(file, `${file}.bak`);
  await t.rejects(load(file), { code: 'STORAGE_FAILED' });
});

void t.test('a torn first write counts for nothing', async (t) => {
  const file = join(await temporaryDirectory(), 'names.json');
  await writeFile(`${file}.tmp`, 'torn');
  t.same(await load(file), []);
});

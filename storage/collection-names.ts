// How a collection is called, and its file: `accounts` in accounts.json, `preferences/7` in preferences/7.json.
import { dirname, join } from 'node:path';
import { generationsOf, listIfExists } from './atomic-file.js';

const SUFFIX = '.json';

export function collectionFile(directory: string, name: string): string {
  return join(directory, `${name}${SUFFIX}`);
}

/** Names with the prefix of which there is a file, or what a crash has left of one. */
export async function namesOfFiles(directory: string, prefix: string): Promise<string[]> {
  const files = await listIfExists(dirname(collectionFile(directory, `${prefix}x`)));
  const { main, backup, temporary } = generationsOf(SUFFIX);
  const names = files.flatMap((file) => {
    const end = [main, backup, temporary].find((each) => file.endsWith(each));
    return end === undefined ? [] : [`${prefix}${file.slice(0, -end.length)}`];
  });
  return [...new Set(names)];
}

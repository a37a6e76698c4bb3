// Names of what the system answers. Node knows those that libuv knows; of file systems there are others, a used up quota and a stale
// handle among them, whose code is `Unknown system error -122`.
import { constants } from 'node:os';
import { messageOf } from './errors.js';

/** Linux; Node has no name for it. */
const EUCLEAN = 117;
const NAMES: ReadonlyMap<number, string> = new Map([
  ...Object.entries(constants.errno).map(([name, number]): [number, string] => [number, name]),
  [EUCLEAN, 'EUCLEAN'],
]);

/** The system's name of the error, such as `ENOENT`; null for anything else. */
export function systemErrorName(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return null;
  if (!thrown.code.startsWith('Unknown system error') || !('errno' in thrown)) return thrown.code;
  return systemErrorOf(-Number(thrown.errno)) ?? thrown.code;
}

/** The same of its number; null: it has none that is known. */
export function systemErrorOf(number: unknown): string | null {
  return NAMES.get(Number(number)) ?? null;
}

/** The words of anything thrown, with the system's name of what Node has none for. */
export function systemErrorMessage(thrown: unknown): string {
  return messageOf(thrown).replace(/^Unknown system error -(\d+)(: Unknown system error -\d+)?/, (words, number) => {
    return systemErrorOf(number) ?? words;
  });
}

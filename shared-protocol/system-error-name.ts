// Names of what the system answers. Node knows those that libuv knows; of file systems there are others, a used up quota and a stale
// handle among them, whose code is `Unknown system error -122`.
import { constants } from 'node:os';

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
  return NAMES.get(-Number(thrown.errno)) ?? thrown.code;
}

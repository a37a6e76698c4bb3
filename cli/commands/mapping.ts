// Paths of another machine in paths of this one, as the command line has them.
import type { PathMapping } from '../../shared-protocol/path-map.js';
import { CommandFailed, EXIT } from '../exit-codes.js';

/** Paths may hold an `=`; that before the last absolute one is meant. @throws CommandFailed */
export function mappingOf(text: string): PathMapping {
  const [, from, to] = /^(.+)=(\/.*)$/.exec(text) ?? [];
  if (from !== undefined && to !== undefined) return { from, to };
  throw new CommandFailed(`--map: expected /old=/new, not ${JSON.stringify(text)}`, EXIT.usage);
}

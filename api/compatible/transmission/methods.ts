// All methods of Transmission's RPC that are answered, by their name up to version 4.0.
import { refusedMethods } from './refused.js';
import type { MethodTable, Row } from './row.js';
import { sessionMethods } from './session/index.js';
import { torrentMethods } from './torrents/index.js';

export const METHOD_TABLE = {
  ...torrentMethods,
  ...sessionMethods,
  ...refusedMethods,
} satisfies MethodTable;

export type KnownMethod = keyof typeof METHOD_TABLE;

/** In either spelling. */
export function methodNamed(name: string): Row | undefined {
  const known = name.replaceAll('_', '-');
  return Object.hasOwn(METHOD_TABLE, known) ? METHOD_TABLE[known as KnownMethod] : undefined;
}

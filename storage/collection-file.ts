// The file of a collection and its generations, as they are read: the newest that can be used of x, x.bak, x.tmp
// (docs/limits.md 2.28). Who reads says what can be used.
import { AppError } from '../shared-protocol/errors.js';
import { generationsOf, readIfExists } from './atomic-file.js';
import { openEnvelope } from './collection-envelope.js';

/** Contents of a file as they were understood. */
export type Reading<Value> =
  { readonly kind: 'usable'; readonly value: Value } | { readonly kind: 'damaged'; readonly reason: string };

/** Records of a collection as they are stored, in the shape of that version. */
export interface StoredData {
  readonly version: number;
  readonly data: unknown;
}

/**
 * The value that `read` makes of the newest generation that it can use; null where nothing was ever acknowledged. `onPassedOver` is
 * told of those that were damaged.
 * @throws AppError `STORAGE_FAILED` when generations exist and none of them can be used; what `read` throws
 */
export async function readNewest<Value>(
  file: string,
  read: (bytes: Buffer) => Reading<Value>,
  onPassedOver: (file: string, reason: string) => void = () => undefined,
): Promise<Value | null> {
  const { main, backup, temporary } = generationsOf(file);
  const damages: string[] = [];
  for (const candidate of [main, backup, temporary]) {
    const bytes = await readIfExists(candidate);
    if (!bytes) continue;
    const reading = read(bytes);
    if (reading.kind === 'usable') return reading.value;
    // A torn first write: nothing was ever acknowledged.
    if (candidate === temporary && damages.length === 0) return null;
    damages.push(`${candidate}: ${reading.reason}`);
    onPassedOver(candidate, reading.reason);
  }
  if (damages.length === 0) return null;
  throw new AppError('STORAGE_FAILED', `storage: no usable copy of ${file} (${damages.join('; ')})`);
}

/** The records as they are stored, whatever their shape. @throws AppError `STORAGE_FAILED` */
export function readStored(file: string): Promise<StoredData | null> {
  return readNewest(file, (bytes) => {
    const opened = openEnvelope(bytes);
    if (opened.kind === 'damaged') return opened;
    return { kind: 'usable', value: { version: opened.version, data: opened.data } };
  });
}

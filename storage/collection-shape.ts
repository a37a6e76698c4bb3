// How the records of a collection are read, whichever store keeps them: what a newer program wrote is refused, what an older
// one wrote is migrated, and what has not the shape is never shown.
import { AppError } from '../shared-protocol/errors.js';

export interface CollectionShape<Data> {
  /** The version of the records' shape, from 1; those of a newer one are refused. */
  readonly version: number;
  /** For a collection of which nothing is stored yet. */
  readonly defaults: Data;
  /** Brings data of an older version to the present one. */
  readonly migrate: (data: unknown, fromVersion: number) => unknown;
  /** Throws when the data does not have the shape; returns it otherwise. */
  readonly validate: (data: unknown) => Data;
}

/** Throws where the version of what is stored at `place` is above the one that is known. @throws AppError `STORAGE_TOO_NEW` */
export function refuseNewer(place: string, version: number, known: number): void {
  if (version <= known) return;
  throw new AppError('STORAGE_TOO_NEW', `storage: ${place} has version ${version}; this program knows up to ${known}`);
}

/** The data in the present shape; throws what `migrate` and `validate` throw. */
export function readRecords<Data>(
  { version, migrate, validate }: CollectionShape<Data>,
  stored: { readonly version: number; readonly data: unknown },
): Data {
  return validate(stored.version < version ? migrate(stored.data, stored.version) : stored.data);
}

/** The shape of records that have had one only: `schema` throws where the data does not have it. */
export function firstShape<Data>(schema: { parse(data: unknown): Data }, defaults: Data): CollectionShape<Data> {
  return { version: 1, defaults, migrate: (data) => data, validate: (data) => schema.parse(data) };
}

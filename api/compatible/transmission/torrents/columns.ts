// All fields of a torrent that `torrent-get` answers, by their names up to version 4.0.
import { toSnakeCase } from '../names.js';
import { figuresColumns } from './figures-columns.js';
import { filesColumns } from './files-columns.js';
import { limitsColumns } from './limits-columns.js';
import { peersColumns } from './peers-columns.js';
import { stateColumns } from './state-columns.js';
import { trackersColumns } from './trackers-columns.js';
import type { Column, Columns } from './view.js';

export const COLUMNS = {
  ...figuresColumns,
  ...stateColumns,
  ...limitsColumns,
  ...filesColumns,
  ...peersColumns,
  ...trackersColumns,
} satisfies Columns;

export interface NamedColumn extends Column {
  readonly name: string;
}

const BY_NAME: ReadonlyMap<string, NamedColumn> = new Map(
  Object.entries<Column>(COLUMNS).map(([name, column]) => [toSnakeCase(name), { ...column, name }]),
);

/** The field in either spelling; undefined: there is none. */
export function columnNamed(name: string): NamedColumn | undefined {
  return BY_NAME.get(toSnakeCase(name));
}

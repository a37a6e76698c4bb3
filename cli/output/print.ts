// How answers are written: as a table for people at a terminal, as lines of fields for other programs, as JSON where that is
// wanted. Names come from strangers: what could steer a terminal is not written.
import Table from 'cli-table3';
import type { Terminal } from '../terminal.js';

export interface Column<Row> {
  readonly title: string;
  /** For people. */
  readonly text: (row: Row) => string;
  /** For programs. @default as for people */
  readonly raw?: (row: Row) => string | number | boolean;
  readonly isNumeric?: true;
}

const NO_FRAME = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((place) => [place, '']),
);

export function printTable<Row>({ out }: Terminal, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  if (!out.isTTY) {
    for (const row of rows) out.write(`${columns.map(({ text, raw = text }) => plain(String(raw(row)))).join('\t')}\n`);
    return;
  }
  const table = new Table({
    head: columns.map(({ title }) => title),
    chars: { ...NO_FRAME, middle: '  ' },
    colAligns: columns.map(({ isNumeric }) => (isNumeric ? 'right' : 'left')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => columns.map(({ text }) => plain(text(row)))));
  out.write(`${table.toString().replace(/ +$/gm, '')}\n`);
}

/** Names and values, one below the other. */
export function printFacts({ out }: Terminal, facts: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) if (value !== '') out.write(`${`${name}:`.padEnd(width + 2)}${plain(value)}\n`);
}

export function printJson({ out }: Terminal, value: unknown): void {
  out.write(`${JSON.stringify(value, null, out.isTTY ? 2 : 0)}\n`);
}

/** Without control characters, and without those that turn what follows round. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '�');
}

// Statements of `.rtorrent.rc`. It is a program: what it says by itself, a name with a literal value, can be read; what it computes is
// only recognised. Pure.

export interface RcStatement {
  /** Empty: it is more than one command, or none by name. */
  readonly name: string;
  /** Text of the value as it was written, or of all of it where there is no name. */
  readonly text: string;
  /** The literal, without its quotes; null: it is computed. */
  readonly value: string | null;
}

/** No spec value. */
const MAX_STATEMENTS = 10_000;

export function readRc(text: string): RcStatement[] {
  // A backslash at the end of a line goes on in the next.
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .slice(0, MAX_STATEMENTS);
  return lines.flatMap((line) => {
    const written = line.trim();
    return written === '' || written.startsWith('#') ? [] : [statementOf(written)];
  });
}

function statementOf(written: string): RcStatement {
  const [, name = ''] = /^([a-z_][\w.]*)\s*=/i.exec(written) ?? [];
  const rest = name === '' ? '' : written.slice(written.indexOf('=') + 1).trimStart();
  return { name, text: name === '' ? written : rest, value: literalOf(rest) };
}

function literalOf(text: string): string | null {
  const quoted = /^"([^"\\$]*)"$/.exec(text);
  if (quoted) return quoted[1]!;
  return /[$(){};"\\]/.test(text) ? null : text;
}

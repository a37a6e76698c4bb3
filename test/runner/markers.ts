// The lines by which the process of several tests tells whose turn it is, and what came of it.

export interface Figures {
  readonly passed: number;
  readonly failed: number;
  /** Left out, and those that are to be done. */
  readonly skipped: number;
  readonly assertions: number;
  readonly ms: number;
}

export interface GroupFigures extends Figures {
  /** What else is wrong with the file. */
  readonly trouble: string | null;
}

export type Marker =
  | { readonly kind: 'begin'; readonly file: string }
  | { readonly kind: 'end'; readonly file: string; readonly figures: GroupFigures };

const MARKER = /^# swarmd-test (begin|end) (\S+)(?: (\{.*\}))?$/;
const SUMMARY = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: (\d+))?(?:, skip: (\d+))?/;

/** As a TAP comment, which puts `# ` in front. */
export function beginLine(file: string): string {
  return `swarmd-test begin ${file}`;
}

export function judgedLine(file: string): string {
  return `swarmd-test judged ${file}`;
}

export function endLine(file: string, figures: GroupFigures): string {
  return `swarmd-test end ${file} ${JSON.stringify(figures)}`;
}

export function readMarker(line: string): Marker | null {
  const match = MARKER.exec(line);
  const [, kind, file, figures] = match ?? [];
  if (!kind || !file) return null;
  if (kind === 'begin') return { kind, file };
  return figures ? { kind: 'end', file, figures: JSON.parse(figures) as GroupFigures } : null;
}

/** Of the comment with which tap ends the output of a process. */
export function readSummary(line: string): Omit<Figures, 'ms'> | null {
  const match = SUMMARY.exec(line);
  if (!match) return null;
  const [, assertions = 0, passed = 0, failed = 0, todo = 0, skipped = 0] = Array.from(match, (n) => Number(n ?? 0));
  return { assertions, passed, failed, skipped: skipped + todo };
}

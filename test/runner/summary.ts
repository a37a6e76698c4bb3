// What a run says: each file as it ends, the slowest, what failed, and last the count of assertions.
import type { FileResult } from './job.js';

const SLOWEST = 20;

export class Summary {
  #results: FileResult[] = [];
  readonly #recovered: string[] = [];

  constructor(private readonly print: (line: string) => void) {}

  add(result: FileResult): void {
    this.#results.push(result);
    for (const line of result.lines) this.print(`    ${line}`);
    const reason = result.reason === null ? '' : `: ${result.reason}`;
    this.print(
      `${result.isOk ? 'ok' : 'FAILED'} ${this.#results.length} - ${result.file} # ${seconds(result)}, ${result.assertions} assertions${reason}`,
    );
  }

  get failed(): readonly string[] {
    return this.#results.filter(({ isOk }) => !isOk).map(({ file }) => file);
  }

  /** Takes the place of what came of the file before, when it failed beside others. */
  again(result: FileResult): void {
    this.#results = this.#results.filter(({ file }) => file !== result.file);
    if (result.isOk) this.#recovered.push(result.file);
    this.add(result);
  }

  /** @returns whether everything passed, and there was something */
  finish(elapsedMs: number): boolean {
    const slowest = this.#results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
    if (slowest.length > 1) this.print(`\nThe slowest ${slowest.length} of ${this.#results.length} files:`);
    if (slowest.length > 1) for (const result of slowest) this.print(`${seconds(result).padStart(9)}  ${result.file}`);

    const failed = this.#results.filter(({ isOk }) => !isOk);
    if (failed.length > 0) this.print('\nFailed:');
    for (const { file, reason } of failed) this.print(`  ${file}${reason === null ? '' : `: ${reason}`}`);

    if (this.#recovered.length > 0) this.print('\nFailed beside others and passed alone, which is to be mended:');
    for (const file of this.#recovered) this.print(`  ${file}`);

    const sum = (of: (result: FileResult) => number): number =>
      this.#results.reduce((total, result) => total + of(result), 0);
    const assertions = sum((result) => result.assertions);
    this.print(`\n${assertions} assertions in ${this.#results.length} files, ${Math.round(elapsedMs / 1_000)} s`);
    // A file that hung or died has failed even when each of its assertions until then had passed.
    const failures = sum((result) => Math.max(result.failed, result.isOk ? 0 : 1));
    this.print(`${sum(({ passed }) => passed)} passed, ${failures} failed, ${sum(({ skipped }) => skipped)} skipped`);
    return failed.length === 0 && assertions > 0;
  }
}

function seconds({ ms }: FileResult): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

// Differences between a real program and Swarmd that are meant, each with its reason. What is not listed fails, and so
// does what is listed and is none.

export interface Difference {
  /** Which requests, by name; all of them without it. */
  readonly of?: RegExp;
  /** The line, which the one has and the other has not. */
  readonly line: RegExp;
  readonly only: 'real' | 'swarmd';
  readonly because: string;
}

export class Differences {
  readonly #seen = new Set<Difference>();

  constructor(private readonly listed: readonly Difference[]) {}

  /** What is not listed of the differences of two answers to a request. */
  unlisted(request: string, real: readonly string[], swarmd: readonly string[]): string[] {
    const missing = real.filter((line) => !swarmd.includes(line));
    const added = swarmd.filter((line) => !real.includes(line));
    return [
      ...missing.filter((line) => !this.#isListed(request, line, 'real')).map((line) => `only real: ${line}`),
      ...added.filter((line) => !this.#isListed(request, line, 'swarmd')).map((line) => `only Swarmd: ${line}`),
    ];
  }

  /** Both answers without the lines that are listed as differences: what is left is the same, in the same order. */
  withoutListed(request: string, real: readonly string[], swarmd: readonly string[]) {
    return {
      real: real.filter((line) => swarmd.includes(line) || !this.#isListed(request, line, 'real')),
      swarmd: swarmd.filter((line) => real.includes(line) || !this.#isListed(request, line, 'swarmd')),
    };
  }

  /** What is listed and has not been seen. */
  unseen(): string[] {
    return this.listed
      .filter((one) => !this.#seen.has(one))
      .map(({ of, line, only }) => `${of?.source ?? 'any'}: only ${only}: ${line.source}`);
  }

  #isListed(request: string, line: string, only: Difference['only']): boolean {
    const found = this.listed.find(
      (one) => one.only === only && (one.of?.test(request) ?? true) && one.line.test(line),
    );
    if (found) this.#seen.add(found);
    return found !== undefined;
  }
}

// How many of a suite's simulations are run: some with every change, all of them with `npm run simulate`.
const SHARE = process.env['SWARMD_SIMULATIONS'] === 'all' ? 1 : 0.4;

/** Of `all`. */
export function simulations(all: number): number {
  return Math.ceil(all * SHARE);
}

// The same calls of one client to a real program and to Swarmd: what it is told, or how it is refused, is the same, but
// for differences that are listed with their reason. One that is listed and gone fails as well.
import type { Test } from 'tap';
import { waitUntil } from '../peers/wait-until.js';
import type { Client } from './clients.js';
import type { Samples } from './samples.js';
import type { Target } from './target.js';

const SETTLED_MS = 10_000;

export interface Side {
  readonly client: Client;
  readonly target: Target;
  readonly samples: Samples;
}

export interface Step {
  readonly name: string;
  /** Returns what is compared; a rejection counts as the answer's status. */
  readonly run: (side: Side) => Promise<unknown>;
  /** Where Swarmd is to answer otherwise: what it answers, and why. */
  readonly swarmd?: { readonly told: unknown; readonly because: string };
}

/** Runs all steps in order, each on the real program first. @returns the names of the methods that were called */
export async function sideBySide(t: Test, steps: readonly Step[], real: Side, swarmd: Side): Promise<Set<string>> {
  const called = new Set<string>();
  const [first, second] = [recording(real, called), recording(swarmd, called)];
  for (const { name, run, swarmd: other } of steps) {
    await t.test(name, async (t) => {
      const [expected, got] = [await outcomeOf(first, run), await outcomeOf(second, run)];
      if (!other) return void t.same(got, expected, `as ${real.target.name} answers`);
      t.same(got, other.told, other.because);
      t.notSame(got, expected, 'a difference that is listed is one');
    });
  }
  return called;
}

/** What `look` says once it is what is waited for, or after a while what it says then. */
export async function settled<Value>(look: () => Promise<Value>, isMet: (value: Value) => boolean): Promise<Value> {
  let last: { readonly value: Value } | null = null;
  try {
    return await waitUntil('settled', SETTLED_MS, async () => {
      last = { value: await look() };
      return isMet(last.value) ? last.value : undefined;
    });
  } catch (error) {
    if (last) return (last as { readonly value: Value }).value;
    throw error;
  }
}

async function outcomeOf(side: Side, run: Step['run']): Promise<unknown> {
  try {
    return withoutPlaces((await run(side)) ?? null, side.target);
  } catch (error) {
    const { status, message } = error as { readonly status?: number; readonly message: string };
    return status === undefined ? `refused: ${message}` : `refused: ${status}`;
  }
}

/** Paths as they would be the same for both. */
function withoutPlaces(value: unknown, { savePath, url }: Target): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(text.replaceAll(savePath, '<save path>').replaceAll(url, '<url>')) as unknown;
}

function recording(side: Side, called: Set<string>): Side {
  const client = new Proxy(side.client, {
    get: (target, name: string) => {
      called.add(name);
      const method: unknown = Reflect.get(target, name);
      return typeof method === 'function' ? (method.bind(target) as unknown) : method;
    },
  });
  return { ...side, client };
}

/** The methods of a class that no step has called. */
export function uncalled(client: Client, called: ReadonlySet<string>, exempt: readonly string[]): string[] {
  const all = Object.getOwnPropertyNames(Object.getPrototypeOf(client)).filter((name) => !name.startsWith('_'));
  return all.filter((name) => name !== 'constructor' && !called.has(name) && !exempt.includes(name));
}

// The three parts of each of these fuzzers: requests of nobody, of an account that may do nothing, of those that may. The
// first two change nothing of what an administrator sees.
import fc, { type Arbitrary } from 'fast-check';
import type { Test } from 'tap';
import type { Answer } from '../../support/api-harness.js';
import { FUZZ_SEED } from '../../support/fuzzing.js';
import type { SentRequest } from '../sender.js';
import type { CallerName, FuzzScene } from './scene.js';

/** What an answer must not be; empty when all is well. */
export type Verdict = (caller: CallerName, request: SentRequest, answer: Answer) => readonly string[];

/** Of each account, how many requests it sends. */
export interface Share {
  readonly callers: readonly [CallerName, ...CallerName[]];
  readonly runs: number;
  /** Nothing of what the administrator sees may change. */
  readonly changesNothing: boolean;
}

export async function fuzz(
  t: Test,
  scene: FuzzScene,
  requests: Arbitrary<SentRequest>,
  { callers, runs, changesNothing }: Share,
  verdict: Verdict,
): Promise<void> {
  const before = await scene.state();
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(fc.constantFrom(...callers), requests, async (caller, request) => {
    const answer = await scene.send(caller, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const complaints = [...generalComplaints(answer), ...verdict(caller, request, answer), ...scene.faults()];
    if (complaints.length > 0) throw new Error(`${complaints.join('; ')}: ${answer.text.slice(0, 300)}`);
  });
  const { failed, counterexample, errorInstance, numRuns } = await fc.check(property, {
    numRuns: runs,
    seed: FUZZ_SEED,
  });
  const sent = JSON.stringify(counterexample, asText)?.slice(0, 2_000);
  t.notOk(
    failed,
    failed ? `run ${numRuns}, FUZZ_SEED=${FUZZ_SEED}: ${String(errorInstance)} ${sent}` : 'sound answers',
  );
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  t.comment(counts.join(', '));
  const after = await scene.state();
  if (changesNothing) t.equal(after, before, 'nothing has changed');
}

function generalComplaints({ status, text }: Answer): string[] {
  const complaints = status >= 500 ? [`${status}`] : [];
  // Answers that succeed may show paths.
  if (status >= 400 && /\n? +at .*:\d+:\d+|node_modules/.test(text)) complaints.push('tells of the program');
  return complaints;
}

function asText(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value;
}

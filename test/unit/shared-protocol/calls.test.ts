// Deadlines, the gauge of pending calls, and what callers get when the engine is gone. Time is the test's.
import t from 'tap';
import { CallTracker, createEngineClient, withinTime, type SendCall } from '../../../shared-protocol/calls.js';
import { COMMAND_DEADLINES_MS } from '../../../shared-protocol/commands/deadlines.js';
import { type CommandName } from '../../../shared-protocol/commands.js';
import { AppError, toErrorRecord } from '../../../shared-protocol/errors.js';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { VirtualClock } from '../../support/virtual-clock.js';

const REF = { id: parseInfoHash('ab'.repeat(20)) };
const silent: SendCall = () => new Promise(() => undefined);

function tracker(send: SendCall): { calls: CallTracker; clock: VirtualClock } {
  const clock = new VirtualClock();
  return { calls: new CallTracker(send, (delayMs, callback) => clock.after(delayMs, callback)), clock };
}

void t.test('an unanswered call rejects at its deadline, not before', async (t) => {
  for (const name of Object.keys(COMMAND_DEADLINES_MS) as CommandName[]) {
    const { calls, clock } = tracker(silent);
    let outcome: unknown = 'pending';
    // The engine never looks at it.
    void calls.call(name, REF as never).catch((error: unknown) => (outcome = error));
    await clock.advance(COMMAND_DEADLINES_MS[name] - 1);
    t.equal(outcome, 'pending', name);
    t.equal(calls.pending, 1);
    await clock.advance(1);
    t.match(outcome, { code: 'ENGINE_TIMEOUT', message: new RegExp(name) });
    t.equal(calls.pending, 0);
  }
});

void t.test('an answer ends the deadline and the gauge falls', async (t) => {
  const { calls, clock } = tracker(() => Promise.resolve({ kind: 'done', value: undefined as never }));
  const call = calls.call('pauseTorrent', REF);
  t.equal(calls.pending, 1);
  t.equal(await call, undefined);
  t.equal(calls.pending, 0);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a failure arrives as the AppError that it was', async (t) => {
  const error = toErrorRecord(new AppError('TORRENT_NOT_FOUND', 'no such torrent', { id: 'x' }));
  const { calls, clock } = tracker(() => Promise.resolve({ kind: 'failed', error }));
  const caught = await calls.call('pauseTorrent', REF).catch((thrown: unknown) => thrown);
  t.type(caught, AppError);
  t.match(caught, { code: 'TORRENT_NOT_FOUND', message: 'no such torrent', data: { id: 'x' } });
  t.equal(calls.pending, 0);
  t.equal(clock.pendingTimers, 0);
});

void t.test('what the transport itself throws is an AppError too', async (t) => {
  const { calls, clock } = tracker(() => Promise.reject(new TypeError('could not be cloned')));
  await t.rejects(calls.call('pauseTorrent', REF), { code: 'BUG', message: 'bug: could not be cloned' });
  t.equal(clock.pendingTimers, 0);
});

void t.test('when the engine is gone all pending calls reject, and every later one', async (t) => {
  let sent = 0;
  const { calls, clock } = tracker(() => {
    sent++;
    return new Promise(() => undefined);
  });
  const client = createEngineClient(calls);
  const pending = [client.health({}), client.pauseTorrent(REF), client.stop({ timeoutMs: 1 })];
  t.equal(calls.pending, 3);
  const gone = new AppError('ENGINE_EXITED', 'engine exited');
  calls.fail(gone);
  t.equal(calls.pending, 0);
  for (const call of pending)
    t.equal(
      await call.then(
        () => null,
        (reason: unknown) => reason,
      ),
      gone,
    );
  t.equal(clock.pendingTimers, 0);
  calls.fail(new AppError('ENGINE_NOT_RUNNING', 'engine: stopped'));
  await t.rejects(client.health({}), gone, 'the first reason stays');
  t.equal(sent, 3, 'nothing is sent any more');
});

void t.test("an answer that comes after the deadline is nobody's", async (t) => {
  let answer: (() => void) | undefined;
  const { calls, clock } = tracker(
    () => new Promise((resolve) => (answer = () => resolve({ kind: 'done', value: undefined as never }))),
  );
  const call = calls.call('pauseTorrent', REF);
  const rejected = t.rejects(call, { code: 'ENGINE_TIMEOUT' });
  await clock.advance(COMMAND_DEADLINES_MS.pauseTorrent);
  await rejected;
  answer?.();
  await clock.settle();
  t.equal(calls.pending, 0);
});

void t.test('the client has every command', async (t) => {
  const client = createEngineClient(tracker(silent).calls);
  t.same(Object.keys(client).sort(), Object.keys(COMMAND_DEADLINES_MS).sort());
});

void t.test('withinTime resolves with the call, however it ends', async (t) => {
  t.equal(await withinTime(60_000, Promise.resolve(1)), undefined);
  t.equal(await withinTime(60_000, Promise.reject(new Error('failed'))), undefined);
});

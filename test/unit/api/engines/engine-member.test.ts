// One of several engines: begun when it is there and whenever it has to tell all it has, and tried again where it cannot begin.
import t from 'tap';
import type { ConnectionHandlers } from '../../../../api/engine-client/stream-connection.js';
import { StreamTransport } from '../../../../api/engine-client/stream-transport.js';
import { closed, type WhyAway } from '../../../../api/engine-client/why-away.js';
import { EngineMember } from '../../../../api/engines/engine-member.js';
import type { CallOutcome } from '../../../../shared-protocol/calls.js';
import { decodeMessage } from '../../../../shared-protocol/stream/codec.js';
import { frontMessageOf, type Welcome } from '../../../../shared-protocol/stream/messages.js';
import { SILENT_LOG } from '../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../support/engine-options.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const ENGINE_ID = 'e'.repeat(32);
const LONG_MS = 60_000;
const STARTED: CallOutcome<unknown> = { kind: 'done', value: { peerPort: 51_413, torrents: 3 } };
const FENCED: CallOutcome<unknown> = {
  kind: 'failed',
  error: { code: 'ENGINE_FENCED', message: 'engine: another has its torrents' },
};

/** A member, and the other end of each of its connections, which greets at once; `start` is answered by `outcome`, if any. */
function scene() {
  const clock = new VirtualClock();
  const script: { outcome: CallOutcome<unknown> | null; starts: number; isThere: boolean } = {
    outcome: STARTED,
    starts: 0,
    isThere: true,
  };
  let runs = 0;
  let connection: ConnectionHandlers | null = null;
  const welcome = (): Welcome => {
    const epoch = `${++runs}`.padStart(32, '0');
    return { kind: 'welcome', engineId: ENGINE_ID, epoch, sequence: 0, isResumed: false, version: '1', roots: [] };
  };
  const take = (handlers: ConnectionHandlers, bytes: Uint8Array): void => {
    const message = frontMessageOf(decodeMessage(bytes));
    if (message?.kind === 'hello') handlers.onMessage(welcome());
    if (message?.kind !== 'call' || message.name !== 'start') return;
    script.starts++;
    if (script.outcome) handlers.onMessage({ kind: 'answer', id: message.id, outcome: script.outcome });
  };
  const transport = new StreamTransport({
    name: 'e',
    connect: (handlers) => {
      connection = handlers;
      const end = () => handlers.onClosed(closed(1006), false);
      queueMicrotask(() => (script.isThere ? handlers.onOpen() : end()));
      return { send: (bytes) => queueMicrotask(() => take(handlers, bytes)), refuse: end, close: end };
    },
    link: { frontId: 'f'.repeat(32), engineId: ENGINE_ID, otherNameOf: () => null, learn: () => Promise.resolve() },
    ...{ clock, random: () => 0, log: SILENT_LOG },
  });
  const member = new EngineMember({
    ...{ name: 'second', transport, clock, log: SILENT_LOG, options: () => TEST_ENGINE_OPTIONS },
    ...{ onReload: () => undefined, onAway: () => undefined, onBack: () => undefined },
  });
  const cut = (why: WhyAway = closed(1006)) => connection?.onClosed(why, false);
  return { clock, script, transport, member, cut };
}

void t.test('one that cannot begin when it is back is tried again', async (t) => {
  const { clock, script, member, cut } = scene();
  await member.begin();
  t.equal(member.awaySinceMs, null);
  script.outcome = FENCED;
  cut();
  await clock.advance(LONG_MS);
  t.match(member.whyAway, { code: 'FAILED', detail: 'engine: another has its torrents' });
  t.not(member.awaySinceMs, null);
  script.outcome = STARTED;
  await clock.advance(LONG_MS);
  t.equal(member.awaySinceMs, null);
});

void t.test('why it is away is what holds now, not what failed before', async (t) => {
  const { clock, script, member, cut } = scene();
  script.outcome = FENCED;
  await member.begin();
  t.equal(member.whyAway.code, 'FAILED');
  script.isThere = false;
  cut();
  await clock.advance(LONG_MS);
  t.match(member.whyAway, { code: 'CLOSED', words: 'engine e: closed (1006)' });
  [script.isThere, script.outcome] = [true, null];
  await clock.advance(LONG_MS);
  t.equal(member.whyAway.code, 'LOADING');
  cut();
  await clock.settle();
  t.equal(member.whyAway.code, 'CLOSED', 'nothing but the stream is to blame for the start that was not answered');
});

void t.test('one that was never reached', async (t) => {
  const { script, transport, member } = scene();
  script.isThere = false;
  t.match(member.whyAway, { code: 'NOT_REACHED', words: 'engine e: not reached yet', detail: '' });
  await transport.close();
});

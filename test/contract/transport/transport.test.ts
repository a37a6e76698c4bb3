// What every transport promises, run over each of them: in the same thread, and with a real worker between.
import t, { type Test } from 'tap';
import { createWorkerTransport } from '../../../shared-protocol/worker-transport.js';
import { COMMAND_DEADLINES_MS } from '../../../shared-protocol/commands/deadlines.js';
import { type CommandName, type CommandParams } from '../../../shared-protocol/commands.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { EngineEvent, EventName } from '../../../shared-protocol/events.js';
import { createInProcessTransport, type InProcessTransport } from '../../support/in-process-transport.js';
import type { EngineTransport } from '../../../shared-protocol/transport.js';
import { createEchoEngine, TRICKS } from '../../support/echo-engine.js';
import { Hosted, type Link } from '../../support/hosted-engine.js';
import { COMMAND_SAMPLES, EVENT_SAMPLES } from '../../support/samples.js';

const WORKER = new URL('../../support/echo-engine-worker.js', import.meta.url);

function inProcess(): EngineTransport {
  const transport: InProcessTransport = createInProcessTransport((emit) =>
    createEchoEngine(emit, { exit: (code) => transport.kill(`code ${code}`) }),
  );
  return transport;
}

/** By a stream, as to an engine of its own process, which has been started. */
function streamed(link: Link): (t: Test) => Promise<EngineTransport> {
  return async (t) => {
    const [{ params, result }] = COMMAND_SAMPLES.start;
    const { dataDir, logLevel, userAgent } = params;
    const hosted = await Hosted.start(inProcess, { link, own: { dataDir, logLevel, userAgent } });
    t.teardown(() => hosted.close());
    const front = hosted.front();
    await front.reached();
    t.strictSame(await front.client.start(params), result);
    return front;
  };
}

/** Commands that do not reach an engine of its own process as they are (test/integration/engine-process). */
const ANSWERED_BY_HOST: readonly CommandName[] = [
  ...(['start', 'stop', 'locateFolder', 'tryFolder', 'isFolder', 'volumesOf', 'listFolder'] as const),
];

interface Kind {
  readonly create: (t: Test) => Promise<EngineTransport>;
  /** It goes on without us, and is neither ended nor reaches us by shared memory. */
  readonly isOwnProcess: boolean;
}

const TRANSPORTS: Readonly<Record<string, Kind>> = {
  'in-process': { create: async () => inProcess(), isOwnProcess: false },
  worker: { create: async () => createWorkerTransport(WORKER), isOwnProcess: false },
  'Unix socket': { create: streamed('unix'), isOwnProcess: true },
  TLS: { create: streamed('tls'), isOwnProcess: true },
};

/** Threads and ports, which nothing may leave behind. */
const openHandles = (): string[] => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name));

for (const [kind, { create: createOne, isOwnProcess }] of Object.entries(TRANSPORTS)) {
  void t.test(kind, async (t) => {
    // What a test that failed leaves behind would keep the others waiting.
    const create = async (): Promise<EngineTransport> => {
      const transport = await createOne(t);
      t.teardown(() => transport.close(0));
      return transport;
    };

    void t.test('every command arrives as sent, and its answer too', async (t) => {
      const transport = await create();
      const call = async <Name extends CommandName>(name: Name): Promise<void> => {
        for (const { params, result } of COMMAND_SAMPLES[name]) {
          // The client maps each name to the call of that name.
          const send = transport.client[name] as (params: CommandParams<Name>) => Promise<unknown>;
          t.strictSame(await send(params), result, name);
        }
      };
      const left: readonly CommandName[] = isOwnProcess ? ANSWERED_BY_HOST : [];
      const names = (Object.keys(COMMAND_SAMPLES) as CommandName[]).filter((name) => !left.includes(name));
      for (const name of names) await call(name);
      t.equal(transport.pendingCalls, 0);
      await transport.close(1_000);
    });

    void t.test('every event arrives as sent, in order and before the answer', async (t) => {
      const transport = await create();
      const events: EngineEvent[] = [];
      // The figures of an engine of its own process are in a table of ours.
      const isSent = (name: EventName) => !isOwnProcess || name !== 'stats.table';
      transport.onEvent((event) => void (isSent(event.name) && events.push(event)));
      await transport.client.pauseTorrent({ id: TRICKS.emitAll });
      const sent = (Object.keys(EVENT_SAMPLES) as EventName[])
        .filter(isSent)
        .flatMap((name) => EVENT_SAMPLES[name].map((payload) => ({ name, payload })));
      t.strictSame(
        events.map(({ name }) => name),
        sent.map(({ name }) => name),
      );
      t.strictSame(events, sent);
      await transport.close(1_000);
    });

    void t.test('events come before the failure of the command that caused them', async (t) => {
      const transport = await create();
      const seen: string[] = [];
      transport.onEvent(({ name }) => void (name !== 'stats.table' && seen.push(name)));
      await transport.client
        .pauseTorrent({ id: TRICKS.emitTwiceThenFail })
        .catch((error: AppError) => seen.push(error.code));
      t.same(seen, ['torrent.removed', 'torrent.removed', 'DISK_FULL']);
      await transport.close(1_000);
    });

    void t.test('errors keep code, message and data', async (t) => {
      const transport = await create();
      const coded = await transport.client.pauseTorrent({ id: TRICKS.failCoded }).catch((error: unknown) => error);
      t.type(coded, AppError);
      t.match(coded, {
        code: 'TORRENT_NOT_FOUND',
        message: 'no such torrent',
        data: { id: TRICKS.failCoded, tries: 3, known: false, at: null },
      });
      await t.rejects(transport.client.pauseTorrent({ id: TRICKS.throwError }), {
        code: 'BUG',
        message: 'bug: out of range',
      });
      t.equal(transport.pendingCalls, 0);
      t.equal(transport.state, 'running');
      await transport.close(1_000);
    });

    void t.test('what cannot be cloned is refused as a bug, and the next call works', async (t) => {
      const transport = await create();
      const params = { maxPeersPerTorrent: 1, onDone: () => undefined };
      await t.rejects(transport.client.setPeerLimits(params), { code: 'BUG' });
      t.equal(await transport.client.setPeerLimits({ maxPeersPerTorrent: 0 }), undefined);
      await transport.close(1_000);
    });

    void t.test('a small piece of a pooled buffer arrives as that piece', async (t) => {
      const transport = await create();
      const bytes = Buffer.from('d3:');
      const source = { kind: 'metainfo', bytes } as const;
      // The echo engine answers only if the parameters are those of the sample, three bytes and not 8 KiB.
      for (const { params, result } of COMMAND_SAMPLES.addTorrent.slice(0, 1)) {
        t.same(await transport.client.addTorrent({ ...params, source }), result);
      }
      await transport.close(1_000);
    });

    if (isOwnProcess) return;

    void t.test('the stats table is shared, not copied', async (t) => {
      const transport = await create();
      let buffer: SharedArrayBuffer | null = null;
      transport.onEvent((event) => {
        if (event.name === 'stats.table') buffer = event.payload.buffer;
      });
      await transport.client.pauseTorrent({ id: TRICKS.emitAll });
      t.type(buffer, SharedArrayBuffer);
      await transport.close(1_000);
    });

    void t.test('an engine that dies rejects what is pending and whatever comes later', async (t) => {
      const transport = await create();
      const exits: AppError[] = [];
      transport.onExit((reason) => void exits.push(reason));
      const pending = transport.client.pauseTorrent({ id: TRICKS.hang });
      const rejected = t.rejects(pending, { code: 'ENGINE_EXITED' });
      t.equal(transport.pendingCalls, 1);
      await t.rejects(transport.client.pauseTorrent({ id: TRICKS.exit }), { code: 'ENGINE_EXITED', message: /3/ });
      await rejected;
      t.equal(transport.pendingCalls, 0);
      t.equal(transport.state, 'failed');
      t.same(
        exits.map(({ code }) => code),
        ['ENGINE_EXITED'],
      );
      await t.rejects(transport.client.health({}), { code: 'ENGINE_EXITED' });
      await transport.close(1_000);
      t.equal(transport.state, 'failed', 'failed is final');
      t.equal(exits.length, 1);
    });

    void t.test('close asks politely, then nothing works any more', async (t) => {
      const transport = await create();
      const messages: unknown[] = [];
      let exits = 0;
      transport.onExit(() => exits++);
      transport.onEvent((event) => {
        if (event.name === 'log') messages.push(event.payload);
      });
      // The call with the longest deadline: on a busy machine a thread takes its time to start.
      const [{ params }] = COMMAND_SAMPLES.start;
      await transport.client.start(params);
      t.equal(transport.state, 'running');
      const closing = transport.close(777);
      t.equal(transport.state, 'stopping');
      await closing;
      t.equal(transport.state, 'stopped');
      t.same(messages, [{ level: 'info', message: 'stopping', fields: { timeoutMs: 777 } }]);
      t.equal(exits, 0, 'it was asked to go');
      await t.rejects(transport.client.health({}), { code: 'ENGINE_NOT_RUNNING' });
      await transport.close(777);
    });

    void t.test('an engine that does not answer stop is ended when its time is up', async (t) => {
      const transport = await create();
      await transport.client.pauseTorrent({ id: TRICKS.deafToStop });
      const pending = t.rejects(transport.client.pauseTorrent({ id: TRICKS.hang }), { code: /^ENGINE_/ });
      const startMs = performance.now();
      await transport.close(50);
      t.ok(performance.now() - startMs < COMMAND_DEADLINES_MS.stop, 'not the deadline of `stop`');
      t.equal(transport.state, 'stopped');
      await pending;
      t.equal(transport.pendingCalls, 0);
    });

    void t.test('an engine that dies of stop has stopped', async (t) => {
      const transport = await create();
      await transport.client.pauseTorrent({ id: TRICKS.dieOfStop });
      const startMs = performance.now();
      await transport.close(60_000);
      t.ok(performance.now() - startMs < 60_000);
      t.match(transport.state, /^(stopped|failed)$/);
      t.equal(transport.pendingCalls, 0);
    });

    void t.test('no thread or port is left', async (t) => {
      // Handles close a turn after their threads.
      await new Promise((resolve) => setImmediate(resolve));
      t.same(openHandles(), []);
    });
  });
}

void t.test('a worker that does not even load fails its transport', async (t) => {
  const transport = createWorkerTransport(new URL('../../support/no-such-worker.js', import.meta.url));
  const exited = new Promise<AppError>((resolve) => transport.onExit(resolve));
  await t.rejects(transport.client.health({}), { code: 'ENGINE_EXITED', message: /no-such-worker/ });
  t.match(await exited, { code: 'ENGINE_EXITED' });
});

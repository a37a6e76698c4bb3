// When an engine that died is replaced, and when not any more. Time is virtual.
import t from 'tap';
import { EngineSupervisor } from '../../../../api/services/engine-supervisor.js';
import type { EngineOptions } from '../../../../shared-protocol/commands/engine-options.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { createInProcessTransport, type InProcessTransport } from '../../../support/in-process-transport.js';
import { SILENT_LOG } from '../../../support/api-harness.js';
import { TEST_ENGINE_OPTIONS } from '../../../support/engine-options.js';
import { MemoryEngine } from '../../../support/memory-engine.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const MINUTE_MS = 60_000;

const OPTIONS: EngineOptions = TEST_ENGINE_OPTIONS;

function start() {
  const clock = new VirtualClock();
  const engine = new MemoryEngine();
  const transports: InProcessTransport[] = [];
  const phases: string[] = [];
  const givenUp: AppError[] = [];
  const supervisor = new EngineSupervisor({
    createEngine: () => {
      const transport = createInProcessTransport(engine.handlers);
      transports.push(transport);
      return transport;
    },
    log: SILENT_LOG,
    now: () => clock.nowMs(),
    onEvent: () => undefined,
    onReload: (phase) => phases.push(phase),
    onBack: () => phases.push('back'),
    onGivenUp: (reason) => givenUp.push(reason),
  });
  const die = async () => {
    transports.at(-1)?.kill('test');
    await clock.settle();
    await clock.settle();
  };
  return { clock, engine, transports, phases, givenUp, supervisor, die };
}

void t.test('a successor loads and takes over the port that peers know', async (t) => {
  const { engine, transports, phases, supervisor, die } = start();
  t.throws(() => supervisor.client, { code: 'ENGINE_NOT_RUNNING' });
  const { peerPort } = await supervisor.start(OPTIONS);
  await die();
  t.equal(transports.length, 2);
  t.same(phases, ['begin', 'end', 'back']);
  t.equal(engine.started?.peerPort, peerPort);
  t.equal(supervisor.client, transports[1]?.client);
  await supervisor.close(0);
});

void t.test('three times in ten minutes, as long as it lasts', async (t) => {
  const { clock, givenUp, supervisor, die } = start();
  await supervisor.start(OPTIONS);
  for (let hour = 0; hour < 6; hour++) {
    for (let death = 0; death < 3; death++) await die();
    await clock.advance(10 * MINUTE_MS);
  }
  t.equal(givenUp.length, 0);
  for (let death = 0; death < 4; death++) await die();
  t.match(givenUp, [{ code: 'ENGINE_EXITED' }]);
});

void t.test('a successor that does not start counts as one that died', async (t) => {
  const { engine, transports, givenUp, supervisor, die } = start();
  await supervisor.start(OPTIONS);
  engine.startHeldBy = Promise.reject(new AppError('LISTEN_FAILED', 'port taken'));
  await die();
  await die();
  t.equal(transports.length, 4);
  t.match(givenUp, [{ code: 'ENGINE_EXITED', message: /port taken/ }]);
});

void t.test('an engine that was asked to stop is not replaced', async (t) => {
  const { transports, phases, supervisor, die } = start();
  await supervisor.start(OPTIONS);
  await supervisor.close(0);
  await die();
  t.equal(transports.length, 1);
  t.same(phases, []);
});

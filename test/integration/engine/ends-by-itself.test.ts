// The engine's thread ends by itself once it has stopped: nothing of it stays open, and nobody waits until it is ended.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as Comlink from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import t from 'tap';
import type { CallOutcome } from '../../../shared-protocol/calls.js';
import type { CommandName, CommandParams } from '../../../shared-protocol/commands.js';
import { COMMAND_SAMPLES } from '../../support/samples.js';

interface RemoteEngine {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CallOutcome<unknown>>;
}

void t.test('by itself, with code 0', async (t) => {
  const worker = new Worker(new URL('../../../engine/worker.js', import.meta.url));
  t.teardown(() => worker.terminate());
  const exited = once(worker, 'exit');
  const remote = Comlink.wrap<RemoteEngine>(nodeEndpoint(worker)) as unknown as RemoteEngine;
  const [{ params }] = COMMAND_SAMPLES.start;
  const local = { peerHosts: ['127.0.0.1'], dht: { bootstrap: [] }, lsd: false, portMapping: false };
  const network = { bind: null, proxy: null };
  const started = await remote.call('start', { ...params, ...local, network, dataDir: t.testdir(), logLevel: 'error' });
  t.equal(started.kind, 'done');
  const stopped = await remote.call('stop', { timeoutMs: 1_000 });
  t.equal(stopped.kind, 'done', 'its answer comes before it ends');
  t.strictSame(await exited, [0]);
});

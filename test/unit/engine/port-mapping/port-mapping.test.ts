import t from 'tap';
import {
  createPortMapping,
  type PortMapping,
  type PortMappingOptions,
} from '../../../../engine/port-mapping/port-mapping.js';
import { MINUTE_MS, SECOND_MS } from '../../../../engine/environment.js';
import { mapped, refused, ScriptedGatewayCalls } from '../../../support/scripted-gateway-calls.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

class World {
  readonly clock = new VirtualClock();
  readonly calls = new ScriptedGatewayCalls();
  readonly logs: string[] = [];
  readonly mapping: PortMapping;

  constructor(options: PortMappingOptions = {}) {
    const note = (message: string, fields: object = {}): void => {
      this.logs.push([message, 'remark' in fields ? fields.remark : ''].join(' ').trim());
    };
    const log = { debug: () => undefined, info: note, warn: note, error: note };
    this.mapping = createPortMapping({ clock: this.clock, log, createClient: () => this.calls }, options);
  }
}

void t.test('mapped, and renewed at half the lease', async (t) => {
  const { clock, calls, mapping } = new World();
  t.equal(mapping.state, 'off');
  mapping.start(6881);
  t.equal(mapping.state, 'searching');
  t.same(calls.lastMap.request, { port: 6881, protocols: ['TCP'], leaseSec: 3600 });
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(mapping.state, 'mapped');
  t.equal(mapping.externalAddress, '11.22.33.44');
  await clock.advance(30 * MINUTE_MS - 1);
  t.equal(calls.maps.length, 1);
  await clock.advance(1);
  t.equal(calls.maps.length, 2);
  calls.lastMap.settle(mapped());
  await clock.advance(30 * MINUTE_MS);
  t.equal(calls.maps.length, 3);
  t.match(mapping.counters, { attempts: 3, successes: 2, timeouts: 0, oddAnswers: 0 });
});

void t.test('both protocols when told', async (t) => {
  const { calls, mapping } = new World({ protocols: ['TCP', 'UDP'] });
  mapping.start(1);
  t.same(calls.lastMap.request.protocols, ['TCP', 'UDP']);
});

void t.test('a shorter lease is renewed sooner, but not every second', async (t) => {
  for (const [leaseSec, waitMs] of [
    [600, 5 * MINUTE_MS],
    [2, MINUTE_MS],
    [4_000_000_000, 30 * MINUTE_MS],
  ] as const) {
    const { clock, calls, mapping } = new World();
    mapping.start(6881);
    calls.lastMap.settle(mapped(leaseSec));
    await clock.advance(waitMs - 1);
    t.equal(calls.maps.length, 1, `${leaseSec} s`);
    await clock.advance(1);
    t.equal(calls.maps.length, 2, `${leaseSec} s`);
  }
});

void t.test('after failures it waits 1, 2, 4, ... up to 30 minutes; the first is logged', async (t) => {
  const { clock, calls, mapping, logs } = new World();
  mapping.start(6881);
  const waits: number[] = [];
  for (let i = 0; i < 8; i++) {
    const failedMs = clock.nowMs();
    calls.lastMap.settle(refused());
    await clock.settle();
    t.equal(mapping.state, 'failed');
    while (calls.maps.length === i + 1) await clock.advance(SECOND_MS);
    waits.push((clock.nowMs() - failedMs) / MINUTE_MS);
  }
  t.same(waits, [1, 2, 4, 8, 16, 30, 30, 30]);
  t.same(logs, ['gateway: peer port not mapped']);
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(mapping.state, 'mapped');
  await clock.advance(30 * MINUTE_MS);
  calls.lastMap.settle(refused());
  await clock.settle();
  const { length } = calls.maps;
  await clock.advance(MINUTE_MS);
  t.equal(calls.maps.length, length + 1, 'a success sets the wait back');
});

void t.test('mapped until the lease ends, whatever renewals do', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  calls.lastMap.settle(mapped());
  await clock.advance(30 * MINUTE_MS);
  calls.lastMap.settle(refused());
  await clock.advance(MINUTE_MS);
  calls.lastMap.settle(refused());
  await clock.settle();
  t.equal(mapping.state, 'mapped');
  await clock.advance(29 * MINUTE_MS);
  t.equal(mapping.state, 'failed');
  t.equal(mapping.externalAddress, null);
});

void t.test('a call that never ends is ended', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  await clock.advance(20 * SECOND_MS);
  t.equal(calls.aborts, 1);
  t.equal(mapping.state, 'failed');
  t.equal(mapping.counters.timeouts, 1);
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(mapping.state, 'failed', 'what it says later does not count');
  await clock.advance(MINUTE_MS);
  t.equal(calls.maps.length, 2);
});

void t.test('clients that throw and reject', async (t) => {
  const { clock, calls, mapping } = new World();
  calls.failure = new Error('no thread');
  mapping.start(6881);
  await clock.settle();
  t.equal(mapping.state, 'failed');
  calls.failure = null;
  await clock.advance(MINUTE_MS);
  calls.lastMap.reject(new Error('no'));
  await clock.settle();
  t.equal(mapping.state, 'failed');
  await clock.advance(2 * MINUTE_MS);
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(mapping.state, 'mapped');
});

void t.test('what is odd about a gateway is logged once and counted each time', async (t) => {
  const { clock, calls, mapping, logs } = new World();
  mapping.start(6881);
  calls.lastMap.settle(refused('other-port', 'other-owner'));
  await clock.advance(MINUTE_MS);
  calls.lastMap.settle(refused('other-port'));
  await clock.advance(2 * MINUTE_MS);
  calls.lastMap.settle(mapped(3600, 'private-address'));
  await clock.settle();
  t.equal(mapping.counters.oddAnswers, 3);
  t.same(logs, [
    'gateway: odd other-port',
    'gateway: odd other-owner',
    'gateway: peer port not mapped',
    'gateway: odd private-address',
    'gateway: peer port mapped',
  ]);
});

void t.test('another port takes the place of the first, which is given back', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  mapping.start(6881);
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(calls.maps.length, 1);
  mapping.start(6882);
  t.equal(mapping.state, 'searching');
  t.equal(mapping.externalAddress, null);
  t.same(calls.unmaps.at(-1)?.removal, { port: 6881, protocols: ['TCP'], technique: 'upnp' });
  calls.unmaps.at(-1)?.settle(true);
  await clock.settle();
  t.equal(calls.lastMap.request.port, 6882);
  calls.lastMap.settle(mapped());
  await clock.settle();
  t.equal(mapping.state, 'mapped');
});

void t.test('another port while the first is being mapped', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  mapping.start(6882);
  t.equal(calls.maps.length, 1);
  calls.lastMap.settle(mapped());
  await clock.advance(0);
  t.equal(mapping.state, 'searching');
  t.equal(calls.unmaps.at(-1)?.removal.port, 6881);
  await clock.advance(20 * SECOND_MS);
  t.equal(calls.lastMap.request.port, 6882, 'also when the first cannot be given back');
});

void t.test('ports that are none', async (t) => {
  const { calls, mapping } = new World();
  for (const port of [0, -1, 65_536, 1.5, Number.NaN]) mapping.start(port);
  t.equal(mapping.state, 'off');
  t.equal(calls.maps.length, 0);
});

void t.test('closing gives the mapping back, in its time', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  calls.lastMap.settle(mapped());
  await clock.settle();
  let isClosed = false;
  const closing = mapping.close(3 * SECOND_MS).then(() => (isClosed = true));
  t.equal(mapping.state, 'off');
  t.same(
    calls.unmaps.map(({ removal }) => removal.port),
    [6881],
  );
  await clock.advance(3 * SECOND_MS - 1);
  t.notOk(isClosed);
  await clock.advance(1);
  t.ok(isClosed, 'the gateway had its time');
  await closing;
  await mapping.close(SECOND_MS);
  mapping.start(6882);
  await clock.advance(60 * MINUTE_MS);
  t.equal(calls.maps.length, 1);
  t.equal(clock.pendingTimers, 0);
});

void t.test('closing as soon as the gateway confirms', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  calls.lastMap.settle(mapped());
  await clock.settle();
  const closing = mapping.close(3 * SECOND_MS);
  calls.unmaps[0]?.settle(true);
  await closing;
  t.equal(clock.pendingTimers, 0);
});

void t.test('closing while searching, and before', async (t) => {
  const { clock, calls, mapping } = new World();
  mapping.start(6881);
  await mapping.close(SECOND_MS);
  t.equal(calls.aborts, 1);
  t.equal(calls.unmaps.length, 0);
  calls.lastMap.settle(mapped());
  await clock.advance(60 * MINUTE_MS);
  t.equal(mapping.state, 'off');
  t.equal(calls.maps.length, 1);
  t.equal(clock.pendingTimers, 0);
  await new World().mapping.close(0);
});

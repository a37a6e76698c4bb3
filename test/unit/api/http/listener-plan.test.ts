// Where to listen, as tables.
import t from 'tap';
import type { ListenAddress } from '../../../../api/http/server.js';
import { firstAddress, planMove, type MovePlan, type ListenSettings } from '../../../../api/http/listener-plan.js';

const STORED: ListenSettings = { enabled: true, port: 9480, bind_all: false };
const ALL: ListenSettings = { ...STORED, bind_all: true };
const HERE: ListenAddress = { host: '127.0.0.1', port: 9480 };

void t.test('the first address of a run: flags, else what is stored', async (t) => {
  const none = { host: null, port: null };
  t.same(firstAddress(none, STORED), HERE);
  t.same(firstAddress(none, ALL), { host: null, port: 9480 });
  t.same(firstAddress({ ...none, port: 0 }, ALL), { host: null, port: 0 });
  t.same(firstAddress({ ...none, host: '10.0.0.1' }, ALL), { host: '10.0.0.1', port: 9480 });
});

interface Case {
  readonly name: string;
  readonly current?: ListenAddress | null;
  readonly before?: ListenSettings;
  readonly after: ListenSettings;
  readonly mayStop?: boolean;
  readonly expected: MovePlan;
}

const cases: Case[] = [
  { name: 'nothing changed', after: STORED, expected: { kind: 'stay' } },
  {
    name: 'another port',
    after: { ...STORED, port: 9000 },
    expected: { kind: 'open-first', address: { host: '127.0.0.1', port: 9000 } },
  },
  {
    name: 'another port and all interfaces',
    after: { ...ALL, port: 9000 },
    expected: { kind: 'open-first', address: { host: null, port: 9000 } },
  },
  {
    name: 'any port',
    after: { ...STORED, port: 0 },
    expected: { kind: 'open-first', address: { host: '127.0.0.1', port: 0 } },
  },
  { name: 'all interfaces', after: ALL, expected: { kind: 'close-first', address: { host: null, port: 9480 } } },
  {
    name: 'no more all interfaces',
    current: { host: null, port: 9480 },
    before: ALL,
    after: STORED,
    expected: { kind: 'close-first', address: HERE },
  },
  {
    name: 'another port keeps the address of a flag',
    current: { host: '10.0.0.1', port: 9480 },
    after: { ...STORED, port: 9000 },
    expected: { kind: 'open-first', address: { host: '10.0.0.1', port: 9000 } },
  },
  {
    name: 'all interfaces keep the port of a flag',
    current: { host: '127.0.0.1', port: 81 },
    after: ALL,
    expected: { kind: 'close-first', address: { host: null, port: 81 } },
  },
  {
    name: 'the port that a flag had given already',
    current: { host: '127.0.0.1', port: 81 },
    after: { ...STORED, port: 81 },
    expected: { kind: 'stay' },
  },
  {
    name: 'all interfaces, as a flag had it already',
    current: { host: '0.0.0.0', port: 9480 },
    after: ALL,
    expected: { kind: 'stay' },
  },
  { name: 'the daemon stays when it is disabled', after: { ...STORED, enabled: false }, expected: { kind: 'stay' } },
  {
    name: 'the disabled daemon moves all the same',
    after: { ...STORED, port: 9000, enabled: false },
    expected: { kind: 'open-first', address: { host: '127.0.0.1', port: 9000 } },
  },
  {
    name: 'the desktop stops',
    after: { ...STORED, port: 9000, enabled: false },
    mayStop: true,
    expected: { kind: 'stop' },
  },
  {
    name: 'the desktop that was started disabled is not stopped by another setting',
    before: { ...STORED, enabled: false },
    after: { ...STORED, enabled: false },
    mayStop: true,
    expected: { kind: 'stay' },
  },
  {
    name: 'the desktop starts again',
    current: null,
    before: { ...STORED, enabled: false },
    after: ALL,
    mayStop: true,
    expected: { kind: 'open-first', address: { host: null, port: 9480 } },
  },
  {
    name: 'what is stopped stays so',
    current: null,
    before: { ...STORED, enabled: false },
    after: { ...ALL, enabled: false },
    mayStop: true,
    expected: { kind: 'stay' },
  },
];
for (const { name, current = HERE, before = STORED, after, mayStop = false, expected } of cases) {
  void t.test(name, async (t) => t.same(planMove(current, before, after, mayStop), expected));
}

// The engine's log: lines that the process would drop do not travel.
import t from 'tap';
import { EventLog } from '../../../engine/event-log.js';
import type { LogLevel } from '../../../shared-protocol/commands/engine-options.js';

void t.test('lines of the level and above travel, with their fields', async (t) => {
  const cases: readonly (readonly [LogLevel | null, string])[] = [
    [null, 'debug info warn error'],
    ['trace', 'debug info warn error'],
    ['debug', 'debug info warn error'],
    ['info', 'info warn error'],
    ['warn', 'warn error'],
    ['error', 'error'],
    ['silent', ''],
  ];
  for (const [level, expected] of cases) {
    const told: string[] = [];
    const log = new EventLog((event) => {
      t.match(event, { name: 'log', payload: { message: 'said', fields: { id: 'x' } } });
      if (event.name === 'log') told.push(event.payload.level);
    });
    if (level !== null) log.setLevel(level);
    for (const each of ['debug', 'info', 'warn', 'error'] as const) log[each]('said', { id: 'x' });
    t.equal(told.join(' '), expected, level ?? 'before it is told');
  }
});

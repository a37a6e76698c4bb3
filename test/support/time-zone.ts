// The time zone of this process, as that of the machine.
import type { Test } from 'tap';

/** Until the end of the test. `name`: as in `Europe/Berlin`. */
export function inZone(t: Test, name: string): void {
  const before = process.env['TZ'];
  t.teardown(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });
  process.env['TZ'] = name;
}

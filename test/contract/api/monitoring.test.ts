// The dashboard and the alert rules name figures that there are.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../../support/daemon.js';

t.setTimeout(60_000);

void t.test('each figure of the dashboard and of the rules is one of /metrics', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const metrics = (await daemon.download('/metrics')).bytes.toString('utf8');
  const there = new Set([...metrics.matchAll(/^# TYPE (swarmd_\w+)/gm)].map(([, name]) => name!));
  for (const file of ['grafana.json', 'alerts.yml']) {
    const text = readFileSync(join('packaging', 'monitoring', file), 'utf8');
    const named = new Set([...text.matchAll(/\bswarmd_\w+/g)].map(([name]) => name));
    t.ok(named.size > 2, file);
    for (const name of named) t.ok(there.has(name), `${file}: ${name}`);
  }
  const { panels } = JSON.parse(readFileSync(join('packaging', 'monitoring', 'grafana.json'), 'utf8')) as {
    panels: unknown[];
  };
  t.ok(panels.length > 4);
});

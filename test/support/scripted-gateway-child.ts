// The scripted gateway as a program for a namespace of its own. A line of JSON in is the next script, `reboot` forgets the
// mappings; a line of JSON comes out for each event.
import { createInterface } from 'node:readline';
import { startScriptedGateway } from './scripted-gateway.js';

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const gateway = await startScriptedGateway(process.argv[2] ?? '127.0.0.1', print);
const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  if (line === 'reboot') gateway.reboot();
  else gateway.play(JSON.parse(line));
  print({ event: 'ready' });
});
input.on('close', () => void gateway.close());
print({ event: 'ready' });

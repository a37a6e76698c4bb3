// A client of the push channel that looks into what comes, in a process of its own: how old the numbers are that it is shown, by the
// time that is among them (fleet-node.ts). Arguments: the URL of the service and the cookie of a session. Reports `connected`, and
// whenever it is asked to by a line the `ages` of what came since, in milliseconds, as JSON.
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { endWithParent, reportEvent } from './load-job.js';

const [origin = '', cookie = ''] = process.argv.slice(2);
/** What is larger is no number of bytes here. */
const FIRST_TIME_MS = Date.UTC(2020);
/** The first message is the whole list. */
const MAX_MESSAGE_BYTES = 2 ** 30;
let ages: number[] = [];

endWithParent();
const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/ws?frames=delta`, {
  headers: { cookie, origin },
  maxPayload: MAX_MESSAGE_BYTES,
});
socket.on('open', () => reportEvent('connected', {}));
socket.on('error', ({ message }) => reportEvent('error', { message }));
socket.on('message', (data: Buffer) => {
  const now = Date.now();
  const message = JSON.parse(data.toString()) as { type: string; payload: { upsert?: { total_down?: number }[] } };
  if (message.type !== 'torrents:delta') return;
  for (const { total_down = 0 } of message.payload.upsert ?? [])
    if (total_down > FIRST_TIME_MS) ages.push(now - total_down);
});
createInterface({ input: process.stdin }).on('line', () => {
  reportEvent('ages', { message: JSON.stringify(ages) });
  ages = [];
});

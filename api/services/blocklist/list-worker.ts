// Entry of the thread that reads one list and is then ended: wiring only.
import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { connectionFailed } from '../../egress/failure.js';
import { RequestError } from '../../errors.js';
import { readList } from './list-reader.js';
import type { ListReply } from './list-thread.js';

const port = parentPort;
if (!port) throw new Error('bug: lists are read in a worker thread');
const reply = (message: ListReply): void => port.postMessage(message);
reply({ kind: 'loaded' });

async function* received(): AsyncGenerator<Uint8Array> {
  for await (const [message] of on(parentPort!, 'message')) {
    // What this file's only starter, list-thread.ts, sends.
    const chunk = message as Uint8Array | null;
    if (chunk === null) return;
    yield chunk;
    reply({ kind: 'taken' });
  }
}

try {
  reply({ kind: 'done', list: await readList(received()) });
} catch (thrown) {
  const { message } = thrown instanceof RequestError ? thrown : connectionFailed(thrown);
  reply({ kind: 'failed', reason: message });
}

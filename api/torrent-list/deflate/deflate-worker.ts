// Entry of the thread that deflates: each part by itself, so that any of them can stand beside any other. Wiring only.
import { parentPort } from 'node:worker_threads';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { DeflateJob, DeflateReply } from './deflate-thread.js';

const port = parentPort;
if (!port) throw new Error('bug: parts are deflated in a worker thread');

/** The fastest: names and keys repeat, so it already saves nine tenths. Ends on a byte, and is followed by more. */
const OPTIONS = { level: 1, finishFlush: constants.Z_SYNC_FLUSH };

port.on('message', ({ input, output, lengths }: DeflateJob) => {
  const into = new Uint8Array(output);
  const reply: DeflateReply = { lengths: [], checksums: [] };
  let [at, to] = [0, 0];
  for (const length of lengths) {
    const part = new Uint8Array(input, at, length);
    const deflated = deflateRawSync(part, OPTIONS);
    into.set(deflated, to);
    reply.lengths.push(deflated.length);
    reply.checksums.push(crc32(part));
    at += length;
    to += deflated.length;
  }
  port.postMessage(reply);
});

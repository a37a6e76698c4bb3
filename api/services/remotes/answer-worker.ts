// The thread that understands long answers of remotes, one after the other.
import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AnswerCall, AnswerText } from './answer-thread.js';
import { understoodText } from './long-answers.js';

if (!parentPort) throw new AppError('BUG', 'bug: answer-worker.js is a thread');
const port = parentPort;
port.on('message', ({ name, bytes }: AnswerCall) => {
  const text: AnswerText = understoodText(bytes, name);
  port.postMessage(text, text ? [text.buffer as ArrayBuffer] : []);
});

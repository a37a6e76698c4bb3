// Reaches into a worker thread of a Node program that was started with `--inspect`, as a debugger does: a thread cannot
// be killed from outside, and the program should not hold a way to die for tests.
import { WebSocket } from 'ws';
import { waitUntil } from './peers/wait-until.js';

/** For the environment of the program. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const ATTACH_MS = 20_000;

interface Message {
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly workerInfo?: { readonly title?: string } };
}

/** Runs an expression in the thread of this name, without waiting for what comes of it. */
export async function evaluateInThread(stderr: () => string, thread: string, expression: string): Promise<void> {
  const [, url = ''] = await waitUntil('the inspector', ATTACH_MS, () => LISTENING.exec(stderr()) ?? undefined);
  const socket = new WebSocket(url);
  const sessions: string[] = [];
  socket.on('message', (data: Buffer) => {
    const { method, params } = JSON.parse(data.toString()) as Message;
    if (method !== 'NodeWorker.attachedToWorker' || params?.sessionId === undefined) return;
    if (params.workerInfo?.title?.includes(thread)) sessions.push(params.sessionId);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const send = (id: number, method: string, params: object) => socket.send(JSON.stringify({ id, method, params }));
  try {
    send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    const sessionId = await waitUntil(`the thread ${thread}`, ATTACH_MS, () => sessions.at(-1));
    const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
    send(2, 'NodeWorker.sendMessageToWorker', { sessionId, message });
    await new Promise((resolve) => socket.once('message', resolve));
  } finally {
    socket.close();
  }
}

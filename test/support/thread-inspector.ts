// Reaches into the threads of a Node program that was started with `--inspect`, as a debugger does: a thread cannot be
// killed from outside, nor told to collect its garbage, and the program should not hold a way to do so for tests.
import { WebSocket } from 'ws';
import { waitUntil } from './peers/wait-until.js';

/** For the environment of the program. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

const LISTENING = /Debugger listening on (ws:\/\/\S+)/;
const ATTACH_MS = 20_000;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly workerInfo?: { readonly title?: string };
    /** What the worker sent. */
    readonly message?: string;
  };
}

/** Runs an expression in the thread of this name, without waiting for what comes of it. */
export async function evaluateInThread(stderr: () => string, thread: string, expression: string): Promise<void> {
  const inspector = await Inspector.attach(stderr);
  try {
    await inspector.tell(await inspector.worker(thread), 'Runtime.evaluate', { expression });
  } finally {
    inspector.close();
  }
}

/** Of the main thread and the thread of this name: what is in use afterwards is what they hold. */
export async function collectGarbage(stderr: () => string, thread: string): Promise<void> {
  const inspector = await Inspector.attach(stderr);
  try {
    await inspector.ask('HeapProfiler.collectGarbage');
    await inspector.askWorker(await inspector.worker(thread), 'HeapProfiler.collectGarbage');
  } finally {
    inspector.close();
  }
}

class Inspector {
  #lastId = 0;
  /** The last session of each worker, by its title. */
  readonly #workers = new Map<string, string>();
  readonly #answered = new Set<string>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as Message));
  }

  static async attach(stderr: () => string): Promise<Inspector> {
    const [, url = ''] = await waitUntil('the inspector', ATTACH_MS, () => LISTENING.exec(stderr()) ?? undefined);
    const socket = new WebSocket(url);
    const inspector = new Inspector(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    inspector.#send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return inspector;
  }

  worker(name: string): Promise<string> {
    const find = (): string | undefined => [...this.#workers].findLast(([title]) => title.includes(name))?.[1];
    return waitUntil(`the thread ${name}`, ATTACH_MS, find);
  }

  /** Of the main thread, and waits for the answer. */
  async ask(method: string): Promise<void> {
    const id = this.#send(method, {});
    await waitUntil(method, ATTACH_MS, () => this.#answered.has(`main ${id}`) || undefined);
  }

  async askWorker(session: string, method: string): Promise<void> {
    const id = await this.tell(session, method, {});
    await waitUntil(method, ATTACH_MS, () => this.#answered.has(`${session} ${id}`) || undefined);
  }

  /** Resolves to the message's id, which the answer will bear, when it is on its way. */
  async tell(sessionId: string, method: string, params: object): Promise<number> {
    const id = ++this.#lastId;
    const message = JSON.stringify({ id, method, params });
    const sent = this.#send('NodeWorker.sendMessageToWorker', { sessionId, message });
    await waitUntil(method, ATTACH_MS, () => this.#answered.has(`main ${sent}`) || undefined);
    return id;
  }

  close(): void {
    this.socket.close();
  }

  #send(method: string, params: object): number {
    const id = ++this.#lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  #onMessage({ id, method, params }: Message): void {
    if (id !== undefined) this.#answered.add(`main ${id}`);
    const { sessionId, workerInfo, message } = params ?? {};
    if (sessionId === undefined) return;
    if (method === 'NodeWorker.attachedToWorker') this.#workers.set(`${workerInfo?.title} ${sessionId}`, sessionId);
    if (method !== 'NodeWorker.receivedMessageFromWorker' || message === undefined) return;
    const answer = JSON.parse(message) as Message;
    if (answer.id !== undefined) this.#answered.add(`${sessionId} ${answer.id}`);
  }
}

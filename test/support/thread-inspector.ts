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
  readonly result?: {
    readonly result?: { readonly value?: unknown };
    readonly exceptionDetails?: { readonly text?: string };
  };
}

/** Runs an expression in the thread of this name, without waiting for what comes of it. */
export async function evaluateInThread(stderr: () => string, thread: string, expression: string): Promise<void> {
  const inspector = await ThreadInspector.attach(stderr);
  try {
    await inspector.tell(await inspector.worker(thread), 'Runtime.evaluate', { expression });
  } finally {
    inspector.close();
  }
}

/** Of the main thread and the thread of this name: what is in use afterwards is what they hold. */
export async function collectGarbage(stderr: () => string, thread: string): Promise<void> {
  const inspector = await ThreadInspector.attach(stderr);
  try {
    for (const each of [MAIN_THREAD, thread]) await inspector.ask(each, 'HeapProfiler.collectGarbage');
  } finally {
    inspector.close();
  }
}

export const MAIN_THREAD = 'main';

export class ThreadInspector {
  #lastId = 0;
  /** The last session of each worker, by its title. */
  readonly #workers = new Map<string, string>();
  /** Answers that nobody has taken yet, by who gave them and to what. */
  readonly #answers = new Map<string, Message>();

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as Message));
  }

  static async attach(stderr: () => string): Promise<ThreadInspector> {
    const [, url = ''] = await waitUntil('the inspector', ATTACH_MS, () => LISTENING.exec(stderr()) ?? undefined);
    const socket = new WebSocket(url);
    const inspector = new ThreadInspector(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    inspector.#send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return inspector;
  }

  worker(name: string): Promise<string> {
    const find = (): string | undefined => [...this.#workers].findLast(([title]) => title.includes(name))?.[1];
    return waitUntil(`the thread ${name}`, ATTACH_MS, find);
  }

  /** Of {@link MAIN_THREAD} or the thread of this name, and waits for the answer. */
  async ask(thread: string, method: string, params: object = {}): Promise<Message> {
    if (thread === MAIN_THREAD) return this.#answer('main', this.#send(method, params));
    const session = await this.worker(thread);
    return this.#answer(session, await this.tell(session, method, params));
  }

  /** What an expression is worth there: plain data. @throws Error with what it throws */
  async evaluate<Value>(thread: string, expression: string): Promise<Value> {
    const { result } = await this.ask(thread, 'Runtime.evaluate', { expression, returnByValue: true });
    const failure = result?.exceptionDetails;
    if (!result || failure) throw new Error(`${thread}: ${expression}: ${failure?.text ?? 'no answer'}`);
    // The caller knows what it asked for.
    return result.result?.value as Value;
  }

  /** Resolves to the message's id, which the answer will bear, when it is on its way. */
  async tell(sessionId: string, method: string, params: object): Promise<number> {
    const id = ++this.#lastId;
    const message = JSON.stringify({ id, method, params });
    await this.#answer('main', this.#send('NodeWorker.sendMessageToWorker', { sessionId, message }));
    return id;
  }

  close(): void {
    this.socket.close();
  }

  async #answer(from: string, id: number): Promise<Message> {
    const key = `${from} ${id}`;
    const answer = await waitUntil(`answer ${key}`, ATTACH_MS, () => this.#answers.get(key));
    this.#answers.delete(key);
    return answer;
  }

  #send(method: string, params: object): number {
    const id = ++this.#lastId;
    this.socket.send(JSON.stringify({ id, method, params }));
    return id;
  }

  #onMessage(answer: Message): void {
    const { id, method, params } = answer;
    if (id !== undefined) this.#answers.set(`main ${id}`, answer);
    const { sessionId, workerInfo, message } = params ?? {};
    if (sessionId === undefined) return;
    if (method === 'NodeWorker.attachedToWorker') this.#workers.set(`${workerInfo?.title} ${sessionId}`, sessionId);
    if (method !== 'NodeWorker.receivedMessageFromWorker' || message === undefined) return;
    const told = JSON.parse(message) as Message;
    if (told.id !== undefined) this.#answers.set(`${sessionId} ${told.id}`, told);
  }
}

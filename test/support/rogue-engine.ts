// What listens where a front looks for an engine, and says whatever the test has it say: over a real socket, in frames of the stream.
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Test } from 'tap';
import { WebSocketServer, type WebSocket } from 'ws';
import { newStreamId } from '../../engine-process/front-listener.js';
import type { CommandName } from '../../shared-protocol/commands.js';
import { decodeMessage, encodeMessage } from '../../shared-protocol/stream/codec.js';
import { wholeFrame } from '../../shared-protocol/stream/frames.js';
import { STREAM_PROTOCOL, type Call, type Root } from '../../shared-protocol/stream/messages.js';
import { COMMAND_SAMPLES } from './samples.js';
import { temporaryDirectory } from './temporary-directory.js';

export interface RogueOptions {
  readonly engineId?: string;
  readonly roots?: readonly Root[];
  /** Said in place of the welcome that a front is owed. */
  readonly greeting?: object;
}

export class RogueEngine {
  /** Calls of fronts, in their order. */
  readonly calls: Call[] = [];
  readonly engineId: string;
  /** What calls are answered with: as an engine of ours would, but for what the test has it say. */
  readonly answers = new Map<CommandName, unknown>([
    ...Object.entries(COMMAND_SAMPLES).map(([name, [sample]]) => [name as CommandName, sample?.result] as const),
    ['start', { peerPort: 1, torrents: 0 }],
  ]);
  /** Errors that calls are answered with in place of that. */
  readonly failures = new Map<CommandName, { readonly code: string; readonly message: string }>();
  readonly #epoch = newStreamId();
  readonly #sockets = new Set<WebSocket>();
  #sequence = 0;

  private constructor(
    readonly path: string,
    private readonly options: RogueOptions,
    server: Server,
  ) {
    this.engineId = options.engineId ?? newStreamId();
    const sockets = new WebSocketServer({ server, handleProtocols: () => STREAM_PROTOCOL });
    sockets.on('connection', (socket) => this.#meet(socket));
  }

  static async start(t: Test, options: RogueOptions = {}): Promise<RogueEngine> {
    const server = createServer();
    const path = join(await temporaryDirectory(), 'socket');
    const rogue = new RogueEngine(path, options, server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    t.teardown(() => {
      for (const socket of rogue.#sockets) socket.terminate();
      server.close();
    });
    return rogue;
  }

  get isConnected(): boolean {
    return this.#sockets.size > 0;
  }

  /** Events after those before. */
  events(...events: readonly unknown[]): void {
    const first = this.#sequence + 1;
    this.#sequence += events.length;
    this.say({ kind: 'events', first, events });
  }

  say(message: object): void {
    this.frame(wholeFrame(encodeMessage(message)));
  }

  frame(bytes: Uint8Array | string): void {
    for (const socket of this.#sockets) socket.send(bytes);
  }

  #meet(socket: WebSocket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    socket.on('message', (data: Buffer) => this.#take(decodeMessage(data.subarray(1)) as Call | { kind: 'hello' }));
  }

  #take(message: Call | { readonly kind: 'hello' }): void {
    if (message.kind === 'call') {
      this.calls.push(message);
      const error = this.failures.get(message.name);
      const outcome = error ? { kind: 'failed', error } : { kind: 'done', value: this.answers.get(message.name) };
      return this.say({ kind: 'answer', id: message.id, outcome });
    }
    const { roots = [], greeting } = this.options;
    const { engineId } = this;
    const own = { kind: 'welcome', engineId, version: '9.9.9', epoch: this.#epoch, isResumed: false, roots };
    this.say(greeting ?? { ...own, sequence: this.#sequence });
  }
}

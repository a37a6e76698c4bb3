// Bodies of requests on their way: who may send one, how many at a time, and for how long nothing may come. Owns the
// slots; reading is done by the caller that is given one. What is small enough to lie in the buffers of its connection
// needs none, so that no client keeps others from signing in.
import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../errors.js';
import { BodySlots, type SlotLimits } from './body-slots.js';
import type { Spool, SpooledBody } from './spool.js';

const SECOND_MS = 1_000;
const KIB = 1024;
/** Without a byte; no spec value. A phone in a tunnel comes back by then. */
const IDLE_MS = 30 * SECOND_MS;
/** How long a body stands in line before its sender is told to come again. */
const MAX_WAIT_MS = 30 * SECOND_MS;
/** How exact both are. */
const LOOKS_PER_LIMIT = 6;
/** Bytes that Node reads of a connection at a time, whatever is done with it. */
const SMALL_BODY_BYTES = 64 * KIB;

/** 10 MiB each, mostly on disk. A browser sends four at a time, a script more: they stand in line. */
const UPLOADS: SlotLimits = { total: 8, perSource: 2, waiting: 256, waitingPerSource: 64 };
/** 1 MiB each, in memory. */
const JSON_BODIES: SlotLimits = { total: 32, perSource: 4, waiting: 256, waitingPerSource: 64 };
/** On disk at once; another one of an account is told to come again. */
const ARCHIVES: SlotLimits = { total: 4, perSource: 1, waiting: 0, waitingPerSource: 0 };
/** Bodies of clients that have shown no credentials take nothing from those of clients that have. */
const STRANGERS_BODIES: SlotLimits = { total: 8, perSource: 2, waiting: 32, waitingPerSource: 8 };

export type BodyKind = 'upload' | 'archive' | 'json' | 'stranger';

export interface BodiesOptions {
  readonly idleMs: number;
  readonly maxWaitMs: number;
}

export class Bodies {
  readonly #slots: Readonly<Record<BodyKind, BodySlots>> = {
    upload: new BodySlots(UPLOADS),
    archive: new BodySlots(ARCHIVES),
    json: new BodySlots(JSON_BODIES),
    stranger: new BodySlots(STRANGERS_BODIES),
  };

  constructor(
    private readonly spool: Spool,
    private readonly options: BodiesOptions = { idleMs: IDLE_MS, maxWaitMs: MAX_WAIT_MS },
  ) {}

  spooled(): SpooledBody {
    return this.spool.body();
  }

  /**
   * Reads the body when its turn comes. `source`: an account, or an address. The read is given up, and its outcome not
   * waited for, once nothing has come for a while.
   * @throws RequestError `TOO_MANY_BODIES`, `BODY_STALLED`, and whatever `read` throws
   */
  async receive<Result>(
    kind: BodyKind,
    source: string,
    request: IncomingMessage,
    read: () => Promise<Result>,
  ): Promise<Result> {
    if (kind !== 'upload' && kind !== 'archive' && isSmall(request)) return this.#untilIdle(request, read);
    const release = await this.#takeSlot(kind, source, request);
    try {
      return await this.#untilIdle(request, read);
    } finally {
      release();
    }
  }

  async #takeSlot(kind: BodyKind, source: string, request: IncomingMessage) {
    const gone = new AbortController();
    const giveUp = (): void => gone.abort();
    const timer = setTimeout(giveUp, this.options.maxWaitMs);
    request.once('close', giveUp);
    const release = await this.#slots[kind].take(source, gone.signal);
    clearTimeout(timer);
    request.off('close', giveUp);
    if (!release) throw new RequestError('TOO_MANY_BODIES');
    return release;
  }

  async #untilIdle<Result>(request: IncomingMessage, read: () => Promise<Result>): Promise<Result> {
    const { idleMs } = this.options;
    const { socket } = request;
    let seen = socket.bytesRead;
    let silentMs = 0;
    let timer: NodeJS.Timeout | undefined;
    const idle = new Promise<never>((_resolve, reject) => {
      const everyMs = idleMs / LOOKS_PER_LIMIT;
      timer = setInterval(() => {
        silentMs = socket.bytesRead === seen ? silentMs + everyMs : 0;
        seen = socket.bytesRead;
        if (silentMs < idleMs || request.complete) return;
        const sentence = `body: nothing came for ${Math.ceil(idleMs / SECOND_MS)} s`;
        // The answer ends the connection, and with it the read.
        reject(new RequestError('BODY_STALLED', sentence));
      }, everyMs);
    });
    try {
      return await Promise.race([read(), idle]);
    } finally {
      clearInterval(timer);
    }
  }
}

function isSmall({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= SMALL_BODY_BYTES;
}

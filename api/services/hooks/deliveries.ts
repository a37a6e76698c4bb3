// Messages of webhooks on their way. Owns: one at a time of each account, those of its webhooks in turns, so that a slow
// receiver holds up nobody but its own account; each message arrives at least once, over restarts, unless it is given up.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { abortForMany } from '../../../shared-protocol/abort-for-many.js';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import { messageOf } from '../../../shared-protocol/errors.js';
import { reasonIn } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import type { Clock, Timer } from '../../clocks.js';
import type { Log } from '../../logging.js';
import { DeliveryQueue, type Message, type Moment } from './delivery-queue.js';
import { amountOf, isRoomBeside, Backlog } from './backlog.js';
import { RequestError } from '../../errors.js';

/** A message that arrived in the meantime arrives again after a kill. */
const SAVE_AFTER_MS = 2_000;
/** All is stored at once, and by this thread: what accounts have waiting must not keep it from what else it has to do. */
const REST_FACTOR = 20;
const MAX_REST_MS = 60_000;
const MAX_TIMER_MS = 60 * 60 * 1_000;

const messageSchema = z.object({
  id: z.string(),
  webhook_id: idSchema,
  account_id: idSchema,
  text: z.string(),
  unix_ms: z.number(),
});
export const deliveriesSchema = z.object({ messages: z.array(messageSchema) });
export type DeliveriesData = z.infer<typeof deliveriesSchema>;
export const NO_DELIVERIES: DeliveriesData = { messages: [] };

export interface DeliveriesDeps {
  readonly collection: Collection<DeliveriesData>;
  /** Sends it once, unless `signal` breaks that off. @throws with a message for people */
  readonly send: (message: Message, signal: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

export class Deliveries {
  /** The one that was served last is the last. */
  readonly #queues = new Map<number, DeliveryQueue>();
  readonly #backlog = new Backlog();
  /** Accounts with an attempt under way. */
  readonly #running = new Map<number, Promise<void>>();
  #timer: Timer | null = null;
  #saveTimer: Timer | null = null;
  /** Milliseconds that the last time took. */
  #savedInMs = 0;
  #isRunning = false;
  /** Breaks off the attempts that are under way. */
  #breakOff = abortForMany();

  /** Messages that are in a queue, or were when they were stored last. */
  readonly #known = new Set<string>();

  constructor(private readonly deps: DeliveriesDeps) {
    deps.collection.onChanged(() => this.#takeIn());
  }

  start(): void {
    this.#isRunning = true;
    this.#breakOff = abortForMany();
    this.#takeIn();
    this.#pump();
  }

  /** Attempts that are under way are broken off, and made again by whoever sends next; what is left is stored. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#timer?.cancel();
    this.#saveTimer?.cancel();
    this.#breakOff.abort();
    await Promise.all(this.#running.values());
    await this.#save();
    this.#queues.clear();
    this.#backlog.clear();
    this.#known.clear();
  }

  queueOf(webhookId: number): DeliveryQueue | undefined {
    return this.#queues.get(webhookId);
  }

  add(webhook: { readonly id: number; readonly account_id: number }, text: string): void {
    const message: Message = {
      id: `msg_${randomUUID()}`,
      webhook_id: webhook.id,
      account_id: webhook.account_id,
      text,
      unix_ms: this.deps.clock.unixMs(),
    };
    if (!this.#isRunning) return void this.#leave(message);
    if (!this.#backlog.hasRoomFor(message)) return this.#openQueue(webhook.id).refuse();
    this.#keep(message);
    this.#saveSoon();
    this.#pump();
  }

  /** Sends what waits for another attempt at once. */
  hurry(webhookId: number): void {
    this.#queues.get(webhookId)?.hurry();
    this.#pump();
  }

  /** Nothing more of this webhook is sent. */
  clear(webhookId: number): void {
    const queue = this.#queues.get(webhookId);
    if (!queue) return;
    this.#count(queue, () => queue.clear());
    this.#saveSoon();
  }

  forget(webhookId: number): void {
    this.clear(webhookId);
    this.#queues.delete(webhookId);
  }

  /** For the front that sends, this one included once it does. Never rejects. */
  async #leave(message: Message): Promise<void> {
    const { collection, log } = this.deps;
    let hasRoom = true;
    await collection
      .update(({ messages }) => {
        const own = messages.filter(({ account_id }) => account_id === message.account_id);
        hasRoom = isRoomBeside(amountOf(own), message.text);
        if (hasRoom) messages.push({ ...message });
      })
      .catch((error: unknown) => log.warn('messages of webhooks not stored', { reason: String(error) }));
    if (!hasRoom) this.#openQueue(message.webhook_id).refuse();
    this.#takeIn();
  }

  /** Messages that were stored by others. */
  #takeIn(): void {
    if (!this.#isRunning) return;
    for (const message of this.deps.collection.data.messages) {
      if (!this.#known.has(message.id)) this.#keep(message);
    }
    this.#pump();
  }

  #openQueue(webhookId: number): DeliveryQueue {
    const queue = this.#queues.get(webhookId) ?? new DeliveryQueue();
    this.#queues.set(webhookId, queue);
    return queue;
  }

  #keep(message: Message): void {
    const queue = this.#openQueue(message.webhook_id);
    queue.add(message);
    this.#known.add(message.id);
    this.#backlog.add(message);
  }

  /** All messages of a queue are one account's. */
  #count(queue: DeliveryQueue, change: () => void): void {
    const { first, messages } = queue;
    change();
    if (first) this.#backlog.change(first.account_id, amountOf(messages), amountOf(queue.messages));
  }

  /** Begins what is due, one for each account, and comes back when the next is. */
  #pump(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (!this.#isRunning) return;
    const nowMs = this.deps.clock.nowMs();
    let soonestMs = Infinity;
    for (const [webhookId, queue] of [...this.#queues]) {
      const { first, nextMs } = queue;
      if (!first || nextMs === null || this.#running.has(first.account_id)) continue;
      if (nextMs > nowMs) soonestMs = Math.min(soonestMs, nextMs);
      else this.#begin(webhookId, queue, first);
    }
    if (soonestMs < Infinity) {
      this.#timer = this.deps.clock.after(Math.min(soonestMs - nowMs, MAX_TIMER_MS), () => this.#pump());
    }
  }

  #begin(webhookId: number, queue: DeliveryQueue, message: Message): void {
    const attempt = this.#attempt(queue, message).finally(() => {
      this.#running.delete(message.account_id);
      if (this.#queues.delete(webhookId)) this.#queues.set(webhookId, queue);
      this.#saveSoon();
      this.#pump();
    });
    this.#running.set(message.account_id, attempt);
  }

  /** Never rejects. */
  async #attempt(queue: DeliveryQueue, message: Message): Promise<void> {
    const { send, clock, random } = this.deps;
    const moment = (): Moment => ({ nowMs: clock.nowMs(), unixMs: clock.unixMs() });
    try {
      await send(message, this.#breakOff.signal);
      this.#count(queue, () => queue.delivered(message, moment()));
    } catch (error) {
      const failure = {
        message: messageOf(error),
        reason: error instanceof RequestError ? reasonIn(error.data) : null,
      };
      this.#count(queue, () => queue.failed(failure, moment(), random()));
    }
  }

  #saveSoon(): void {
    if (!this.#isRunning || this.#saveTimer) return;
    const restMs = Math.min(this.#savedInMs * REST_FACTOR, MAX_REST_MS);
    this.#saveTimer = this.deps.clock.after(Math.max(SAVE_AFTER_MS, restMs), () => {
      this.#saveTimer = null;
      void this.#save();
    });
  }

  /** Never rejects: they are in memory all the same, and the next change tries again. */
  async #save(): Promise<void> {
    const { collection, clock, log } = this.deps;
    const beganMs = clock.nowMs();
    const messages = [...this.#queues.values()].flatMap((queue) => queue.messages);
    const left = new Set(messages.map(({ id }) => id));
    const gone = new Set([...this.#known].filter((id) => !left.has(id)));
    try {
      await collection.update((data) => {
        const others = data.messages.filter(({ id }) => !gone.has(id) && !left.has(id));
        data.messages = [...messages.map((message) => ({ ...message })), ...others];
      });
    } catch (error) {
      return void log.warn('messages of webhooks not stored', { reason: String(error) });
    }
    this.#savedInMs = clock.nowMs() - beganMs;
    for (const id of gone) this.#known.delete(id);
    this.#takeIn();
  }
}

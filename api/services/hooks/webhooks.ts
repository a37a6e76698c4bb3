// The webhooks of accounts: which there are, whose, and what each is told. Owns: an account's webhook hears of what that
// account sees at the moment, and of nothing once the account is disabled or gone.
import { z } from 'zod';
import { idSchema, timeSchema } from '../../../shared-protocol/dto/fields.js';
import type {
  MadeWebhookDto,
  WebhookChange,
  WebhookDto,
  WebhookTestDto,
} from '../../../shared-protocol/dto/webhooks.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { HOOK_EVENTS, MAX_WEBHOOKS_PER_ACCOUNT } from '../../../shared-protocol/hook-events.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { because } from '../../../shared-protocol/reasons.js';
import type { Collection } from '../../../storage/types.js';
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Account } from '../../auth/account.js';
import type { Egress, PostOptions } from '../../egress/egress.js';
import { notFound, RequestError } from '../../errors.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import type { Deliveries } from './deliveries.js';
import type { DeliveryQueue, Message } from './delivery-queue.js';
import type { TorrentEvent } from './torrent-events.js';
import { messageText, signedHeaders, testText } from './webhook-message.js';
import { keptSecrets, newSecret, replaced, signingSecrets, storedSecretsSchema } from './webhook-secrets.js';

/** A receiver has nothing to do but to take it down. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** RFC 9110 section 15.5.11: the receiver wants no more of it. */
const GONE = 410;

const storedWebhookSchema = storedSecretsSchema.extend({
  id: idSchema,
  account_id: idSchema,
  url: z.string(),
  events: z.array(z.enum(HOOK_EVENTS)),
  enabled: z.boolean(),
  created_at: timeSchema,
  /** When its receiver answered that it is gone; 0: it did not. Absent in webhooks of before it was kept. */
  gone_at: timeSchema.default(0),
  /** Counts changes by people: whichever front sends takes each up. Absent in webhooks of before it was kept. */
  changes: z.int().default(0),
});
export const webhooksSchema = z.object({ next_id: idSchema, webhooks: z.array(storedWebhookSchema) });
export type WebhooksData = z.infer<typeof webhooksSchema>;
type StoredWebhook = WebhooksData['webhooks'][number];
export const NO_WEBHOOKS: WebhooksData = { next_id: 1, webhooks: [] };

export interface WebhooksDeps {
  readonly collection: Collection<WebhooksData>;
  readonly deliveries: Pick<Deliveries, 'add' | 'queueOf' | 'clear' | 'forget' | 'hurry'>;
  readonly egress: Pick<Egress, 'check' | 'post'>;
  readonly labels: KnownLabels;
  /** Enabled ones. */
  readonly accountOf: (id: number) => Account | undefined;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly clock: Clock;
}

export class Webhooks {
  #sorted: { readonly data: WebhooksData; readonly webhooks: ReadonlyMap<number, readonly StoredWebhook[]> } | null =
    null;
  /** Number of changes that were taken up, by webhook. */
  #takenUp: ReadonlyMap<number, number>;

  constructor(private readonly deps: WebhooksDeps) {
    this.#takenUp = this.#changes;
    deps.collection.onChanged(() => this.#takeUp());
  }

  list(accountId: AccountId): WebhookDto[] {
    return this.#all.filter(({ account_id }) => account_id === accountId).map((webhook) => this.#toDto(webhook));
  }

  /** With its secret, in clear for the only time. @throws RequestError `QUOTA_EXCEEDED`, `URL_REFUSED`; AppError `STORAGE_FAILED` */
  async create(accountId: AccountId, { url, events }: Pick<StoredWebhook, 'url' | 'events'>): Promise<MadeWebhookDto> {
    const { collection, egress, randomBytes } = this.deps;
    await egress.check(url, 'url', accountId);
    const secret = newSecret(randomBytes);
    let made: StoredWebhook | undefined;
    await collection.update((data) => {
      const own = data.webhooks.filter(({ account_id }) => account_id === accountId);
      if (own.length >= MAX_WEBHOOKS_PER_ACCOUNT) {
        throw new RequestError('QUOTA_EXCEEDED', `webhooks: at most ${MAX_WEBHOOKS_PER_ACCOUNT} of an account`, {
          of: 'webhooks',
          max: MAX_WEBHOOKS_PER_ACCOUNT,
        });
      }
      const created_at = this.#nowSeconds;
      const numbers = { id: data.next_id++, account_id: accountId, created_at, gone_at: 0, changes: 0 };
      made = { ...numbers, url, events, enabled: true, secret, secret_before: null };
      data.webhooks.push(made);
    });
    if (!made) throw new AppError('BUG', 'bug: an update resolves after it has run the change');
    return { ...this.#toDto(made), secret };
  }

  /** Makes another secret, in clear for the only time. @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async replaceSecret(accountId: AccountId, id: number): Promise<MadeWebhookDto> {
    this.#find(accountId, id);
    const secret = newSecret(this.deps.randomBytes);
    await this.#edit(id, (webhook) => ({ ...webhook, ...replaced(webhook, secret, this.#nowSeconds) }));
    return { ...this.#toDto(this.#find(accountId, id)), secret };
  }

  /** @throws RequestError `NOT_FOUND`, `URL_REFUSED`; AppError `STORAGE_FAILED` */
  async change(accountId: AccountId, id: number, change: WebhookChange): Promise<void> {
    this.#find(accountId, id);
    if (change.url !== undefined) await this.deps.egress.check(change.url, 'url', accountId);
    await this.#edit(id, (webhook) => ({
      ...webhook,
      url: change.url ?? webhook.url,
      events: change.events ?? webhook.events,
      enabled: change.enabled ?? webhook.enabled,
      // Of another URL nobody has said so, and one that is enabled begins anew.
      gone_at: change.enabled || (change.url ?? webhook.url) !== webhook.url ? 0 : webhook.gone_at,
      changes: webhook.changes + 1,
    }));
    this.#takeUp();
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async remove(accountId: AccountId, id: number): Promise<void> {
    this.#find(accountId, id);
    await this.#drop((webhook) => webhook.id === id);
  }

  /** The account is gone. */
  async forgetAccount(accountId: AccountId): Promise<void> {
    await this.#drop(({ account_id }) => account_id === accountId);
  }

  /** Sends a message of its own now, once. @throws RequestError `NOT_FOUND`, `UPSTREAM_FAILED` */
  async test(accountId: AccountId, id: number): Promise<WebhookTestDto> {
    const { clock, randomBytes } = this.deps;
    const webhook = this.#find(accountId, id);
    const message = { id: `msg_${Buffer.from(randomBytes(16)).toString('hex')}`, text: testText(clock.unixMs()) };
    const status = await this.#post(webhook, message).catch((error: unknown) => {
      // The URL was taken when it was stored: what is wrong with it now is the other side's.
      throw error instanceof RequestError ? ofWebhook(error) : error;
    });
    if (isTaken(status)) return { ok: true, status };
    throw ofWebhook(notTaken(status));
  }

  /** Tells each of them that is to hear of it and whose account sees the torrent. */
  tell(eventsFor: (account: Account) => readonly TorrentEvent[]): void {
    const { accountOf, deliveries, clock, labels } = this.deps;
    for (const [accountId, webhooks] of this.#byAccount()) {
      const account = accountOf(accountId);
      for (const event of account ? eventsFor(account) : []) {
        const listening = webhooks.filter(({ enabled, events }) => enabled && events.includes(event.event));
        if (listening.length === 0) continue;
        const text = messageText(event, clock.unixMs(), labels);
        for (const webhook of listening) deliveries.add(webhook, text);
      }
    }
  }

  /** An attempt of {@link Deliveries}. @throws with a message for people */
  async send(message: Message, signal: AbortSignal): Promise<void> {
    const webhook = this.#all.find(({ id }) => id === message.webhook_id);
    if (!webhook) return this.deps.deliveries.forget(message.webhook_id);
    if (!this.deps.accountOf(webhook.account_id)) throw new Error('its account is disabled');
    const status = await this.#post(webhook, message, { signal });
    if (isTaken(status)) return;
    if (status === GONE) await this.#switchOff(webhook.id);
    throw notTaken(status);
  }

  /** The receiver wants no more of it. */
  async #switchOff(id: number): Promise<void> {
    this.deps.deliveries.clear(id);
    const gone_at = this.#nowSeconds;
    await this.#edit(id, (stored) => ({ ...stored, enabled: false, gone_at }));
  }

  /** Returns the status, whatever it is. */
  #post(
    webhook: StoredWebhook,
    message: Pick<Message, 'id' | 'text'>,
    options: Pick<PostOptions, 'signal'> = {},
  ): Promise<number> {
    const nowSeconds = this.#nowSeconds;
    return this.deps.egress.post(webhook.url, message.text, {
      caller: webhook.account_id as AccountId,
      headers: signedHeaders(message, signingSecrets(webhook, nowSeconds), nowSeconds),
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      ...options,
    });
  }

  /** Sorted once for each change of the collection, whose data are another object then. */
  #byAccount(): ReadonlyMap<number, readonly StoredWebhook[]> {
    const { data } = this.deps.collection;
    if (this.#sorted?.data !== data) {
      const webhooks = new Map<number, StoredWebhook[]>();
      for (const webhook of data.webhooks) {
        webhooks.set(webhook.account_id, [...(webhooks.get(webhook.account_id) ?? []), webhook]);
      }
      this.#sorted = { data, webhooks };
    }
    return this.#sorted.webhooks;
  }

  /** Messages that wait for a webhook that was changed, here or at another front, are sent at once, or not at all any more. */
  #takeUp(): void {
    const before = this.#takenUp;
    this.#takenUp = this.#changes;
    for (const { id, changes, enabled } of this.#all) {
      if (before.get(id) === changes) continue;
      if (enabled) this.deps.deliveries.hurry(id);
      else this.deps.deliveries.clear(id);
    }
  }

  get #nowSeconds(): number {
    return unixSecondsOf(this.deps.clock);
  }

  get #changes(): ReadonlyMap<number, number> {
    return new Map(this.#all.map(({ id, changes }) => [id, changes]));
  }

  get #all(): readonly StoredWebhook[] {
    return this.deps.collection.data.webhooks;
  }

  /** Another account's is not there, as far as this one is told. */
  #find(accountId: AccountId, id: number): StoredWebhook {
    const webhook = this.#all.find((each) => each.id === id && each.account_id === accountId);
    if (!webhook) throw notFound('webhook');
    return webhook;
  }

  async #edit(id: number, change: (webhook: StoredWebhook) => StoredWebhook): Promise<void> {
    await this.deps.collection.update((data) => {
      data.webhooks = data.webhooks.map((webhook) => {
        const kept = { ...webhook, ...keptSecrets(webhook, this.#nowSeconds) };
        return webhook.id === id ? change(kept) : kept;
      });
    });
  }

  async #drop(isGone: (webhook: StoredWebhook) => boolean): Promise<void> {
    const gone = this.#all.filter(isGone);
    if (gone.length === 0) return;
    await this.deps.collection.update((data) => {
      data.webhooks = data.webhooks.filter((webhook) => !isGone(webhook));
    });
    for (const { id } of gone) this.deps.deliveries.forget(id);
  }

  #toDto({ id, account_id, url, events, enabled, created_at, gone_at }: StoredWebhook): WebhookDto {
    const shown = { id, user_id: account_id, url, events, enabled, created_at, gone_at };
    return { ...shown, ...this.#progressOf(this.deps.deliveries.queueOf(id)) };
  }

  #progressOf(queue: DeliveryQueue | undefined) {
    const { clock } = this.deps;
    const toSeconds = (ms: number): number => Math.floor(ms / 1_000);
    const nextMs = queue?.nextMs ?? null;
    return {
      pending: queue?.messages.length ?? 0,
      dropped: queue?.dropped ?? 0,
      last_success: toSeconds(queue?.lastSuccessMs ?? 0),
      last_attempt: toSeconds(queue?.lastAttemptMs ?? 0),
      last_error: queue?.lastError?.message ?? null,
      last_reason: queue?.lastError?.reason ?? null,
      next_attempt: nextMs === null ? 0 : toSeconds(clock.unixMs() + Math.max(0, nextMs - clock.nowMs())),
    };
  }
}

function isTaken(status: number): boolean {
  return status >= 200 && status < 300;
}

function notTaken(status: number): RequestError {
  return new RequestError('UPSTREAM_FAILED', `Delivery failed: HTTP ${status}`, because('HTTP_STATUS', { status }));
}

function ofWebhook({ message, data }: RequestError): RequestError {
  return new RequestError('UPSTREAM_FAILED', `webhook: ${message}`, data);
}

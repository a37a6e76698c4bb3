// What is asked of a remote on behalf of an account: few requests at a time, with the key that is stored, and no other
// answer than one that the same route here could give.
import { Counts } from '../../../shared-protocol/counts.js';
import type { z } from 'zod';
import type { AddingBody } from '../../../shared-protocol/dto/adding.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { ErrorData } from '../../../shared-protocol/errors.js';
import { because, isReasonCode, reasonIn } from '../../../shared-protocol/reasons.js';
import { factsSchema } from '../../../shared-protocol/dto/fields.js';
import type { Asked, Egress } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import { AnswerThread } from './answer-thread.js';
import { longAnswerOf, MAX_SHORT_BYTES, maxBytesOf, understood } from './long-answers.js';
import { certificateOf, type StoredRemote } from './remote-records.js';

/** Requests of one account at a time, whatever the remotes: a remote that hangs does not take all there is. */
const MAX_OF_ACCOUNT = 4;
const TIMEOUT_MS = 15_000;
/** A torrent file; more is refused where it would be added (docs/api.md). */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** An answer that is looked at here, once it has been understood. */
const MAX_VALUE_BYTES = 4 * 1024 * 1024;
/** A refusal is a sentence. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_SAID_CHARS = 1_000;

/** A torrent file, and the fields that go with it as a form. */
export class UploadBody {
  constructor(
    readonly file: Uint8Array,
    readonly fields: AddingBody,
  ) {}

  /** A form knows texts only. */
  get form(): FormData {
    const form = new FormData();
    for (const [name, field] of Object.entries(this.fields) as [string, unknown][]) {
      if (field === null || field === undefined) continue;
      form.set(name, typeof field === 'string' ? field : JSON.stringify(field));
    }
    form.set('file', new Blob([new Uint8Array(this.file)]), 'added.torrent');
    return form;
  }
}

export interface RemoteRequest {
  readonly method: string;
  /** Below the URL of the remote, with its query. */
  readonly path: string;
  /** Sent as JSON unless it is an upload. @default none */
  readonly body?: unknown;
}

/** The fault of a request, as the remote says it. */
export interface Said {
  readonly error: string;
  readonly code?: string;
  readonly data?: ErrorData;
}

export type RemoteAnswer<Value> =
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'refused'; readonly status: number; readonly said: Said };

export class RemoteRequests {
  readonly #running = new Counts<AccountId>();
  readonly #thread = new AnswerThread(MAX_OF_ACCOUNT);

  constructor(private readonly egress: Pick<Egress, 'ask'>) {}

  close(): Promise<void> {
    return this.#thread.close();
  }

  /**
   * The answer: a value of the schema, or what the remote says is wrong with the request.
   * @throws RequestError `TOO_MANY_REQUESTS`, `REMOTE_AWAY`: it did not answer, and may have done it; `UPSTREAM_FAILED`
   */
  async ask<Value>(
    account: AccountId,
    remote: StoredRemote,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value>> {
    const answer = await this.#answer(account, remote, request, schema, MAX_VALUE_BYTES);
    if (answer.kind === 'refused' || !(answer.value instanceof Uint8Array)) return answer as RemoteAnswer<Value>;
    return { kind: 'value', value: JSON.parse(Buffer.from(answer.value).toString()) as Value }; // understood as one
  }

  /** The answer as it goes on to whoever asked: a short one as a value, a long one as its text. @throws as {@link ask} */
  relay<Value>(
    account: AccountId,
    remote: StoredRemote,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
  ): Promise<RemoteAnswer<Value | Uint8Array>> {
    return this.#answer(account, remote, request, schema, Infinity);
  }

  /** The torrent file that is answered, as it came. @throws as {@link ask} */
  file(account: AccountId, remote: StoredRemote, request: RemoteRequest): Promise<RemoteAnswer<Uint8Array>> {
    return this.#within(account, () => this.#bytes(account, remote, request, MAX_FILE_BYTES));
  }

  #answer<Value>(
    account: AccountId,
    remote: StoredRemote,
    request: RemoteRequest,
    schema: z.ZodType<Value>,
    maxBytes: number,
  ): Promise<RemoteAnswer<Value | Uint8Array>> {
    return this.#within(account, async () => {
      const answer = await this.#bytes(account, remote, request, Math.min(maxBytes, maxBytesOf(schema)));
      if (answer.kind === 'refused') return answer;
      const name = answer.value.length > MAX_SHORT_BYTES ? longAnswerOf(schema) : undefined;
      const value =
        name === undefined
          ? understood(answer.value, schema)
          : await this.#thread.understand(account, { name, bytes: answer.value });
      if (value === undefined || value === null) throw failed(remote, 'its answer is not one of this version');
      return { kind: 'value', value };
    });
  }

  async #bytes(
    account: AccountId,
    remote: StoredRemote,
    request: RemoteRequest,
    maxBytes: number,
  ): Promise<RemoteAnswer<Uint8Array>> {
    const asked = await this.#send(account, remote, request, maxBytes);
    const { status } = asked;
    if (status === 200) return { kind: 'value', value: asked.bytes };
    const said = saidIn(asked);
    if (status === 401) throw failed(remote, 'it refuses the key');
    if (status >= 400 && status < 500) return { kind: 'refused', status, said };
    throw asSaidBy(remote, said);
  }

  async #within<Result>(account: AccountId, work: () => Promise<Result>): Promise<Result> {
    if (this.#running.of(account) >= MAX_OF_ACCOUNT) throw new RequestError('TOO_MANY_REQUESTS');
    return this.#running.during(account, work);
  }

  async #send(
    caller: AccountId,
    remote: StoredRemote,
    { method, path, body }: RemoteRequest,
    maxBytes: number,
  ): Promise<Asked> {
    const encoded = await encode(body);
    try {
      return await this.egress.ask(`${remote.url}${path}`, {
        ...{ caller, method, certificate: certificateOf(remote), maxBytes, timeoutMs: TIMEOUT_MS },
        headers: { ...encoded.headers, accept: 'application/json', authorization: `Bearer ${remote.api_key}` },
        ...(encoded.body === undefined ? {} : { body: encoded.body }),
      });
    } catch (error) {
      throw error instanceof RequestError ? away(remote, error.message, error.data) : error;
    }
  }
}

/** @throws RequestError of a remote that is not there */
export function away({ name }: Pick<StoredRemote, 'name'>, reason: string, cause: ErrorData = {}): RequestError {
  const why = reasonIn(cause);
  const facts = { ...why?.data, server: name, said: reason, ...(why && { why: why.code }) };
  return new RequestError('REMOTE_AWAY', `server ${name}: ${reason}`, facts);
}

/** The fault in the words of the remote, with its reason if that is one of this version. */
export function asSaidBy({ name }: Pick<StoredRemote, 'name'>, { error, code, data }: Said): RequestError {
  const facts = { ...data, server: name, said: error };
  return new RequestError(
    'UPSTREAM_FAILED',
    `server ${name}: ${error}`,
    isReasonCode(code) ? because(code, facts) : because('REMOTE_REFUSED', facts),
  );
}

function failed({ name }: Pick<StoredRemote, 'name'>, reason: string): RequestError {
  return new RequestError('UPSTREAM_FAILED', `server ${name}: ${reason}`);
}

interface Encoded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

async function encode(body: unknown): Promise<Encoded> {
  if (body === undefined) return { headers: { 'content-length': '0' } };
  if (!(body instanceof UploadBody)) {
    const text = JSON.stringify(body);
    const length = String(Buffer.byteLength(text));
    return { headers: { 'content-type': 'application/json', 'content-length': length }, body: text };
  }
  const form = new Response(body.form);
  const bytes = new Uint8Array(await form.arrayBuffer());
  const type = form.headers.get('content-type') ?? '';
  return { headers: { 'content-type': type, 'content-length': String(bytes.length) }, body: bytes };
}

function saidIn({ bytes, status }: Asked): Said {
  const json = bytes.length > MAX_REFUSAL_BYTES ? undefined : jsonOf(bytes);
  const { error, code, data } =
    typeof json === 'object' && json !== null ? (json as { error?: unknown; code?: unknown; data?: unknown }) : {};
  const said = typeof error === 'string' && error !== '' ? error.slice(0, MAX_SAID_CHARS) : `HTTP ${status}`;
  const facts = factsSchema.safeParse(data);
  return {
    error: said,
    ...(typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) && { code }),
    ...(facts.success && { data: facts.data }),
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

// Requests to the API of a daemon (docs/api.md), with its refusals as sentences and exit codes.
import { Agent, fetch, FormData, type RequestInit, type Response } from 'undici';
import { CommandFailed, EXIT, type ExitCode } from '../exit-codes.js';
import type { FoundDaemon } from './find-daemon.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export class ApiClient {
  readonly #agent: Agent | undefined;

  /** `server`: the remote that requests are for, as `server_id` says it; null: the daemon itself. */
  constructor(
    readonly daemon: FoundDaemon,
    readonly server: number | 'auto' | null = null,
  ) {
    this.#agent = daemon.ca === null ? undefined : new Agent({ connect: { ca: daemon.ca } });
  }

  /** The same daemon, asked for one of its remotes. */
  at(server: number | 'auto' | null): ApiClient {
    return new ApiClient(this.daemon, server);
  }

  /** The body of the answer. @throws CommandFailed */
  async call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
    return contentOf(await this.open(method, path, body));
  }

  /** The body of the answer to bytes that are read as they are sent. @throws CommandFailed, and whatever `bytes` throws */
  async send<Answer>(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Answer> {
    let failure: unknown = null;
    const body = (async function* () {
      try {
        yield* bytes;
      } catch (error) {
        failure = error;
        throw error;
      }
    })();
    const type = 'application/octet-stream';
    const init = { headers: { 'content-type': type }, body, duplex: 'half' } as const;
    const response = await this.#fetch(path, { method: 'POST', ...init }).catch((error: unknown) => {
      throw failure ?? error;
    });
    return contentOf(await answered(response));
  }

  /** The answer itself, to be read by and by. @throws CommandFailed */
  async open(method: Method, path: string, body?: object): Promise<Response> {
    if (!body) return answered(await this.#fetch(path, { method }));
    const init =
      body instanceof FormData
        ? { body }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    return answered(await this.#fetch(path, { method, ...init }));
  }

  #addressed(path: string): string {
    return this.server === null ? path : `${path}${path.includes('?') ? '&' : '?'}server_id=${this.server}`;
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const { url, key } = this.daemon;
    try {
      return await fetch(`${url}${this.#addressed(path)}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${key}` },
        ...(this.#agent && { dispatcher: this.#agent }),
      });
    } catch (error) {
      throw new CommandFailed(`${url} does not answer: ${reasonOf(error)}`, EXIT.unreachable);
    }
  }
}

async function contentOf<Answer>(response: Response): Promise<Answer> {
  return (await response.json().catch(() => null)) as Answer;
}

/** @throws CommandFailed for a refusal */
async function answered(response: Response): Promise<Response> {
  if (response.ok) return response;
  const answer = (await response.json().catch(() => null)) as { readonly error?: string } | null;
  throw new CommandFailed(answer?.error ?? `HTTP ${response.status}`, exitCodeOf(response.status));
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string };
    readonly message: string;
  };
  if (cause?.code === 'ECONNREFUSED') return 'connection refused';
  if (/CERT|SIGNED/.test(cause?.code ?? ''))
    return `${cause?.message ?? ''} (--ca names a file of certificates to trust)`;
  return cause?.message ?? message;
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.refused;
  return status === 503 ? EXIT.unreachable : EXIT.failed;
}

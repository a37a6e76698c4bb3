// Requests to the API of a daemon (docs/api.md), with its refusals as sentences and exit codes.
import { Agent, fetch, FormData } from 'undici';
import { CommandFailed, EXIT, type ExitCode } from '../exit-codes.js';
import type { FoundDaemon } from './find-daemon.js';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export class ApiClient {
  readonly #agent: Agent | undefined;

  constructor(readonly daemon: FoundDaemon) {
    this.#agent = daemon.ca === null ? undefined : new Agent({ connect: { ca: daemon.ca } });
  }

  /** The body of the answer. @throws CommandFailed */
  async call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
    const response = await this.#send(method, path, body);
    const answer = (await response.json().catch(() => null)) as Answer & { readonly error?: string };
    if (!response.ok) throw new CommandFailed(answer?.error ?? `HTTP ${response.status}`, exitCodeOf(response.status));
    return answer;
  }

  /** The answer itself, to be read by and by. @throws CommandFailed */
  async open(method: Method, path: string, body?: object): Promise<Awaited<ReturnType<typeof fetch>>> {
    const response = await this.#send(method, path, body);
    if (response.ok) return response;
    const answer = (await response.json().catch(() => null)) as { readonly error?: string } | null;
    throw new CommandFailed(answer?.error ?? `HTTP ${response.status}`, exitCodeOf(response.status));
  }

  async #send(method: Method, path: string, body?: object) {
    const { url, key } = this.daemon;
    const isForm = body instanceof FormData;
    try {
      return await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && !isForm && { 'content-type': 'application/json' }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
        ...(this.#agent && { dispatcher: this.#agent }),
      });
    } catch (error) {
      throw new CommandFailed(`${url} does not answer: ${reasonOf(error)}`, EXIT.unreachable);
    }
  }
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

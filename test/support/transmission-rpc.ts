// A tool of Transmission's: Basic with each request, the session id once it has been told it.
import type { Harness, Answer } from './api-harness.js';

export interface RpcAnswer {
  readonly result: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly tag?: number;
}

const SESSION_ID = 'x-transmission-session-id';
const PATH = '/transmission/rpc';

export class TransmissionTool {
  #sessionId = '';

  constructor(
    private readonly harness: Pick<Harness, 'call'>,
    private readonly username: string,
    private readonly secret: string,
  ) {}

  get headers(): Record<string, string> {
    const basic = Buffer.from(`${this.username}:${this.secret}`).toString('base64');
    return { authorization: `Basic ${basic}`, [SESSION_ID]: this.#sessionId };
  }

  /** Sends the body, anew where it is told another session id. */
  async post(body: unknown): Promise<Answer> {
    const first = await this.harness.call('POST', PATH, { headers: this.headers, body });
    if (first.status !== 409) return first;
    this.#sessionId = String(first.headers[SESSION_ID]);
    return this.harness.call('POST', PATH, { headers: this.headers, body });
  }

  /** Calls a method in the older dialect. */
  async ask(method: string, args: object = {}): Promise<RpcAnswer> {
    return (await this.post({ method, arguments: args })).json<RpcAnswer & Record<string, unknown>>();
  }

  /** The arguments of the answer. Throws where the result is not `success`. */
  async get<Result>(method: string, args: object = {}): Promise<Result> {
    const answer = await this.ask(method, args);
    if (answer.result !== 'success') throw new Error(`${method}: ${answer.result}`);
    return answer.arguments as Result;
  }
}

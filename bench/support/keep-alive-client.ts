// HTTP requests over connections that stay open, as clients of an API make them, at little cost to this process: what it
// spends is taken from the program that is measured. Bodies are handed out as they came, still compressed if they were.
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export class KeepAliveClient {
  readonly #agent: Agent;

  /**
   * `url`: without a slash at the end. `isKept` false: a connection for each request, for a server that writes an answer
   * in two parts, of which the second then waits 40 ms for the kernel's delayed acknowledgement.
   */
  constructor(
    readonly url: string,
    connections: number,
    isKept = true,
  ) {
    this.#agent = new Agent({ keepAlive: isKept, maxSockets: connections });
  }

  /** Whatever the status. @throws Error when no answer came */
  ask(method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string | Uint8Array): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const options = { method, agent: this.#agent, headers: { ...headers, ...length } };
      const asked = request(this.url + path, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
        });
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        // The server gave up a connection that was idle for too long just as it was used again.
        if (asked.reusedSocket && error.code === 'ECONNRESET') resolve(this.ask(method, path, headers, body));
        else reject(error);
      });
      asked.end(body);
    });
  }

  /** As {@link ask}. @throws Error when the status is none of success */
  async demand(...args: Parameters<KeepAliveClient['ask']>): Promise<Reply> {
    const reply = await this.ask(...args);
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw new Error(`${args[0]} ${this.url}${args[1]}: ${reply.status} ${reply.body.toString().slice(0, 200)}`);
  }

  close(): void {
    this.#agent.destroy();
  }
}

const BOUNDARY = 'swarmd-bench-boundary';

/** A `multipart/form-data` body of text fields and one torrent file, and the header that goes with it. */
export function torrentForm(
  fields: Readonly<Record<string, string>>,
  file: { readonly field: string; readonly bytes: Uint8Array },
): { readonly headers: OutgoingHttpHeaders; readonly body: Uint8Array } {
  const part = (disposition: string) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n\r\n${value}\r\n`);
  const type = 'content-type: application/x-bittorrent';
  const head = `${texts.join('')}${part(`name="${file.field}"; filename="a.torrent"`)}\r\n${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file.bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body };
}

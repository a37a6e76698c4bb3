// Requests as they are, right or wrong, one after another on one connection: nothing of a path is tidied up.
import http from 'node:http';
import type { Answer } from '../support/api-harness.js';

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | Uint8Array | undefined;
  readonly chunked: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Sender {
  /** `credential`: an `Authorization` header, or cookies, which go with the service's own Origin. */
  send(url: string, request: SentRequest, credential?: string): Promise<Answer>;
  end(): void;
}

export function sender(): Sender {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send = (
    url: string,
    { method, path, body, chunked, headers }: SentRequest,
    credential = '',
  ): Promise<Answer> => {
    const own = /^(Bearer|Basic) /.test(credential)
      ? { authorization: credential }
      : { cookie: credential, origin: url };
    const framing =
      body === undefined
        ? {}
        : chunked
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': Buffer.byteLength(body) };
    return new Promise((resolve, reject) => {
      const all = { ...(credential === '' ? {} : own), ...headers, ...framing };
      // Not by URL: that would tidy the path up.
      const { hostname, port } = new URL(url);
      const target = { hostname, port, path: encodeURI(path).replaceAll('%25', '%') };
      const request = http.request({ ...target, method, agent, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: () => JSON.parse(text) });
        });
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  };
  return { send, end: () => agent.destroy() };
}

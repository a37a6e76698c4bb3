// A receiver of webhooks: a server on loopback that checks each message by the library of Standard Webhooks.
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';
import { startUpstream, type Upstream } from './upstream.js';

export interface Heard {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface WebhookReceiver {
  readonly upstream: Upstream;
  /** Messages that were taken. */
  readonly heard: readonly Heard[];
  /** Why others were not what they should be. */
  readonly bad: readonly unknown[];
  readonly trust: (secret: string) => void;
  /** `status`: of the answers from now on. @default 204 */
  readonly answer: (status: number) => void;
  readonly types: () => readonly string[];
}

/** Takes what is signed with the secret, unless told to answer otherwise. */
export async function startReceiver(t: Test): Promise<WebhookReceiver> {
  const heard: Heard[] = [];
  const bad: unknown[] = [];
  let secret = '';
  let status = 204;
  const upstream = await startUpstream((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      try {
        const message = new Webhook(secret).verify(text, headers) as Omit<Heard, 'id'>;
        if (status < 300) heard.push({ ...message, id: headers['webhook-id'] ?? '' });
      } catch (error) {
        bad.push(error);
      }
      response.writeHead(status).end('not read by anybody');
    });
  });
  t.teardown(() => upstream.close());
  return {
    ...{ upstream, heard, bad },
    trust: (key: string) => void (secret = key),
    answer: (how: number) => void (status = how),
    types: () => heard.map(({ type }) => type),
  };
}

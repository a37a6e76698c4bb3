// An answer on its way to the client: status, headers and bytes, whichever way they are made.
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from 'express';
import { writeLive, type LiveBody } from './live-body.js';
import type { Reply } from './reply.js';
import { StreamedBody, writeStreamed } from './streamed-body.js';

/** How long a long answer counts against what its account may ask at a time. */
const MAX_SENDING_MS = 10_000;

/** A long answer is under way until it is read, but not for ever: the client's line may be slow. */
export async function whileQuick(sent: Promise<void>): Promise<void> {
  const done = new AbortController();
  const slow = pause(MAX_SENDING_MS, undefined, { signal: done.signal, ref: false }).catch(() => undefined);
  await Promise.race([sent, slow]);
  done.abort();
}

/** Sends an answer; resolves when a long one has been written. */
export function send(
  response: Response,
  { body, headers, afterwards, status }: Reply<unknown>,
): Promise<void> | undefined {
  response.status(status).set({ 'Content-Type': 'application/json; charset=utf-8', ...headers });
  if (isKnown(response)) response.status(304).removeHeader('Content-Encoding');
  let sent: Promise<void> | undefined;
  if (response.statusCode === 304) response.end();
  else if (body instanceof StreamedBody)
    sent = writeStreamed(response.set('Content-Length', String(body.length)), body);
  else response.end(Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  if (response.destroyed) afterwards();
  else response.once('close', afterwards);
  return sent;
}

/** Resolves when it has been written, or cannot be written any more. Rejects while nothing of it has been. */
export async function sendLive(response: Response, { headers, status }: Reply<unknown>, body: LiveBody): Promise<void> {
  await writeLive(response, body, () => void response.status(status).set({ ...headers }));
}

/** RFC 9110 section 13.1.2: the client says that it has this very answer. */
function isKnown(response: Response): boolean {
  return response.hasHeader('ETag') && response.req.fresh;
}

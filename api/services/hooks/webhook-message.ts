// A message of a webhook: its text, and how it is signed (Standard Webhooks, standardwebhooks.com: HMAC-SHA256 of id,
// time and text, in base64). Pure.
import { createHmac } from 'node:crypto';
import { contentPath, shownName, type KnownLabels } from '../library/torrent-dto.js';
import { labelNames } from './label-names.js';
import type { TorrentEvent } from './torrent-events.js';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret as it is shown and kept. */
export function newSecret(randomBytes: (length: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** The text, in JSON. `unixMs`: when it happened. */
export function messageText({ event, torrent }: TorrentEvent, unixMs: number, labels: KnownLabels): string {
  return JSON.stringify({
    type: `torrent.${event}`,
    timestamp: new Date(unixMs).toISOString(),
    data: {
      infohash: torrent.id,
      name: shownName(torrent),
      total_bytes: torrent.totalBytes,
      private: torrent.isPrivate,
      save_path: torrent.savePath,
      content_path: contentPath(torrent),
      ...labelNames(torrent.library, labels),
      added_at: torrent.addedAt,
      completed_at: torrent.completedAt,
      error: torrent.error && { code: torrent.error.code, message: torrent.error.message },
    },
  });
}

/** Headers of an attempt to send the text. The id stays the same from attempt to attempt: by it a receiver knows what it has. */
export function signedHeaders(
  { id, text }: { readonly id: string; readonly text: string },
  secret: string,
  unixSeconds: number,
): Record<string, string> {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${unixSeconds}.${text}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': `v1,${signature}`,
  };
}

/** The text of a message by which a person sees whether a webhook works. */
export function testText(unixMs: number): string {
  return JSON.stringify({ type: 'webhook.test', timestamp: new Date(unixMs).toISOString(), data: {} });
}

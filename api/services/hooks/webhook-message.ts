// A message of a webhook: its text, and how it is signed (Standard Webhooks, standardwebhooks.com: HMAC-SHA256 of id,
// time and text, in base64). Pure.
import { createHmac } from 'node:crypto';
import { contentPath, shownName, type KnownLabels } from '../library/torrent-dto.js';
import { labelNames } from './label-names.js';
import type { TorrentEvent } from './torrent-events.js';
import { keyOf } from './webhook-secrets.js';

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

/**
 * Headers of an attempt to send the text, signed with each of the secrets: a receiver takes it by one that it knows. The
 * id stays the same from attempt to attempt: by it a receiver knows what it has.
 */
export function signedHeaders(
  { id, text }: { readonly id: string; readonly text: string },
  secrets: readonly string[],
  unixSeconds: number,
): Record<string, string> {
  const signed = `${id}.${unixSeconds}.${text}`;
  const signatures = secrets.map((secret) => createHmac('sha256', keyOf(secret)).update(signed).digest('base64'));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}

/** The text of a message by which a person sees whether a webhook works. */
export function testText(unixMs: number): string {
  return JSON.stringify({ type: 'webhook.test', timestamp: new Date(unixMs).toISOString(), data: {} });
}

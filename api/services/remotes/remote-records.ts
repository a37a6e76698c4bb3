// What is stored of remotes, and the rules of their fields that no schema of the API has.
import { z } from 'zod';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import type { ErrorData } from '../../../shared-protocol/errors.js';
import { because } from '../../../shared-protocol/reasons.js';
import { RequestError } from '../../errors.js';
import { withoutTrailingSlashes } from '../../../shared-protocol/trailing-slashes.js';

/** All accounts together; each is a connection and a list in memory. */
export const MAX_REMOTES = 20;

const PIN = 'pin:';

const storedRemoteSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** Without a slash at its end. */
  url: z.string(),
  api_key: z.string(),
  tls: z.string(),
  enabled: z.boolean(),
  user_ids: z.array(idSchema),
});
/** No id is given out twice: what names a remote that is gone names no other. */
export const remotesSchema = z.object({ next_id: idSchema, remotes: z.array(storedRemoteSchema) });
export type RemotesData = z.infer<typeof remotesSchema>;
export type StoredRemote = Readonly<RemotesData['remotes'][number]>;
export const NO_REMOTES: RemotesData = { next_id: 1, remotes: [] };

/** The SHA-256 of the only certificate that is taken; null: authorities vouch for it. */
export function certificateOf({ tls }: Pick<StoredRemote, 'tls'>): string | null {
  return tls.startsWith(PIN) ? tls.slice(PIN.length) : null;
}

/** The URL that paths of the API are appended to. @throws RequestError `URL_REFUSED` */
export function baseUrlOf(text: string): string {
  if (!URL.canParse(text)) throw refused('not a URL', because('URL_NOT_HTTP'));
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused('expected an http or https URL', because('URL_NOT_HTTP'));
  if (url.username !== '' || url.password !== '') throw refused('must not contain a user or a password');
  if (url.search !== '' || url.hash !== '') throw refused('must not contain a query or a fragment');
  return withoutTrailingSlashes(`${url.origin}${url.pathname}`);
}

/** @throws RequestError `NAME_TAKEN`, `BODY_INVALID` */
export function checkRemote(remote: StoredRemote, others: readonly StoredRemote[]): void {
  if (others.some(({ id, name }) => id !== remote.id && name === remote.name)) {
    throw new RequestError('NAME_TAKEN', 'name: another server has it');
  }
  if (remote.tls !== 'verify' && !remote.url.startsWith('https:')) {
    throw new RequestError('BODY_INVALID', 'tls: a certificate is shown by https only');
  }
}

function refused(reason: string, data?: ErrorData): RequestError {
  return new RequestError('URL_REFUSED', `url: ${reason}`, data);
}

// The secrets by which messages of a webhook are signed. For a day after a new one was made the one before signs as well, so
// that no message is refused by a receiver that has not been given the new one yet (Standard Webhooks, "Secret rotation").
// Pure.
import { z } from 'zod';
import { timeSchema } from '../../../shared-protocol/dto/fields.js';

const PREFIX = 'whsec_';
const BYTES = 32;
const BOTH_SIGN_SECONDS = 24 * 3_600;

/** How they are kept: `until`: in Unix seconds. Absent in webhooks of before it was kept: the one before. */
export const storedSecretsSchema = z.object({
  secret: z.string(),
  secret_before: z.object({ secret: z.string(), until: timeSchema }).nullable().default(null),
});
export type StoredSecrets = z.infer<typeof storedSecretsSchema>;

/** Returns a new secret, as it is shown and kept. */
export function newSecret(randomBytes: (length: number) => Uint8Array): string {
  return PREFIX + Buffer.from(randomBytes(BYTES)).toString('base64');
}

/** Returns the key of HMAC that a secret stands for. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}

/** Returns what is kept once `secret` has taken the place of the one that is there. */
export function replaced({ secret: before }: StoredSecrets, secret: string, unixSeconds: number): StoredSecrets {
  return { secret, secret_before: { secret: before, until: unixSeconds + BOTH_SIGN_SECONDS } };
}

/** Returns what is to be kept at that time: one that signs no more is not. */
export function keptSecrets({ secret, secret_before: before }: StoredSecrets, unixSeconds: number): StoredSecrets {
  return { secret, secret_before: before && unixSeconds < before.until ? before : null };
}

/** Returns those that sign at that time, the newest first. */
export function signingSecrets(stored: StoredSecrets, unixSeconds: number): string[] {
  const { secret, secret_before: before } = keptSecrets(stored, unixSeconds);
  return before ? [secret, before.secret] : [secret];
}

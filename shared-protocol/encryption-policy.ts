// How connections of peers are encrypted, as both threads and the API name it.

export const ENCRYPTION_POLICIES = ['required', 'preferred', 'allowed', 'off'] as const;
/**
 * Message stream encryption (MSE/PE). `required`: RC4 both ways, plain connections are refused. `preferred`: dials
 * encrypted, again in plain where that is refused, accepts both. `allowed`: dials in plain, accepts both. `off`: plain
 * only.
 */
export type EncryptionPolicy = (typeof ENCRYPTION_POLICIES)[number];

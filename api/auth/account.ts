// An account as it is stored: who it is, its role and permissions, and what a client is shown of it. One schema validates
// the file (services/accounts/ edits it).
import { z } from 'zod';
import {
  accountQuotaSchema,
  NO_QUOTA,
  roleSchema,
  type Permission,
  type UserDto,
} from '../../shared-protocol/dto/accounts.js';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../shared-protocol/ids.js';

const accountSchema = z.object({
  id: z.int().min(1).transform(parseAccountId),
  username: z.string(),
  role: roleSchema,
  perm_add_torrents: z.boolean(),
  perm_manage_rss: z.boolean(),
  perm_manage_cat_tags: z.boolean(),
  perm_change_settings: z.boolean(),
  perm_share: z.boolean(),
  /** Argon2id in PHC form; null while no password was set. */
  password_hash: z.string().nullable(),
  /** SHA-256 in hex; null without a key. */
  api_key_digest: z.string().nullable(),
  api_key_hint: z.string(),
  disabled: z.boolean(),
  /** Absolute, or empty. */
  home: z.string().default(''),
  /** The name of the engine that its torrents are saved by; empty for the first one. */
  engine: z.string().default(''),
  // What there was not when the record was made is no bound.
  quota: accountQuotaSchema
    .extend({ up_bytes_month: accountQuotaSchema.shape.up_bytes_month.default(0) })
    .default(NO_QUOTA),
  /** Unix seconds. */
  created_at: z.int(),
});

export const NO_API_KEY = { api_key_digest: null, api_key_hint: '' };

export type Account = Readonly<z.infer<typeof accountSchema>>;

/** No id is given out twice, so that what names a deleted account names no other. */
export const accountsSchema = z.object({ next_id: z.int().min(1), accounts: z.array(accountSchema) });
export type AccountsData = z.infer<typeof accountsSchema>;

export function toUserDto(account: Account): UserDto {
  const { password_hash, api_key_digest, ...shown } = account;
  return { ...shown, has_api_key: api_key_digest !== null, password_set: password_hash !== null };
}

export function hasPermission(account: Account, permission: Permission): boolean {
  return account.role === 'admin' || account[permission];
}

/** The permissions of administrators, in the record too. */
export const ALL_PERMISSIONS = {
  perm_add_torrents: true,
  perm_manage_rss: true,
  perm_manage_cat_tags: true,
  perm_change_settings: true,
  perm_share: true,
} as const;

/** The first account: may do everything, cannot be deleted. */
export function firstAdmin(passwordHash: string | null, createdAt: number): Account {
  return {
    id: ADMIN_ACCOUNT_ID,
    username: 'admin',
    role: 'admin',
    ...ALL_PERMISSIONS,
    password_hash: passwordHash,
    ...NO_API_KEY,
    disabled: false,
    home: '',
    engine: '',
    quota: NO_QUOTA,
    created_at: createdAt,
  };
}

// What is kept of an account, and what a client is shown of it. One schema validates the stored file.
import { z } from 'zod';
import { ADMIN_ACCOUNT_ID, parseAccountId } from '../../shared-protocol/ids.js';

export const PERMISSIONS = [
  'perm_add_torrents',
  'perm_manage_rss',
  'perm_manage_cat_tags',
  'perm_change_settings',
  'perm_share',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const accountSchema = z.object({
  id: z.int().min(1).transform(parseAccountId),
  username: z.string(),
  role: z.enum(['admin', 'user']),
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
  /** Unix seconds. */
  created_at: z.int(),
});

export type Account = Readonly<z.infer<typeof accountSchema>>;

export const accountsSchema = z.object({ next_id: z.int().min(1), accounts: z.array(accountSchema) });
export type AccountsData = z.infer<typeof accountsSchema>;

/** interface.md, UserDTO. */
export interface UserDto extends Readonly<Record<Permission, boolean>> {
  readonly id: number;
  readonly username: string;
  readonly role: 'admin' | 'user';
  readonly has_api_key: boolean;
  readonly api_key_hint: string;
  readonly password_set: boolean;
  readonly disabled: boolean;
  readonly created_at: number;
}

export function toUserDto(account: Account): UserDto {
  const { password_hash, api_key_digest, ...shown } = account;
  return { ...shown, has_api_key: api_key_digest !== null, password_set: password_hash !== null };
}

export function hasPermission(account: Account, permission: Permission): boolean {
  return account.role === 'admin' || account[permission];
}

/** The first account: may do everything, cannot be deleted. */
export function firstAdmin(passwordHash: string, createdAt: number): Account {
  return {
    id: ADMIN_ACCOUNT_ID,
    username: 'admin',
    role: 'admin',
    perm_add_torrents: true,
    perm_manage_rss: true,
    perm_manage_cat_tags: true,
    perm_change_settings: true,
    perm_share: true,
    password_hash: passwordHash,
    api_key_digest: null,
    api_key_hint: '',
    disabled: false,
    created_at: createdAt,
  };
}

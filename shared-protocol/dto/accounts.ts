// docs/api.md: accounts, signing in, and what an account may know of the others.
import { z } from 'zod';
import { anyPasswordSchema, countSchema, idSchema, kbpsSchema, newPasswordSchema, timeSchema } from './fields.js';
import { usernameSchema } from './settings.js';

export const PERMISSIONS = [
  'perm_add_torrents',
  'perm_manage_rss',
  'perm_manage_cat_tags',
  'perm_change_settings',
  'perm_share',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const roleSchema = z.enum(['admin', 'user']);

const permissionFields = {
  perm_add_torrents: z.boolean(),
  perm_manage_rss: z.boolean(),
  perm_manage_cat_tags: z.boolean(),
  perm_change_settings: z.boolean(),
  perm_share: z.boolean(),
};

/** Bounds of an account that is no administrator; 0: none but those of docs/limits.md. */
export const accountQuotaSchema = z
  .object({
    /** Size of its torrents when all of each is there, by whomever they are held besides. */
    bytes: countSchema,
    torrents: countSchema,
    /** Torrents that are not paused. */
    active: countSchema,
    /** All its torrents together. */
    down_kbps: kbpsSchema,
    up_kbps: kbpsSchema,
    /** Uploaded by its torrents within a calendar month of UTC. */
    up_bytes_month: countSchema,
  })
  .meta({ id: 'AccountQuota' });
export type AccountQuota = Readonly<z.infer<typeof accountQuotaSchema>>;
export const NO_QUOTA: AccountQuota = {
  ...{ bytes: 0, torrents: 0, active: 0 },
  ...{ down_kbps: 0, up_kbps: 0, up_bytes_month: 0 },
};

/** Beyond the contract of docs/api.md: how much of it is used. */
export const quotaUsageSchema = z
  .object({
    /** All 0 for administrators. */
    quota: accountQuotaSchema,
    used: z.object({
      bytes: countSchema,
      torrents: countSchema,
      active: countSchema,
      /** Bytes per second, of torrents that it runs. */
      download_rate: countSchema,
      upload_rate: countSchema,
      /** Since the month began, whether there is a bound or not. */
      up_bytes_month: countSchema,
    }),
  })
  .meta({ id: 'QuotaUsage' });
export type QuotaUsageDto = Readonly<z.infer<typeof quotaUsageSchema>>;
export const quotaQuerySchema = z.object({
  account: z
    .string()
    .regex(/^\d{1,15}$/, 'expected the id of an account')
    .optional(),
});

export const userSchema = z
  .object({
    id: idSchema,
    username: z.string(),
    role: roleSchema,
    ...permissionFields,
    has_api_key: z.boolean(),
    /** The key's last four characters. */
    api_key_hint: z.string(),
    password_set: z.boolean(),
    disabled: z.boolean(),
    /** All paths of the account lie in it, and files there are its own; empty: it has none. */
    home: z.string(),
    /**
     * The name of the engine that its torrents are saved by; empty for the first one, and where there is one alone. `auto`: each is
     * placed on one of them.
     */
    engine: z.string(),
    quota: accountQuotaSchema,
    created_at: timeSchema,
  })
  .meta({ id: 'UserDTO' });
export type UserDto = Readonly<z.infer<typeof userSchema>>;
export const userListSchema = z.array(userSchema);

const changeableFields = z
  .object({
    role: roleSchema,
    ...permissionFields,
    disabled: z.boolean(),
    home: z.string().max(4096),
    engine: z.string().max(64),
    quota: accountQuotaSchema.partial(),
  })
  .partial();

/** Fields of a new account; left out: role `user`, no permission, not disabled, no home, no quota. */
export const newUserSchema = changeableFields.extend({ username: usernameSchema, password: newPasswordSchema });
export type NewUser = Readonly<z.infer<typeof newUserSchema>>;

/** Changes of an account; a field that is left out stays as it is, a password is ignored. */
export const userChangeSchema = changeableFields.extend({ username: usernameSchema.optional() });
export type UserChange = Readonly<z.infer<typeof userChangeSchema>>;

export const loginBodySchema = z.object({ username: z.string().max(256), password: anyPasswordSchema });
export const signInBodySchema = z.object({ token: z.string().max(256) });
export const passwordChangeSchema = z.object({ old_password: anyPasswordSchema, new_password: newPasswordSchema });
/**
 * `end_api_key`, beyond the contract of docs/api.md: the key goes too, for an account that a stranger got hold of.
 */
export const passwordResetSchema = z.object({ new_password: newPasswordSchema, end_api_key: z.boolean().optional() });
/** The password of account 1 (`PUT /api/settings/web/password`). */
export const webPasswordSchema = z.object({ password: newPasswordSchema });
export const newApiKeySchema = z.object({ api_key: z.string() }).meta({ id: 'NewApiKey' });

export const shareTargetSchema = z.object({ id: idSchema, username: z.string() }).meta({ id: 'ShareTarget' });
export type ShareTarget = Readonly<z.infer<typeof shareTargetSchema>>;
export const shareTargetListSchema = z.array(shareTargetSchema);

export const bootstrapSchema = z
  .object({
    flavor: z.enum(['daemon', 'desktop']),
    version: z.string(),
    multi_user: z.boolean(),
    /** A reverse proxy signs users in (`POST /api/signin/proxy`). Absent where none does. */
    proxy_sign_in: z.literal(true).optional(),
  })
  .meta({ id: 'Bootstrap' });
export const versionSchema = z.object({ version: z.string() }).meta({ id: 'Version' });

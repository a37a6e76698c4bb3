// The first start: account 1 gets the password of --admin-password-file, or a made-up one that is kept in a file only
// its owner may read, and shown once, until the administrator changes it.
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newPasswordSchema } from '../../../shared-protocol/dto/fields.js';
import { readIfExists, replaceFile, syncDirectory } from '../../../storage/atomic-file.js';
import { firstLineOf } from '../../../storage/option-file.js';
import type { Accounts } from './accounts.js';

/** Without characters that look alike: 56 of them, so 20 are worth 116 bits. */
const PASSWORD_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const PASSWORD_LENGTH = 20;

export interface FirstStartOptions {
  /** Holds the password on its first line; null to make one up. */
  readonly adminPasswordFile: string | null;
  /** Where a made-up password is kept. */
  readonly initialPasswordFile: string;
  /** The desktop program makes none up: its user comes in by a sign-in link. @default false */
  readonly leaveUnset?: boolean;
}

export type FirstStart =
  | { readonly kind: 'not-first' }
  | { readonly kind: 'password-given' }
  | { readonly kind: 'password-unset' }
  | { readonly kind: 'password-made'; readonly password: string };

/** @throws Error with one clear line when the password file cannot be used. */
export async function prepareFirstStart(
  deps: {
    readonly accounts: Pick<Accounts, 'isEmpty' | 'ensureAdmin'>;
    readonly randomBytes: (length: number) => Uint8Array;
  },
  options: FirstStartOptions,
): Promise<FirstStart> {
  if (!deps.accounts.isEmpty) return { kind: 'not-first' };
  if (options.adminPasswordFile !== null) {
    const isMade = await deps.accounts.ensureAdmin(await readPassword(options.adminPasswordFile));
    return { kind: isMade ? 'password-given' : 'not-first' };
  }
  if (options.leaveUnset) {
    await deps.accounts.ensureAdmin(null);
    return { kind: 'password-unset' };
  }
  const password = makePassword(deps.randomBytes);
  // Before the account exists: a crash in between must not leave an account whose password no user knows.
  await replaceFile(options.initialPasswordFile, `${password}\n`);
  if (await deps.accounts.ensureAdmin(password)) return { kind: 'password-made', password };
  // Another front has made the account meanwhile, with a password of its own.
  await forgetInitialPassword(options.initialPasswordFile);
  return { kind: 'not-first' };
}

export async function forgetInitialPassword(initialPasswordFile: string): Promise<void> {
  await rm(initialPasswordFile, { force: true });
  await syncDirectory(dirname(initialPasswordFile));
}

/** Removes the file where what it holds is not the password of account 1 any more; `opens` tells whether it is. */
export async function forgetStalePassword(
  initialPasswordFile: string,
  opens: (password: string) => Promise<boolean>,
): Promise<void> {
  const bytes = await readIfExists(initialPasswordFile);
  if (bytes && !(await opens(bytes.toString().trim()))) await forgetInitialPassword(initialPasswordFile);
}

async function readPassword(file: string): Promise<string> {
  const password = await firstLineOf('--admin-password-file', file);
  // One that the login would not take would lock everybody out.
  const { minLength, maxLength } = newPasswordSchema;
  if (newPasswordSchema.safeParse(password).success) return password;
  throw new Error(`--admin-password-file ${file}: expected ${minLength} to ${maxLength} characters on the first line`);
}

export function makePassword(randomBytes: (length: number) => Uint8Array): string {
  const size = PASSWORD_ALPHABET.length;
  const fair = 256 - (256 % size); // bytes from here on would favour the alphabet's first characters
  let password = '';
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of randomBytes(PASSWORD_LENGTH)) {
      if (byte < fair && password.length < PASSWORD_LENGTH) password += PASSWORD_ALPHABET[byte % size];
    }
  }
  return password;
}

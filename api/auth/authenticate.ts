// Turns a request's credentials into the account it acts for. A request passes when either check succeeds: a bearer
// API key, or the session cookie. Owns the cookie's name and attributes.
import type { IncomingHttpHeaders } from 'node:http';
import { ADMIN_ACCOUNT_ID, type AccountId } from '../../shared-protocol/ids.js';
import type { Account } from './account.js';
import type { LocalKey } from './local-key.js';
import { SESSION_TTL_MS, type Sessions } from './sessions.js';

export const SESSION_COOKIE = 'service_session';

/** One of the compatible interfaces' (tool-credentials.ts), which `/api` itself does not take. */
export type ToolCredential =
  | { readonly kind: 'tool'; readonly by: 'key' | 'password' }
  | { readonly kind: 'tool'; readonly by: 'session'; readonly token: string };

export type Credential =
  { readonly kind: 'bearer' } | { readonly kind: 'cookie'; readonly token: string } | ToolCredential;

export interface Principal {
  readonly account: Account;
  readonly credential: Credential;
}

export interface AuthDeps {
  readonly accounts: {
    readonly find: (id: AccountId) => Account | undefined;
    readonly findByApiKey: (key: string) => Account | null;
  };
  readonly sessions: Pick<Sessions, 'accountOf'>;
  /** Opens account 1. */
  readonly localKey: Pick<LocalKey, 'opens'>;
}

/** Null without a valid credential of an enabled account. */
export function authenticate(headers: IncomingHttpHeaders, deps: AuthDeps): Principal | null {
  const key = bearerOf(headers);
  const keyOwner = key ? ownerOf(key, deps) : null;
  if (keyOwner && !keyOwner.disabled) return { account: keyOwner, credential: { kind: 'bearer' } };
  const token = sessionTokenOf(headers);
  const accountId = token === null ? null : deps.sessions.accountOf(token);
  const account = accountId === null ? undefined : deps.accounts.find(accountId);
  if (!account || account.disabled || token === null) return null;
  return { account, credential: { kind: 'cookie', token } };
}

function ownerOf(key: string, { accounts, localKey }: AuthDeps): Account | null {
  return accounts.findByApiKey(key) ?? (localKey.opens(key) ? (accounts.find(ADMIN_ACCOUNT_ID) ?? null) : null);
}

/** By presence only: a page cannot send this header across sites without a preflight, which is never answered. */
export function hasBearer(headers: IncomingHttpHeaders): boolean {
  return /^bearer\b/i.test(headers.authorization ?? '');
}

export function sessionTokenOf(headers: IncomingHttpHeaders): string | null {
  return cookieOf(headers, SESSION_COOKIE);
}

export function cookieOf(headers: IncomingHttpHeaders, wanted: string): string | null {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=');
    if (name === wanted && value) return value;
  }
  return null;
}

/** `basePath`: where the service is; what else the host has is not sent it. */
export function sessionCookie(token: string, isSecure: boolean, basePath: string): string {
  return cookie(token, SESSION_TTL_MS / 1_000, isSecure, basePath);
}

export function clearedSessionCookie(isSecure: boolean, basePath: string): string {
  return cookie('', 0, isSecure, basePath);
}

function cookie(value: string, maxAgeSeconds: number, isSecure: boolean, basePath: string): string {
  const attributes = `Path=${basePath || '/'}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
  return `${SESSION_COOKIE}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
}

export function bearerOf(headers: IncomingHttpHeaders): string | null {
  return /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

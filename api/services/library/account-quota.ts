// The bounds that administrators set an account, and what is said of one that is reached. Pure. Administrators have none.
import type { AccountQuota } from '../../../shared-protocol/dto/accounts.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../../auth/account.js';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const THOUSAND = 1000;

/** The bounds of the account; null: nothing bounds it. */
export function quotaOf({ role, quota }: Pick<Account, 'role' | 'quota'>): AccountQuota | null {
  return role === 'admin' ? null : quota;
}

/** Infinity for a bound that is not set. */
export function boundOf(bound: number | undefined): number {
  return bound === undefined || bound === 0 ? Infinity : bound;
}

/** `wanted`: bytes of what is to be added; 0 while they are not known. */
export function noRoom(used: number, allowed: number, wanted: number): RequestError {
  const more = wanted > 0 ? `, and this takes ${inWords(wanted)}` : '';
  const said = `torrent: your account uses ${inWords(used)} of ${inWords(allowed)}${more}; remove some first`;
  const facts = { of: 'bytes', used, max: allowed, ...(wanted > 0 && { wanted }) };
  return new RequestError('QUOTA_EXCEEDED', said, facts);
}

/** `from`: the day on which the account may again, as in `2026-12-01`. */
export function uploadedAll(allowed: number, from: string): RequestError {
  const said = `torrent: your account has uploaded the ${inWords(allowed)} that it may in a month; it may add again from ${from}`;
  return new RequestError('QUOTA_EXCEEDED', said, { of: 'uploaded', max: allowed, from });
}

export function tooManyRun(active: number, allowed: number): RequestError {
  return new RequestError(
    'QUOTA_EXCEEDED',
    `torrent: your account runs ${active} of ${allowed} torrents; pause one first`,
    { of: 'running', used: active, max: allowed },
  );
}

export function tooMany(torrents: number, allowed: number): RequestError {
  return new RequestError(
    'QUOTA_EXCEEDED',
    `torrent: your account has ${torrents} of ${allowed} torrents; remove some first`,
    { of: 'torrents', used: torrents, max: allowed },
  );
}

/** With three digits, and the exact number where it is short. */
export function inWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  for (; value >= THOUSAND && unit < UNITS.length - 1; unit++) value /= THOUSAND;
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 2 : 1)} ${UNITS[unit]}`;
}

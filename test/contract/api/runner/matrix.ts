// Who may do what, by docs/semantics.md section 2: every caller of the matrix, on torrents with every access, against
// `who` of the samples. The gates of the routes are not asked.
import { PERMISSIONS } from '../../../../shared-protocol/dto/accounts.js';
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import type { Who } from '../sample.js';
import { ADMIN_PROFILE, type Profile } from './world.js';

export type CaseAccess = Access | 'none';

const RANK: { readonly [Level in CaseAccess]: number } = { owner: 3, editor: 2, viewer: 1, none: 0 };
export const ACCESSES = Object.keys(RANK) as readonly CaseAccess[];

export const EVERY_FLAG: Profile = { name: 'every flag', isAdmin: false, permissions: PERMISSIONS };
export const PROFILES: readonly Profile[] = [
  ADMIN_PROFILE,
  { name: 'no flag', isAdmin: false, permissions: [] },
  EVERY_FLAG,
  ...PERMISSIONS.map((flag) => ({ name: `only ${flag}`, isAdmin: false, permissions: [flag] })),
  ...PERMISSIONS.map((flag) => ({
    name: `all but ${flag}`,
    isAdmin: false,
    permissions: PERMISSIONS.filter((other) => other !== flag),
  })),
];

export function mayCall(who: Who, { isAdmin, permissions }: Profile, access: CaseAccess): boolean {
  if (who === 'anybody' || who === 'account' || isAdmin) return true;
  if (who === 'admin') return false;
  if (typeof who === 'string') return permissions.includes(who);
  const hasFlag = who.permission === undefined || permissions.includes(who.permission);
  return hasFlag && RANK[access] >= RANK[who.access];
}

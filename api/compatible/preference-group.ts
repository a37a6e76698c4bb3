// Preferences of another program that belong together: how they are shown, what a tool may wish for, and how that becomes
// true. All wishes are judged before the first of them is granted.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { check } from '../routes/input.js';
import type { AccountContext } from '../routes/route.js';

/** Names and values as the other program has them. */
export type Preferences = Readonly<Record<string, unknown>>;

export type Grant = () => Promise<unknown>;

export interface PreferenceGroup {
  shown(context: AccountContext): Preferences | Promise<Preferences>;
  /** All that may be wished for; what a tool sends beyond it is ignored. */
  readonly wishes: z.ZodType<Preferences>;
  /** Only called where something wished for is not shown already. @throws RequestError where it is not granted */
  prepare(wish: Preferences, shown: Preferences, context: AccountContext): Grant | null | Promise<Grant | null>;
}

interface TypedGroup<Shown extends Preferences, Wish extends Preferences> {
  readonly shown: (context: AccountContext) => Shown | Promise<Shown>;
  readonly wishes: z.ZodType<Wish>;
  /** null: nothing comes of it. */
  readonly prepare: (wish: Wish, shown: Shown, context: AccountContext) => Grant | null | Promise<Grant | null>;
}

/** The preferences as they are to be shown once the wish is granted. */
export function merged<Shown extends Preferences>(
  shown: Shown,
  wish: { readonly [Name in keyof Shown]?: Shown[Name] | undefined },
): Shown {
  // Of JSON: no field of it is undefined.
  return { ...shown, ...(wish as Partial<Shown>) };
}

export function preferenceGroup<Shown extends Preferences, Wish extends Preferences>({
  shown,
  wishes,
  prepare,
}: TypedGroup<Shown, Wish>): PreferenceGroup {
  return {
    shown,
    wishes,
    // Parsed by the schema, and made by the function above.
    prepare: (wish, shownNow, context) => prepare(wish as Wish, shownNow as Shown, context),
  };
}

/** The preferences of all groups. */
export async function shownBy(groups: readonly PreferenceGroup[], context: AccountContext): Promise<Preferences> {
  const each = await Promise.all(groups.map((group) => group.shown(context)));
  return Object.assign({}, ...each) as Preferences;
}

/**
 * Grants what was sent, in the order of the groups. Tools send all that they were shown: what is as it was is not looked
 * at. @throws RequestError `BODY_INVALID` naming the field, and what the groups throw
 */
export async function grantAll(
  groups: readonly PreferenceGroup[],
  sent: Preferences,
  context: AccountContext,
): Promise<void> {
  const wishes = groups.map((group) => ({ group, wish: check(group.wishes, sent) }));
  const grants: (Grant | null)[] = [];
  for (const { group, wish } of wishes) {
    const shown = await group.shown(context);
    if (isOther(wish, shown)) grants.push(await group.prepare(wish, shown, context));
  }
  for (const grant of grants) await grant?.();
}

function isOther(wish: Preferences, shown: Preferences): boolean {
  return Object.entries(wish).some(([name, value]) => !isDeepStrictEqual(value, shown[name]));
}

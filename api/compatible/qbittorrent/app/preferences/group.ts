// Preferences that belong together: how they are shown, what a tool may wish for, and how that becomes true. All wishes are
// judged before the first of them is granted.
import type { z } from 'zod';
import type { AccountContext } from '../../../../routes/route.js';

/** Names and values as qBittorrent has them. */
export type Preferences = Readonly<Record<string, unknown>>;

export type Grant = () => Promise<unknown>;

export interface PreferenceGroup {
  shown(context: AccountContext): Preferences;
  /** All that may be wished for; what a tool sends beyond it is ignored. */
  readonly wishes: z.ZodType<Preferences>;
  /** Only called where something wished for is not shown already. @throws RequestError where it is not granted */
  prepare(wish: Preferences, context: AccountContext): Grant | null | Promise<Grant | null>;
}

interface TypedGroup<Shown extends Preferences, Wish extends Preferences> {
  readonly shown: (context: AccountContext) => Shown;
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
    // Parsed by the schema above.
    prepare: (wish, context) => prepare(wish as Wish, shown(context), context),
  };
}

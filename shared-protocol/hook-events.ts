// What may happen to a torrent that webhooks and the owner's program are told of, and how many webhooks there may be, for
// the server and the page.

export const HOOK_EVENTS = ['added', 'metadata', 'completed', 'error', 'removed'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Every change of a torrent is compared with all of an account's. */
export const MAX_WEBHOOKS_PER_ACCOUNT = 20;

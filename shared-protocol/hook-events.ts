// What may happen to a torrent that webhooks and the owner's program are told of, for the server and the page.

export const HOOK_EVENTS = ['added', 'metadata', 'completed', 'error', 'removed'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

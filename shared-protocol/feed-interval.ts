// How often a feed is refreshed that says nothing itself, for the server and the page.

/** docs/semantics.md section 4. */
export const DEFAULT_INTERVAL_MIN = 30;

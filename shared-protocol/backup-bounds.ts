// How many backups there may be, for the server and the page.

/** How many made on demand are kept; no spec value: more than anybody keeps on purpose. */
export const MAX_BACKUPS_ON_DEMAND = 100;

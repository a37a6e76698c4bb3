// What the limits of the queue may be, for the server and the page.

/** A week: of what has moved nothing for so long nothing more is to be learnt by waiting. */
export const MAX_STALLED_MINUTES = 7 * 24 * 60;

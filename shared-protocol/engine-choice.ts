// What an account may say in place of the name of an engine.

/** The engine of an account each of whose torrents is placed by itself, on whichever engine it finds room (api/engines/placement/). */
export const PLACED_BY_FLEET = 'auto';

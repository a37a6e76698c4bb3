// How far a torrent is that is made of files of this machine.

/**
 * `waiting`: for its turn at hashing. `listing`: the files are looked at. `done`: the torrent file is there. `failed`:
 * there is none, and the error says why.
 */
export const CREATION_STATES = ['waiting', 'listing', 'hashing', 'done', 'failed'] as const;
export type CreationState = (typeof CREATION_STATES)[number];

// How far a torrent's move to another save path is, as both threads and the API name it.

/**
 * `waiting`: for its turn; `copying`: the files come to the new place, and lie at the old one; `cleaning`: they lie at the
 * new one, and what is left at the old one goes; `failed`: they lie at the old one.
 */
export const MOVE_STATES = ['none', 'waiting', 'copying', 'cleaning', 'failed'] as const;
export type MoveState = (typeof MOVE_STATES)[number];

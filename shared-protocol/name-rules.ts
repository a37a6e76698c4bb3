// The rules by which names that a torrent's author gave become names on disk (engine/metainfo/safe-path.ts). They stay with the
// torrent: other rules would look for its files elsewhere.

/** Names that new torrents may get: what POSIX file systems have, or what all file systems have, Windows' among them. */
export const NEW_NAME_RULES = ['posix', 'portable'] as const;
export type NewNameRules = (typeof NEW_NAME_RULES)[number];

/** `windows`: of torrents of before these were kept: as `portable`, and names that differ only in case are two. */
export type NameRules = NewNameRules | 'windows';

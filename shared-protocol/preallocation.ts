// How much room on disk a file is given before its bytes come, as both threads and the API name it.

/**
 * `none`: files grow as they are written; `sparse`: they have their length from the beginning, and take no room;
 * `full`: their room is reserved, so that a disk cannot fill up half-way and files lie in one part.
 */
export const PREALLOCATIONS = ['none', 'sparse', 'full'] as const;
export type Preallocation = (typeof PREALLOCATIONS)[number];

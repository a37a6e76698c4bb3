// How a torrent's files are laid out below its save path when it is added, as both threads and the API name it.

/**
 * `original`: as the metainfo has them; `subfolder`: always in a folder, also where the torrent is one file;
 * `no_subfolder`: without the torrent's folder, right in the save path.
 */
export const CONTENT_LAYOUTS = ['original', 'subfolder', 'no_subfolder'] as const;
export type ContentLayout = (typeof CONTENT_LAYOUTS)[number];

// Parts in which the page and the command line send an archive of another program's state.

/** Below what reverse proxies are told to let through (docs/operate/reverse-proxy.md); of the service no part has to be small. */
export const ARCHIVE_PART_BYTES = 8 * 1024 * 1024;

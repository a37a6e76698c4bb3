// The sub-path at which the service is reached, as a reverse proxy has it (--base-path): that of the folder in which this script
// lies. The page is told nothing else of it.
const here = new URL(import.meta.url);

/** Begins with a slash and ends without one; empty: the service has the whole host. */
export const BASE = here.protocol.startsWith('http') ? new URL('..', here).pathname.replace(/\/$/, '') : '';

/** The address of a path of the service, for what does not go by the router. */
export function atBase(path: string): string {
  return path.startsWith('/') ? BASE + path : path;
}

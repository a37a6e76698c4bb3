// The end of something on which many wait at once. Node takes the eleventh listener of a signal for a leak, and says so
// in the log of whoever runs the daemon.
import { setMaxListeners } from 'node:events';

/** Returns a controller whose signal may have any number of listeners. */
export function abortForMany(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

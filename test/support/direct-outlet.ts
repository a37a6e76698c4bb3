// The way out that a machine has without any settings.
import { systemClock } from '../../shared-protocol/clock.js';
import { Outlet } from '../../shared-protocol/network/outlet.js';

export function directOutlet(): Outlet {
  return new Outlet({ clock: systemClock, nameServers: null });
}

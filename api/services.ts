// What routes may use; put together once by the daemon.
import type { LoginLimit } from './auth/login-limit.js';
import type { Sessions } from './auth/sessions.js';
import type { Accounts } from './services/accounts.js';
import type { EngineHealth } from './services/engine-health.js';
import type { Inspector } from './services/inspector.js';
import type { Library } from './services/library.js';
import type { SpeedLimits } from './services/speed-limits.js';
import type { Snapshots } from './snapshot/snapshots.js';

export interface Services {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly loginLimit: LoginLimit;
  readonly library: Library;
  readonly snapshots: Snapshots;
  readonly inspector: Inspector;
  readonly speedLimits: SpeedLimits;
  readonly engineHealth: EngineHealth;
  readonly about: { readonly flavor: 'daemon' | 'desktop'; readonly version: string };
}

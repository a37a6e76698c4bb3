// Where releases come from, and who may be asked to install one.
import { unixSeconds } from '../../clocks.js';
import type { Options } from '../../cli/options.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import type { Settings } from '../../services/settings/settings.js';
import { ReleaseUpdater } from '../../services/updater/release-updater.js';
import { UPDATE_PUBLIC_KEY } from '../../services/updater/signature.js';
import { Updates, type InstallSource, type Updater } from '../../services/updater/updates.js';
import { PROGRAM_ROOT, VERSION } from '../../version.js';

export interface UpdatesParts {
  readonly options: Pick<Options, 'updateUrl' | 'updateKey'>;
  readonly settings: Settings;
  readonly egress: Egress;
  /** null: one by releases, where there is a URL. */
  readonly updater: Updater | null;
  readonly installSource: InstallSource;
  readonly log: Log;
}

export function composeUpdates({ settings, updater, installSource, ...parts }: UpdatesParts): Updates {
  return new Updates({ settings, updater: updater ?? releaseUpdater({ installSource, ...parts }), installSource });
}

function releaseUpdater({ options, egress, installSource, log }: Omit<UpdatesParts, 'settings' | 'updater'>) {
  if (options.updateUrl === null) return null;
  return new ReleaseUpdater(
    { egress, now: unixSeconds, log },
    {
      url: options.updateUrl,
      publicKey: options.updateKey ?? UPDATE_PUBLIC_KEY,
      currentVersion: VERSION,
      installSource,
      programRoot: PROGRAM_ROOT,
      machine: { platform: process.platform, arch: process.arch },
    },
  );
}

// Samples of the updater's routes on a service to which none is attached. One that is: updater.test.ts.
import type { updaterRoutes } from '../../../../api/routes/updater.js';
import { OK, type Samples } from '../sample.js';

const DISABLED = { error: 'updater disabled' };

export const updaterSamples: Samples<typeof updaterRoutes> = {
  'GET /api/settings/updater': {
    who: 'account',
    call: () => ({}),
    answer: {
      enabled: true,
      channel: 'stable',
      last_checked_at: 0,
      last_seen_version: '',
      install_source: 'manual',
      signed: false,
      has_source: false,
    },
  },
  'PUT /api/settings/updater': {
    who: 'perm_change_settings',
    call: () => ({ body: { enabled: false, channel: 'beta', last_checked_at: 5, install_source: 'apt' } }),
    answer: OK,
    refusals: [
      {
        name: 'another channel',
        call: { body: { enabled: true, channel: 'nightly' } },
        status: 400,
        error: 'channel must be stable or beta',
      },
    ],
  },
  'POST /api/updater/check': { who: 'perm_change_settings', call: () => ({}), status: 500, answer: DISABLED },
  'POST /api/updater/install': { who: 'admin', call: () => ({}), status: 500, answer: DISABLED },
};

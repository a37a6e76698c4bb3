// For engines in tests whose torrents name no web seeds: one that is asked says so.
import type { WebSeedHttp } from '../../engine/webseed/index.js';

export const NO_WEB_SEEDS: WebSeedHttp = {
  newClient: () => ({
    get: async () => ({ kind: 'failed', reason: 'no web seeds in this test' }),
    close: () => undefined,
  }),
};

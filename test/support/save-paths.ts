// Save paths of which every one may be used.
import type { SavePaths } from '../../api/services/settings/save-paths.js';

export const ANYWHERE: Pick<SavePaths, 'choose'> = { choose: async (_account, requested) => requested };

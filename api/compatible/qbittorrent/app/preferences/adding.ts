// How torrents begin: where they are saved, where they lie until they are complete, and how their files are laid out.
import { z } from 'zod';
import { excludedNamesSchema, pathSchema } from '../../../../../shared-protocol/dto/fields.js';
import { CONTENT_LAYOUTS, type ContentLayout } from '../../../../../shared-protocol/content-layout.js';
import { check } from '../../../../routes/input.js';
import type { AccountContext } from '../../../../routes/route.js';
import { merged, preferenceGroup, type Grant } from '../../../preference-group.js';

/** More than the list may have. */
const MAX_LIST_CHARS = 64 * 1024;
/** The suffix that qBittorrent has; it knows no other. */
const INCOMPLETE_SUFFIX = '.!qB';
const LAYOUT_NAMES: Readonly<Record<ContentLayout, string>> = {
  original: 'Original',
  subfolder: 'Subfolder',
  no_subfolder: 'NoSubfolder',
};

export const addingPreferences = preferenceGroup({
  shown: ({ services, principal }) => {
    const { content_layout, incomplete_path, incomplete_suffix, preallocation, paused, excluded_file_names } =
      services.addingDefaults.inForce;
    return {
      save_path: services.savePaths.defaultOf(principal.account),
      temp_path_enabled: incomplete_path !== '',
      temp_path: incomplete_path,
      torrent_content_layout: LAYOUT_NAMES[content_layout],
      preallocate_all: preallocation === 'full',
      incomplete_files_ext: incomplete_suffix !== null,
      add_stopped_enabled: paused,
      // Its name in version 4.
      start_paused_enabled: paused,
      excluded_file_names_enabled: excluded_file_names.length > 0,
      excluded_file_names: excluded_file_names.join('\n'),
    };
  },
  wishes: z.object({
    save_path: pathSchema.optional(),
    temp_path_enabled: z.boolean().optional(),
    temp_path: pathSchema.optional(),
    torrent_content_layout: z.string().optional(),
    preallocate_all: z.boolean().optional(),
    incomplete_files_ext: z.boolean().optional(),
    add_stopped_enabled: z.boolean().optional(),
    start_paused_enabled: z.boolean().optional(),
    excluded_file_names_enabled: z.boolean().optional(),
    excluded_file_names: z.string().max(MAX_LIST_CHARS).optional(),
  }),
  prepare: async (wish, shown, context) => {
    const { services, principal } = context;
    const { account } = principal;
    const all = merged(shown, wish);
    const layout = CONTENT_LAYOUTS.find((name) => LAYOUT_NAMES[name] === all.torrent_content_layout);
    const isPaused = [all.add_stopped_enabled, all.start_paused_enabled].find((is) => is !== shown.add_stopped_enabled);
    const changed = {
      ...(isPaused !== undefined && { paused: isPaused }),
      ...(layout && { content_layout: layout }),
      ...(all.preallocate_all !== shown.preallocate_all && {
        preallocation: all.preallocate_all ? ('full' as const) : ('none' as const),
      }),
      ...(all.incomplete_files_ext !== shown.incomplete_files_ext && {
        incomplete_suffix: all.incomplete_files_ext ? INCOMPLETE_SUFFIX : null,
      }),
      ...namesWished(all),
      // A path alone changes nothing while it is switched off.
      incomplete_path: all.temp_path_enabled ? all.temp_path : '',
    };
    if (changed.incomplete_path !== '') {
      const before = services.addingDefaults.inForce.incomplete_path;
      await services.savePaths.choose(account, changed.incomplete_path, 'temp_path', before);
    }
    const setSavePath = all.save_path === shown.save_path ? null : await savePathGrant(all.save_path, context);
    return async () => {
      await services.addingDefaults.change(account, changed);
      await setSavePath?.();
    };
  },
});

/** One a line; they are not kept while they are switched off. @throws RequestError `BODY_INVALID` */
function namesWished(all: { readonly excluded_file_names_enabled: boolean; readonly excluded_file_names: string }) {
  const lines = all.excluded_file_names.split('\n').filter((line) => line.trim() !== '');
  return check(z.object({ excluded_file_names: excludedNamesSchema }), {
    excluded_file_names: all.excluded_file_names_enabled ? lines : [],
  });
}

/** For all accounts without a home of their own. */
async function savePathGrant(path: string, { services, principal }: AccountContext): Promise<Grant | null> {
  if (path === '') return null;
  await services.savePaths.choose(principal.account, path, 'save_path');
  return () => services.savePaths.setDefault(principal.account, path);
}

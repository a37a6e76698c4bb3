// How torrents begin: where they are saved, as the caller's own account has it, where they lie until they are complete,
// whether they run, and what becomes of the torrent files of the watch folder.
import { z } from 'zod';
import { pathSchema } from '../../../../shared-protocol/dto/fields.js';
import { RequestError } from '../../../errors.js';
import type { AccountContext } from '../../../routes/route.js';
import { merged, preferenceGroup, type Grant } from '../../preference-group.js';
import { flagSchema } from './fields.js';

/** The suffix that Transmission has; it knows no other. */
const INCOMPLETE_SUFFIX = '.part';

export const addingSettings = preferenceGroup({
  shown: async ({ services, principal }) => {
    const { addingDefaults, diskUsage, savePaths, watchFolder } = services;
    const path = savePaths.defaultOf(principal.account);
    const incompletePath = await savePaths.usable(principal.account, addingDefaults.inForce.incomplete_path);
    return {
      download_dir: path,
      download_dir_free_space: (await diskUsage.roomAt(principal.account, path))?.freeBytes ?? -1,
      incomplete_dir_enabled: incompletePath !== '',
      incomplete_dir: incompletePath,
      rename_partial_files: addingDefaults.inForce.incomplete_suffix !== null,
      start_added_torrents: !addingDefaults.inForce.paused,
      trash_original_torrent_files: watchFolder.stored.delete_after_add,
    };
  },
  wishes: z.object({
    download_dir: pathSchema.optional(),
    incomplete_dir_enabled: flagSchema.optional(),
    incomplete_dir: pathSchema.optional(),
    rename_partial_files: flagSchema.optional(),
    start_added_torrents: flagSchema.optional(),
    trash_original_torrent_files: flagSchema.optional(),
  }),
  prepare: async (wish, shown, context) => {
    const all = merged(shown, wish);
    const grants: Grant[] = [];
    // A path alone changes nothing while it is switched off.
    const path = all.incomplete_dir_enabled ? all.incomplete_dir : '';
    if (all.incomplete_dir_enabled && path === '') throw new RequestError('BODY_INVALID', 'incomplete_dir: required');
    if (path !== shown.incomplete_dir) grants.push(await incompletePath(path, context));
    const { trash_original_torrent_files: trashes, rename_partial_files: renames, start_added_torrents: starts } = all;
    if (renames !== shown.rename_partial_files) grants.push(suffix(renames ? INCOMPLETE_SUFFIX : null, context));
    if (starts !== shown.start_added_torrents) grants.push(() => setStarts(starts, context));
    if (trashes !== shown.trash_original_torrent_files) grants.push(await deletion(trashes, context));
    // Last: by it other paths are judged.
    if (all.download_dir !== shown.download_dir) grants.push(await savePath(all.download_dir, context));
    return async () => {
      for (const grant of grants) await grant();
    };
  },
});

/** For all accounts without a home of their own. */
async function savePath(path: string, { services, principal }: AccountContext): Promise<Grant> {
  const { account } = principal;
  if ((await services.savePaths.choose(account, path, 'download_dir')) === '') {
    throw new RequestError('BODY_INVALID', 'download_dir: must not be empty');
  }
  return () => services.savePaths.setDefault(account, path);
}

async function incompletePath(path: string, { services, principal }: AccountContext): Promise<Grant> {
  await services.savePaths.choose(principal.account, path, 'incomplete_dir');
  return () => services.addingDefaults.change(principal.account, { incomplete_path: path });
}

function suffix(incomplete_suffix: string | null, { services, principal }: AccountContext): Grant {
  return () => services.addingDefaults.change(principal.account, { incomplete_suffix });
}

function setStarts(starts: boolean, { services, principal }: AccountContext): Promise<void> {
  return services.addingDefaults.change(principal.account, { paused: !starts });
}

async function deletion(deletes: boolean, { services, principal }: AccountContext): Promise<Grant> {
  const { watchFolder } = services;
  const folder = await watchFolder.check(principal.account, { ...watchFolder.stored, delete_after_add: deletes });
  return () => watchFolder.set(principal.account, folder);
}

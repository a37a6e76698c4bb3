// The plugin Label of Deluge, `label.conf`: labels of torrents, which are categories here, and what each asks of its torrents. Options
// have been given to the torrents that are there already; here they are for those that come into the category. Pure.
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import type { ForeignCategory } from '../foreign-torrent.js';
import type { ForeignCategorySeeding, ForeignSettings, LeftOut } from '../foreign-settings.js';
import type { JsonObject } from '../json-file.js';
import { shortened } from '../settings-values.js';
import { membersOf, positive, speedIn } from './deluge-values.js';

/** No spec value. */
const MAX_LABELS = 1_000;

/** By the id of the torrent. */
export function labelsOfTorrents(label: JsonObject): ReadonlyMap<string, string> {
  const entries = Object.entries(membersOf(label['torrent_labels']));
  return new Map(entries.flatMap(([id, name]) => (typeof name === 'string' ? [[id, name] as const] : [])));
}

/** With the path at which their torrents lie once they are complete. */
export function categoriesOf(label: JsonObject): ForeignCategory[] {
  return labelsOf(label).map(([name, options]) => {
    const path = options['move_completed_path'];
    const moves = options['apply_move_completed'] === true && options['move_completed'] === true;
    return { name, savePath: moves && typeof path === 'string' ? path : '' };
  });
}

/** `hasRatio`: there is one for all, from which a label may be an exception. */
export function labelSettings(
  label: JsonObject,
  hasRatio: boolean,
): Pick<ForeignSettings, 'categorySeeding' | 'leftOut'> {
  const categorySeeding: ForeignCategorySeeding[] = [];
  const leftOut: LeftOut[] = [];
  for (const [category, options] of labelsOf(label)) {
    const ratio = options['stop_ratio'];
    const [asks, stops] = [options['apply_queue'] === true, options['stop_at_ratio'] === true];
    const removes = asks && stops && options['remove_at_ratio'] === true;
    if (asks && stops && !removes && typeof ratio === 'number') categorySeeding.push({ category, ratioLimit: ratio });
    if (asks && !stops && hasRatio) categorySeeding.push({ category, ratioLimit: null });
    for (const [holds, setting, reason] of [
      [removes, remark('RATIO_LIMIT'), remark('REMOVED_AT_LIMITS')],
      [asks && options['is_auto_managed'] === false, remark('START_WITHOUT_QUEUE'), remark('STARTED_EACH')],
      [hasLimits(options), remark('LIMITS'), remark('LIMITS_BY_AUTOMATION')],
      [
        options['auto_add'] === true && isFilled(options['auto_add_trackers']),
        remark('TRACKERS'),
        remark('CATEGORY_BY_AUTOMATION'),
      ],
    ] as const)
      if (holds) leftOut.push({ name: remark('OF_LABEL', { setting, label: shortened(category) }), reason });
  }
  return { categorySeeding, leftOut };
}

function labelsOf(label: JsonObject): (readonly [name: string, options: JsonObject])[] {
  const labels = Object.entries(membersOf(label['labels'])).slice(0, MAX_LABELS);
  return labels.map(([name, options]) => [name, membersOf(options)] as const);
}

function hasLimits(options: JsonObject): boolean {
  if (options['apply_max'] !== true) return false;
  const speeds = ['max_download_speed', 'max_upload_speed'].some((key) => speedIn(options, key) !== undefined);
  return speeds || ['max_connections', 'max_upload_slots'].some((key) => positive(options, key) !== undefined);
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

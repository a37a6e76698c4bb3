// The configuration of Deluge and of its plugins: files of two JSON objects behind one another, a version and the values; 1.2 wrote
// the values alone. A file of a plugin that is off says nothing.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { jsonObject, type JsonObject } from '../json-file.js';
import type { StateDirectory } from '../state-directory.js';

const CORE = 'core.conf';
const HOMES = ['', '.config/deluge', 'deluge', 'config'];
const MIB = 1024 * 1024;
/** A line for each torrent. */
const MAX_LABELS_BYTES = 64 * MIB;

export interface DelugeConfig {
  readonly core: JsonObject;
  readonly label: JsonObject;
  readonly blocklist: JsonObject;
  readonly scheduler: JsonObject;
  /** YaRSS2, the plugin for feeds. */
  readonly yarss: JsonObject;
}

/** A file that cannot be read is empty, and a note. */
export async function readDelugeConfig(root: StateDirectory, notes: Remark[]): Promise<DelugeConfig> {
  const home = await root.firstOf(HOMES, (names) => names.includes(CORE) || names.includes('label.conf'));
  if (!home) notes.push(remark('DELUGE_CONFIG_MISSING', { file: CORE }));
  const values = async (file: string, maxBytes?: number): Promise<JsonObject> => {
    const bytes = await home?.readAside(file, notes, maxBytes);
    const found = bytes ? valuesIn(bytes.toString('utf8')) : {};
    if (!found) notes.push(remark('FILE_LEFT', { problem: remark('NO_VALUES', { file }) }));
    return found ?? {};
  };
  const core = await values(CORE);
  const plugins = core['enabled_plugins'];
  // Which plugins are on is not known without it.
  const isOn = (plugin: string) => !Array.isArray(plugins) || plugins.includes(plugin);
  const ofPlugin = async (plugin: string, file: string, maxBytes?: number) =>
    isOn(plugin) ? values(file, maxBytes) : {};
  return {
    core,
    label: await ofPlugin('Label', 'label.conf', MAX_LABELS_BYTES),
    blocklist: await ofPlugin('Blocklist', 'blocklist.conf'),
    scheduler: await ofPlugin('Scheduler', 'scheduler.conf'),
    yarss: await ofPlugin('YaRSS2', 'yarss2.conf'),
  };
}

/** null: there are none. */
export function valuesIn(text: string): JsonObject | null {
  const first = jsonObject(text);
  if (first) return first;
  // The version has no object within.
  const second = text.indexOf('{', text.indexOf('}') + 1);
  return second < 0 ? null : jsonObject(text.slice(second));
}

// How a torrent begins, as the fields of torrents/add say it, in the words of the service's own adds. A table of fields: each
// with the part of the beginning that it decides and how it is read; a later one wins where several decide the same.
import { addingSchema, type AddingBody } from '../../../../shared-protocol/dto/adding.js';
import { RequestError } from '../../../errors.js';
import { validationMessage } from '../../../routes/validation-message.js';
import type { Fields } from '../../fields.js';
import { toKbps } from '../limit-units.js';
import { PRIORITIES } from './priorities.js';
import { seedingLimitsIn } from './seeding-limits.js';

type Part = keyof AddingBody;
/** Undefined: nothing is said. */
type Read = (fields: Fields, name: string) => unknown;

const flag: Read = (fields, name) => fields.flag(name);
const text: Read = (fields, name) => fields.text(name) || undefined;

/** A word for null, or one that is none of these, counts for nothing, as in qBittorrent: Flood sends `undefined`. */
const word =
  (words: Readonly<Record<string, string | null>>): Read =>
  (fields, name) => {
    const given = fields.text(name) ?? '';
    return (Object.hasOwn(words, given) ? words[given] : null) ?? undefined;
  };

const LAYOUTS = { Original: 'original', Subfolder: 'subfolder', NoSubfolder: 'no_subfolder' };
/** Words of WebAPI 2.2: true is what torrents are anyway. */
const ROOT_FOLDERS = { true: 'original', false: 'no_subfolder', unset: null };
const STOPS = { None: null, MetadataReceived: 'metadata', FilesChecked: 'check' };

const FIELDS: readonly (readonly [name: string, part: Part, read: Read])[] = [
  ['rename', 'name', text],
  ['paused', 'paused', flag],
  ['stopped', 'paused', flag],
  ['sequentialDownload', 'sequential', flag],
  ['firstLastPiecePrio', 'first_last_first', flag],
  ['forced', 'force_start', flag],
  ['skip_checking', 'skip_check', flag],
  ['seedMode', 'skip_check', flag],
  ['root_folder', 'content_layout', word(ROOT_FOLDERS)],
  ['contentLayout', 'content_layout', word(LAYOUTS)],
  ['addToTopOfQueue', 'queue_position', (fields, name) => (fields.flag(name) ? 'top' : undefined)],
  ['stopCondition', 'stop_after', word(STOPS)],
  ['filePriorities', 'file_priorities', prioritiesIn],
  ['savepath', 'save_path', (fields, name) => (fields.flag('autoTMM') ? undefined : text(fields, name))],
  [
    'downloadPath',
    'incomplete_path',
    (fields, name) => (fields.flag('useDownloadPath') === false ? '' : text(fields, name)),
  ],
  ['ratioLimit', 'seeding_rule', ruleIn],
  ['dlLimit', 'rate_limits', ratesIn],
];

/** Without a category and tags, which are named. @throws RequestError `BODY_INVALID` that names the field */
export function beginningIn(fields: Fields): AddingBody {
  const said: Record<string, unknown> = {};
  for (const [name, part, read] of FIELDS) {
    const value = read(fields, name);
    if (value !== undefined) said[part] = value;
  }
  const { success, data, error } = addingSchema.safeParse(said, { reportInput: true });
  if (success) return data;
  throw new RequestError('BODY_INVALID', inToolsWords(validationMessage(error.issues[0])));
}

/** A sentence that begins with a part of a beginning, beginning with the field that decides it. */
export function inToolsWords(sentence: string): string {
  const [, part = ''] = /^(\w+)[.:]/.exec(sentence) ?? [];
  const field = FIELDS.find(([, decided]) => decided === part)?.[0];
  return field ? field + sentence.slice(part.length) : sentence;
}

/** By the place of the file; WebAPI 2.12. */
function prioritiesIn(fields: Fields, name: string): Record<string, string> | undefined {
  const given = fields.text(name);
  if (!given) return undefined;
  const named = given.split(',').map((number) => PRIORITIES.get(number.trim()));
  if (named.includes(undefined)) throw invalid(name, 'expected 0, 1, 6 or 7, joined with commas');
  return Object.fromEntries(named.map((priority, index) => [index, priority ?? '']));
}

/** Limits that are inherited are left out, and so is a rule that has none. */
function ruleIn(fields: Fields): Record<string, unknown> | undefined {
  const own = Object.entries(seedingLimitsIn(fields)).filter(([, value]) => value !== 'inherited');
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

function ratesIn(fields: Fields): Record<string, number> | undefined {
  const kbps = (name: string) => toKbps(fields.integer(name) ?? 0);
  const [down_kbps, up_kbps] = [kbps('dlLimit'), kbps('upLimit')];
  return down_kbps + up_kbps === 0 ? undefined : { down_kbps, up_kbps };
}

function invalid(name: string, reason: string): RequestError {
  return new RequestError('BODY_INVALID', `${name}: ${reason}`);
}

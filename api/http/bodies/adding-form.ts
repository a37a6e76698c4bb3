// What a form says of the beginning of a torrent: fields that are lists or objects come as JSON, flags as words. A form
// knows texts only; what is empty is as if it were not there. Judged by the schema of the other ways to add.
import { addingWishesSchema, type AddingWishesBody } from '../../../shared-protocol/dto/adding.js';
import { RequestError } from '../../errors.js';
import { inputRefused } from '../../routes/validation-message.js';

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
]);

type Field = keyof AddingWishesBody;
const KINDS: { readonly [Name in Field]: 'flag' | 'word' | 'json' | 'path' } = {
  name: 'word',
  content_layout: 'word',
  incomplete_path: 'path',
  incomplete_suffix: 'path',
  preallocation: 'word',
  portable_names: 'flag',
  excluded_file_names: 'json',
  tags: 'json',
  seed_policy: 'json',
  seeding_rule: 'json',
  rate_limits: 'json',
  file_priorities: 'json',
  first_last_first: 'flag',
  force_start: 'flag',
  queue_position: 'word',
  stop_after: 'word',
  skip_check: 'flag',
};

/** @throws RequestError `BODY_INVALID` */
export function wishesInForm(fields: ReadonlyMap<string, string>): AddingWishesBody {
  const read: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(KINDS)) {
    const text = fields.get(name) ?? '';
    // An empty path is one as well: none.
    if (text !== '' || (kind === 'path' && fields.has(name)))
      read[name] = kind === 'json' ? parsed(name, text) : kind === 'flag' ? flag(name, text) : text;
  }
  const result = addingWishesSchema.safeParse(read, { reportInput: true });
  if (result.success) return result.data;
  throw inputRefused(result.error.issues[0]);
}

function flag(name: string, text: string): boolean {
  const value = FLAGS.get(text);
  if (value === undefined) throw invalid(`${name}: expected true or false`);
  return value;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(`${name}: not valid JSON`);
  }
}

function invalid(message: string): RequestError {
  return new RequestError('BODY_INVALID', message);
}

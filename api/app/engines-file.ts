// The file that --engines names: which engines of their own process this front has, and how each is reached.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { PLACED_BY_FLEET } from '../../shared-protocol/engine-choice.js';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import { engineAddress } from '../cli/option-values.js';
import { engineAt, nameOfAddress, type EngineAt } from '../engine-client/stream-address.js';
import type { PlacementRule } from '../engines/placement/rules.js';
import { faultOfRules, placementRule, placementSchema } from './placement-rules.js';

/** Each has a stream, and rows of its own in the table of figures. */
const MAX_ENGINES = 100;

const file = z.string().min(1).max(4096);
const entrySchema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/, 'expected letters, digits, dots, - and _; at most 64'),
  address: z.string(),
  token_file: file.optional(),
  ca_file: file.optional(),
  cert_file: file.optional(),
  key_file: file.optional(),
  peer_port: z.int().min(1).max(65_535).optional(),
});
/** Longer than a lease lasts, and than a process takes to start anew. */
const MIN_TAKE_OVER_S = 20;
const TAKE_OVER_S = 60;
const fileSchema = z.strictObject({
  engines: z.array(entrySchema).min(1).max(MAX_ENGINES),
  take_over_after_s: z.int().min(MIN_TAKE_OVER_S).max(86_400).default(TAKE_OVER_S),
  placement: placementSchema,
});
type Entry = z.infer<typeof entrySchema>;

export interface EngineEntry {
  readonly name: string;
  readonly at: EngineAt;
  readonly peerPort: number | null;
}

export interface EnginesFile {
  readonly entries: readonly EngineEntry[];
  /** An engine that is away for so long is lost: others take its torrents on shared roots. */
  readonly takeOverAfterMs: number;
  /** Where torrents of accounts go that are placed by the fleet: the first rule that holds decides. */
  readonly placement: readonly PlacementRule[];
}

/** Files in it are named from where it lies. @throws AppError `ENGINES_FILE_INVALID`, which names the field */
export async function readEnginesFile(path: string): Promise<EnginesFile> {
  const parsed = fileSchema.safeParse(await readJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(path, `${fieldOf(issue?.path ?? [])}: ${issue?.message ?? ''}`);
  }
  const entries = parsed.data.engines.map((entry, place) => entryOf(entry, { path, field: `engines[${place}]` }));
  const names = entries.map(({ name }) => name);
  refuseTwice(path, 'name', names);
  refuseTwice(
    path,
    'address',
    entries.map(({ at }) => nameOfAddress(at.address)),
  );
  refuseNameOfAll(path, entries);
  const { take_over_after_s, placement } = parsed.data;
  const fault = faultOfRules(placement, names);
  if (fault !== null) throw invalid(path, fault);
  return { entries, takeOverAfterMs: take_over_after_s * 1_000, placement: placement.map(placementRule) };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw invalid(path, error instanceof SyntaxError ? `no JSON: ${error.message}` : String(error));
  }
}

function entryOf(entry: Entry, { path, field }: { readonly path: string; readonly field: string }): EngineEntry {
  const { name, token_file, ca_file, cert_file, key_file, peer_port } = entry;
  const there = (named: string | undefined) => (named === undefined ? null : resolve(dirname(path), named));
  const files = {
    ...{ tokenFile: there(token_file), authorityFile: there(ca_file) },
    ...{ certFile: there(cert_file), keyFile: there(key_file) },
  };
  const names = { authority: 'ca_file', cert: 'cert_file', key: 'key_file' };
  const at = engineAt(addressOf(entry.address, path, `${field}.address`), files, names);
  if (typeof at === 'string') throw invalid(path, `${field}: ${at}`);
  return { name, at, peerPort: peer_port ?? null };
}

function addressOf(text: string, path: string, field: string) {
  try {
    return engineAddress(text);
  } catch (error) {
    throw invalid(path, `${field}: ${messageOf(error)}`);
  }
}

function refuseTwice(path: string, field: string, values: readonly string[]): void {
  const twice = values.find((value, place) => values.indexOf(value) !== place);
  if (twice !== undefined) throw invalid(path, `${field} ${twice}: two engines have it`);
}

/** The name that means any of them, as the engine of an account, is none of theirs. */
function refuseNameOfAll(path: string, entries: readonly EngineEntry[]): void {
  const place = entries.findIndex(({ name }) => name === PLACED_BY_FLEET);
  if (place < 0) return;
  throw invalid(path, `engines[${place}].name: ${PLACED_BY_FLEET} is what accounts say that are on any engine`);
}

function fieldOf(path: readonly PropertyKey[]): string {
  const names = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  return names.join('').replace(/^\./, '') || 'the file';
}

function invalid(path: string, reason: string): AppError {
  return new AppError('ENGINES_FILE_INVALID', `--engines ${path}: ${reason}`);
}

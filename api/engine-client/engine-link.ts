// What a front knows of its engines from one start to the next: by which name it comes itself, and which engine is at which place.
// An engine with another id is not taken for it: its torrents would take the place of the ones that are known.
import { readIfExists, replaceFile } from '../../storage/atomic-file.js';
import { isStreamId } from '../../shared-protocol/stream/messages.js';
import { createHash, randomBytes } from 'node:crypto';

export interface EngineLink {
  readonly frontId: string;
  /** null: none yet. */
  readonly engineId: string | null;
  /** The name that an engine is known by here, where it is another one than this; null: it is not. */
  otherNameOf(engineId: string): string | null;
  /** That engine is the one from now on. */
  learn(engineId: string): Promise<void>;
}

/** The one engine of a front that has no others. */
export const ONLY_ENGINE = '';

/** The link to each of the engines that a front has now, by their names. @throws AppError, system errors */
export async function openEngineLinks(file: string, names: readonly string[]): Promise<Map<string, EngineLink>> {
  const known = parsed((await readIfExists(file))?.toString() ?? '');
  const frontId = known.frontId ?? randomBytes(16).toString('hex');
  const { ids } = known;
  let writing: Promise<void> = Promise.resolve();
  const write = (): Promise<void> => {
    const written = writing.then(() => replaceFile(file, textOf(frontId, ids)));
    writing = written.catch(() => undefined);
    return written;
  };
  if (!known.frontId) await write();
  const linkOf = (name: string): EngineLink => ({
    frontId: frontIdFor(name, frontId),
    get engineId() {
      return ids.get(name) ?? null;
    },
    otherNameOf: (id) => names.find((other) => other !== name && ids.get(other) === id) ?? null,
    async learn(id) {
      ids.set(name, id);
      await write();
    },
  });
  return new Map(names.map((name) => [name, linkOf(name)]));
}

/** An engine takes a front that comes again for the same one: by another name of ours it is not to lose the stream that it has. */
function frontIdFor(name: string, frontId: string): string {
  if (name === ONLY_ENGINE) return frontId;
  return createHash('sha256').update(`${frontId} ${name}`).digest('hex').slice(0, 32);
}

function textOf(frontId: string, ids: ReadonlyMap<string, string>): string {
  const { [ONLY_ENGINE]: only = null, ...engines } = Object.fromEntries(ids);
  return `${JSON.stringify({ front_id: frontId, engine_id: only, engines })}\n`;
}

/** Ids that are in the file; what is none in it is passed over. */
function parsed(text: string): { readonly frontId: string | null; readonly ids: Map<string, string> } {
  const ids = new Map<string, string>();
  try {
    const { front_id, engine_id, engines } = JSON.parse(text) as Record<string, unknown>;
    if (isStreamId(engine_id)) ids.set(ONLY_ENGINE, engine_id);
    for (const [name, id] of Object.entries(engines ?? {})) if (isStreamId(id)) ids.set(name, id);
    return { frontId: isStreamId(front_id) ? front_id : null, ids };
  } catch {
    return { frontId: null, ids };
  }
}

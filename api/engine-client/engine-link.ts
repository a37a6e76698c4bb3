// What a front knows of its engine from one start to the next: by which name it comes itself, and which engine it knows. An
// engine with another name is not taken for it: its torrents would take the place of the ones that are known.
import { readIfExists, replaceFile } from '../../storage/atomic-file.js';
import { isStreamId } from '../../shared-protocol/stream/messages.js';
import { randomBytes } from 'node:crypto';

export interface EngineLink {
  readonly frontId: string;
  /** null: none yet. */
  readonly engineId: string | null;
  /** That engine is the one from now on. */
  learn(engineId: string): Promise<void>;
}

/** @throws AppError, system errors */
export async function openEngineLink(file: string): Promise<EngineLink> {
  const known = parsed((await readIfExists(file))?.toString() ?? '');
  const frontId = known.front_id ?? randomBytes(16).toString('hex');
  let engineId = known.engine_id ?? null;
  const write = () => replaceFile(file, `${JSON.stringify({ front_id: frontId, engine_id: engineId })}\n`);
  if (!known.front_id) await write();
  return {
    frontId,
    get engineId() {
      return engineId;
    },
    async learn(id) {
      engineId = id;
      await write();
    },
  };
}

function parsed(text: string): { readonly front_id?: string; readonly engine_id?: string } {
  try {
    const { front_id, engine_id } = JSON.parse(text) as Record<string, unknown>;
    return { ...(isStreamId(front_id) && { front_id }), ...(isStreamId(engine_id) && { engine_id }) };
  } catch {
    return {};
  }
}

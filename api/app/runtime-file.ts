// `runtime.json` (docs/architecture.md#the-run-contract): where the running instance can be reached, for other programs
// and for the one that finds the data directory in use. Owns its content.
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../../shared-protocol/errors.js';
import { readIfExists, replaceFile } from '../../storage/atomic-file.js';

const runtimeSchema = z.object({
  pid: z.int(),
  /** Empty while it does not listen. */
  http_url: z.string(),
  peer_port: z.int(),
  version: z.string(),
});
export type Runtime = Readonly<z.infer<typeof runtimeSchema>>;

export async function writeRuntime(file: string, runtime: Runtime): Promise<void> {
  await replaceFile(file, `${JSON.stringify(runtime)}\n`);
}

/** Null when nothing is there that can be understood. */
async function readRuntime(file: string): Promise<Runtime | null> {
  try {
    const parsed = runtimeSchema.safeParse(JSON.parse((await readIfExists(file))?.toString('utf8') ?? 'null'));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

export async function removeRuntime(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Says where the instance runs that has the directory. SIGUSR2 has a desktop program show a new sign-in link. */
export async function explainLock(error: unknown, file: string, flavor: 'daemon' | 'desktop'): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'STORAGE_LOCKED') return error;
  const running = await readRuntime(file);
  if (!running) return error;
  const where = running.http_url ? `; it runs at ${running.http_url}` : '';
  const how = flavor === 'desktop' ? `; kill -USR2 ${running.pid} has it show a new sign-in link` : '';
  return new AppError('STORAGE_LOCKED', `${error.message}${where}${how}`, undefined, { cause: error });
}

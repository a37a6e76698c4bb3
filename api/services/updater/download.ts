// Fetches an asset into a file and believes nothing of it: size and SHA-256 are taken while it comes, and the first byte
// too many ends it.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Egress } from '../../egress/egress.js';
import { asUpdateFailure, updateFailed } from './failure.js';
import type { Asset } from './manifest.js';

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;
/** No spec value; several times what a release with its modules takes. */
const MAX_ASSET_BYTES = 500 * MIB;
const DOWNLOAD_MS = 30 * MINUTE_MS;
const PRIVATE_FILE_MODE = 0o600;

/** `target` must not exist. What it holds when this fails is worth nothing. @throws RequestError `UPDATE_FAILED` */
export async function downloadAsset(
  egress: Pick<Egress, 'read'>,
  { filename, url, size, sha256 }: Asset,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  if (size > MAX_ASSET_BYTES) throw updateFailed(`${filename}: larger than ${MAX_ASSET_BYTES} bytes`);
  const hash = createHash('sha256');
  let received = 0;
  try {
    await egress.read(url, { caller: null, maxBytes: size, timeoutMs: DOWNLOAD_MS, signal }, async (body) => {
      const file = await open(target, 'wx', PRIVATE_FILE_MODE);
      try {
        for await (const chunk of body) {
          hash.update(chunk);
          received += chunk.length;
          await file.writeFile(chunk);
        }
      } finally {
        await file.close();
      }
    });
  } catch (thrown) {
    throw asUpdateFailure(filename, thrown);
  }
  if (received !== size) throw updateFailed(`${filename}: ${received} bytes, the manifest says ${size}`);
  if (hash.digest('hex') !== sha256) throw updateFailed(`${filename}: its SHA-256 is not that of the manifest`);
}

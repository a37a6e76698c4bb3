// Entry of the thread in which MediaInfo (WebAssembly, mediainfo.js) looks at one file of a stranger and which is then ended.
// It is told the length of the file, asks for bytes, and says what it has found.
import { parentPort } from 'node:worker_threads';
import mediaInfoFactory from 'mediainfo.js';
import type { ThreadMessage } from './analysis.js';
import { boundMemory } from './bound-memory.js';

/** Bound instead of its own 2 GiB; it begins with 34 MiB, and films of any length need little more. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
/** One answer of the engine. */
const CHUNK_BYTES = 256 * 1024;

if (!parentPort) throw new Error('bug: media files are looked at in a worker thread');
const port = parentPort;
const say = (message: ThreadMessage): void => port.postMessage(message);

boundMemory(MAX_MEMORY_BYTES);
const mediaInfo = await mediaInfoFactory({ format: 'text', chunkSize: CHUNK_BYTES });
port.once('message', (sizeBytes: number) => {
  mediaInfo.analyzeData(sizeBytes, bytesAt).then(
    (text) => say({ kind: 'done', text }),
    () => say({ kind: 'failed' }),
  );
});
say({ kind: 'loaded' });

async function bytesAt(count: number, from: number): Promise<Uint8Array> {
  const bytes = new Promise<Uint8Array>((resolve) => port.once('message', resolve));
  say({ kind: 'wants', from, count });
  return bytes;
}

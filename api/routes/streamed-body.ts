// An answer of many parts that are shared with others: written a little at a time, as fast as it is read, and never put
// together, so that a list of a hundred thousand torrents costs neither a copy nor a long turn of the event loop.
import type { ServerResponse } from 'node:http';
import { setImmediate as pause } from 'node:timers/promises';

/** Handed to the connection at once. */
const SLICE_BYTES = 256 * 1024;

export class StreamedBody {
  /** In bytes. */
  readonly length: number;

  constructor(readonly parts: readonly Uint8Array[]) {
    this.length = parts.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Writes and ends it. Resolves also when the client is gone before. */
export async function writeStreamed(response: ServerResponse, { parts }: StreamedBody): Promise<void> {
  for (let from = 0; from < parts.length && !response.destroyed;) {
    let bytes = 0;
    let hasRoom = true;
    response.cork();
    for (; from < parts.length && bytes < SLICE_BYTES; from++) {
      bytes += parts[from]!.length;
      hasRoom = response.write(parts[from]!);
    }
    response.uncork();
    if (!hasRoom) await roomIn(response);
    await pause();
  }
  response.end();
}

function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle);
      resolve();
    };
    response.on('drain', settle).on('close', settle);
    if (response.destroyed) settle();
  });
}

// An answer whose bytes are asked for while it is written: a chunk only when the connection has taken the one before, so
// that nobody who reads slowly keeps more than that in memory. Its head goes out with the first bytes: until then what
// goes wrong is answered as any error. A client that takes nothing is let go.
import type { ServerResponse } from 'node:http';

/** Looked at while the connection takes nothing: whether its client may still have the rest. */
const LOOK_EVERY_MS = 5_000;
/** Without a byte taken; no spec value. A player that was paused asks for the rest anew. */
const STALLED_MS = 120_000;

export interface ByteSource {
  /** Bytes of all of it; null: it is not known before. */
  readonly length: number | null;
  /** More of it; null: that was all, or it was closed. Rejects where nothing more is to be had. */
  next(): Promise<Uint8Array | null>;
  /** @throws RequestError where whoever asked may not have the rest any more */
  assertAllowed(): void;
  /** Called once it has been sent, or cannot be sent any more. */
  close(): void;
}

export class LiveBody {
  constructor(readonly source: ByteSource) {}
}

/**
 * Writes and ends it; `writeHead` is called when the first bytes are there. Resolves also when the client is gone before.
 * Rejects where there is no more to send: the connection is to be ended then.
 */
export async function writeLive(response: ServerResponse, { source }: LiveBody, writeHead: () => void): Promise<void> {
  const close = (): void => source.close();
  response.once('close', close);
  try {
    if (response.destroyed) return;
    for (let isFirst = true; ; isFirst = false) {
      const bytes = await source.next();
      if (response.destroyed) return;
      if (isFirst) writeHead();
      if (!bytes) break;
      if (!response.write(bytes)) await roomIn(response, source);
    }
    response.end();
  } finally {
    response.off('close', close);
    close();
  }
}

function roomIn(response: ServerResponse, source: ByteSource): Promise<void> {
  return new Promise((resolve, reject) => {
    const { socket } = response;
    let taken = socket?.bytesWritten ?? 0;
    let stalledMs = 0;
    const settle = (act: () => void): void => {
      clearInterval(timer);
      response.off('drain', onRoom).off('close', onRoom);
      act();
    };
    const onRoom = (): void => settle(resolve);
    const timer = setInterval(() => {
      try {
        source.assertAllowed();
      } catch (error) {
        // What was thrown is what the answer would say, if it had not begun.
        return settle(() => reject(error instanceof Error ? error : new Error(String(error))));
      }
      const now = socket?.bytesWritten ?? 0;
      stalledMs = now === taken ? stalledMs + LOOK_EVERY_MS : 0;
      taken = now;
      if (stalledMs >= STALLED_MS) response.destroy();
    }, LOOK_EVERY_MS);
    response.on('drain', onRoom).on('close', onRoom);
    if (response.destroyed) onRoom();
  });
}

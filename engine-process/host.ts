// The engine, the listener for fronts, and the stream to the front that is connected, introduced to each other.
import type { EngineStarted } from '../shared-protocol/commands.js';
import { FrontListener, type FrontListenerDeps } from './front-listener.js';
import { FrontStream } from './front-stream.js';
import { HostedEngine, type HostedEngineDeps } from './hosted-engine.js';

/** Figures are told so often; before each answer in any case. */
const FIGURES_EVERY_MS = 250;

export type HostDeps = Omit<HostedEngineDeps, 'isHeard' | 'tell'> & Omit<FrontListenerDeps, 'onFront'>;

export interface Host {
  /** Taken by the listener; 0 for a Unix socket. */
  readonly port: number;
  /** The engine as it went on by itself; null: it waits for its first front. */
  readonly begun: EngineStarted | null;
  /** Tells what has happened now, not in a moment. */
  flush(): void;
  /** Ends the stream to the front, which comes again. */
  cut(reason: string): void;
  /** The engine stops in order, then the listener. */
  close(): Promise<void>;
}

/** @throws AppError `LISTEN_FAILED` */
export async function startHost(deps: HostDeps): Promise<Host> {
  let stream: FrontStream | null = null;
  const engine = new HostedEngine({
    ...deps,
    isHeard: () => stream?.isGreeted ?? false,
    tell: (message) => stream?.tell(message),
  });
  const listener = new FrontListener({
    ...deps,
    onFront: (socket) => {
      const opened: FrontStream = new FrontStream({
        socket,
        greet: (hello) => engine.greet(hello),
        call: (call) => engine.call(call),
        flush: () => engine.flush(),
        onClosed: (reason) => {
          if (stream === opened) stream = null;
          deps.log.info('front gone', { reason });
        },
      });
      stream = opened;
      return { end: (reason) => opened.close(reason) };
    },
  });
  await listener.listen();
  const telling = setInterval(() => {
    if (stream && !stream.isBusy) engine.flushRows();
  }, FIGURES_EVERY_MS);
  const close = async (): Promise<void> => {
    clearInterval(telling);
    await engine.close();
    await listener.close();
  };
  // What hinders it is told to the front that starts it again, and may be mended there: another port, say.
  const begun = await engine.begin().catch((error: unknown) => {
    deps.log.warn('does not go on by itself', { reason: error instanceof Error ? error.message : String(error) });
    return null;
  });
  return { port: listener.port, begun, flush: () => engine.flush(), cut: (reason) => stream?.end(reason), close };
}

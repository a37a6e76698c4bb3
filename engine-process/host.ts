// The engine, the listener for fronts, and the streams to those that are connected, introduced to each other.
import type { EngineStarted } from '../shared-protocol/commands/engine-options.js';
import { messageOf } from '../shared-protocol/errors.js';
import { FrontListener, type FrontListenerDeps } from './front-listener.js';
import { FrontStream } from './front-stream.js';
import { NodeLease, type NodeLeaseDeps } from './node-lease.js';
import { HostedEngine, type HeardFront, type HostedEngineDeps } from './hosted-engine.js';

/** Figures are told so often; before each answer in any case. */
const FIGURES_EVERY_MS = 250;
/** The engine has so long to stop in order when its lease is lost; the rest of the margin is for it to be ended. */
const FENCE_MS = 3_000;

export type HostDeps = Omit<HostedEngineDeps, 'fronts' | 'lease' | 'after' | 'onRefused'> &
  Omit<FrontListenerDeps, 'onFront'> & { readonly clock: NodeLeaseDeps['clock'] };

export interface Host {
  /** Taken by the listener; 0 for a Unix socket. */
  readonly port: number;
  /** The engine as it went on by itself; null: it waits for its first front. */
  readonly begun: EngineStarted | null;
  /** Tells what has happened now, not in a moment. */
  flush(): void;
  /** Ends the streams to fronts, which come again. */
  cut(reason: string): void;
  /** The engine stops in order, then the listener. */
  close(): Promise<void>;
}

/** A front's stream, and what it has been told of figures. */
interface Connected extends HeardFront {
  readonly stream: FrontStream;
}

/** @throws AppError `LISTEN_FAILED` */
export async function startHost(deps: HostDeps): Promise<Host> {
  const connected = new Set<Connected>();
  const heard = (): Connected[] => [...connected].filter(({ stream }) => stream.isGreeted);
  const lease: NodeLease | null = deps.own.sharing
    ? new NodeLease({
        clock: deps.clock,
        ask: (asked) => engine.tell({ name: 'lease.wanted', payload: { asked } }),
        onLost: () => fence(),
      })
    : null;
  const onRefused = (command: string, reason: string) => deps.log.warn('a front was refused', { command, reason });
  const runAfter = (after: Promise<unknown>) => new HostedEngine({ ...deps, fronts: heard, lease, after, onRefused });
  let engine = runAfter(Promise.resolve());
  const cut = (reason: string): void => {
    for (const { stream } of connected) stream.end(reason);
  };
  /** Another run, of which fronts learn all anew, waits for a lease, and finds what is left to it. */
  const fence = (): void => {
    deps.log.warn('the lease has run out: torrents stop until there is another', {});
    const fenced = engine.end(FENCE_MS);
    engine = runAfter(fenced.catch(() => undefined));
    cut('its lease has run out');
    void begin();
  };
  // What hinders it is told to the front that starts it again, and may be mended there: another port, say.
  const begin = (): Promise<EngineStarted | null> =>
    engine.begin().catch((error: unknown) => {
      deps.log.warn('does not go on by itself', { reason: messageOf(error) });
      return null;
    });
  const listener = new FrontListener({
    ...deps,
    onFront: (socket) => {
      const stream: FrontStream = new FrontStream({
        socket,
        greet: (hello) => {
          if (lease) setImmediate(() => lease.ask());
          return engine.greet(hello);
        },
        call: (call) => engine.call(call),
        flush: () => engine.flush(),
        onClosed: (reason) => {
          connected.delete(front);
          deps.log.info('front gone', { reason });
        },
      });
      const front: Connected = { stream, rows: engine.packer(), tell: (message) => stream.tell(message) };
      connected.add(front);
      return { end: (reason) => stream.close(reason) };
    },
  });
  await listener.listen();
  const telling = setInterval(() => {
    for (const front of heard()) if (!front.stream.isBusy) engine.flushRows(front);
  }, FIGURES_EVERY_MS);
  const close = async (): Promise<void> => {
    clearInterval(telling);
    lease?.close();
    await engine.close();
    await listener.close();
  };
  lease?.ask();
  // With a lease to come from a front, nobody waits for it here.
  const going = begin();
  const begun = lease ? null : await going;
  return { port: listener.port, begun, flush: () => engine.flush(), cut, close };
}

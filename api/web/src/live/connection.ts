// The page's end of the live connection: one worker for as long as a user is signed in.
import { batch, createSignal, type Accessor } from 'solid-js';
import type { ConnectionState, FromWorker, ToWorker } from './messages.js';
import { unpacked } from './packed.js';
import { atBase } from '../net/base.js';

export interface LiveHandlers {
  readonly onMessage: (message: Exclude<FromWorker, { kind: 'state' }>) => void;
  /** The session has ended, or never was: the user must sign in. */
  readonly onRevoked: () => void;
  /** A connection was lost: whether the session still holds has to be asked. */
  readonly onLost: () => void;
}

export interface LiveConnection {
  readonly state: Accessor<ConnectionState>;
  /** At once, without waiting for the next attempt. */
  reconnect(): void;
  close(): void;
}

export function openLiveConnection({ onMessage, onRevoked, onLost }: LiveHandlers): LiveConnection {
  const [state, setState] = createSignal<ConnectionState>({ kind: 'connecting', isAgain: false });
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'live' });
  const onOne = (message: FromWorker) => {
    if (message.kind !== 'state') return onMessage(message);
    setState(message.state);
    if (message.state.kind === 'revoked') onRevoked();
    if (message.state.kind === 'lost') onLost();
  };
  worker.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) =>
    batch(() => unpacked(data).forEach(onOne)),
  );
  const send = (message: ToWorker) => worker.postMessage(message);
  const url = new URL(atBase('/api/ws?frames=delta&servers=all'), location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const reconnect = () => send({ kind: 'open', url: url.href });
  reconnect();
  // Back from sleep, or a network is there again: no need to wait.
  const again = () => {
    if (state().kind === 'lost') reconnect();
    else send({ kind: 'look' });
  };
  const onVisible = () => document.visibilityState === 'visible' && again();
  addEventListener('online', again);
  document.addEventListener('visibilitychange', onVisible);
  return {
    state,
    reconnect,
    close() {
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', onVisible);
      worker.terminate();
    },
  };
}

// Holds the WebSocket: connects, connects again, and tells the page what has changed.
import type { DetailDto } from '../../../../shared-protocol/dto/inspector.js';
import type { NoticesChanged } from '../../../../shared-protocol/dto/notices.js';
import type { UpdateInfoDto } from '../../../../shared-protocol/dto/settings.js';
import type { GlobalStats, TorrentDto } from '../../../../shared-protocol/dto/torrents.js';
import { retryDelayMs } from './backoff.js';
import { DetailDiff } from './detail-diff.js';
import { TorrentDiff, type TorrentsDelta } from './diff.js';
import type { ConnectionState, ToWorker } from './messages.js';
import { ServerLists, type ServerNews, type ServerTick } from './server-lists.js';
import { Outbox } from './outbox.js';
import { packed } from './packed.js';
import { Watchdog } from './watchdog.js';
import { atBase } from '../net/base.js';

/** The code that the server closes with when the session has ended. */
const POLICY_VIOLATION = 1008;
/** A connection that is not there by then will not be. */
const CONNECT_WITHIN_MS = 10_000;

type Frame =
  | { readonly type: 'torrents:tick'; readonly payload: readonly TorrentDto[] }
  | { readonly type: 'torrents:delta'; readonly payload: TorrentsDelta }
  | { readonly type: 'stats:tick'; readonly payload: GlobalStats }
  | { readonly type: 'inspector:tick'; readonly payload: DetailDto }
  | { readonly type: 'servers:tick'; readonly payload: readonly ServerTick[] }
  | { readonly type: 'notices:changed'; readonly payload: NoticesChanged }
  | { readonly type: 'update:available'; readonly payload: UpdateInfoDto };

/** Kept as long as the page has the torrents: what goes while the connection is lost is gone for the page as well. */
const torrents = new TorrentDiff();
const servers = new ServerLists();
const details = new DetailDiff();
const outbox = new Outbox((messages) => {
  const buffer = packed(messages);
  self.postMessage(buffer, { transfer: [buffer] });
});
let socket: WebSocket | null = null;
let retry: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let isAgain = false;
let watchdog: Watchdog | null = null;
/** Whether people have been told that nothing comes. */
let isSilent = false;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'look') return watchdog?.look();
  clearTimeout(retry);
  failures = 0;
  disconnect();
  if (data.kind === 'open') connect(data.url);
});

function connect(url: string): void {
  tell({ kind: 'connecting', isAgain });
  const opened = new WebSocket(url);
  socket = opened;
  const tooLate = setTimeout(() => giveUp(url), CONNECT_WITHIN_MS);
  opened.addEventListener('open', () => {
    clearTimeout(tooLate);
    if (socket !== opened) return;
    isAgain = true;
    servers.opened();
    tell({ kind: 'open' });
    watchdog = watch(url);
  });
  opened.addEventListener('message', ({ data }: MessageEvent<string>) => {
    if (socket !== opened) return;
    failures = 0;
    watchdog?.heard();
    if (isSilent) tell({ kind: 'open' });
    // The types are those of the server, which serves this page as well; others are ignored.
    onFrame(JSON.parse(data) as Frame);
  });
  opened.addEventListener('close', ({ code }) => {
    clearTimeout(tooLate);
    if (socket !== opened) return;
    if (code !== POLICY_VIOLATION) return giveUp(url);
    disconnect();
    tell({ kind: 'revoked' });
  });
}

function watch(url: string): Watchdog {
  return new Watchdog({
    nowMs: () => Date.now(),
    isAnswering: async (withinMs) => {
      try {
        await fetch(atBase('/api/healthz'), { cache: 'no-store', signal: AbortSignal.timeout(withinMs) });
        return true;
      } catch {
        return false;
      }
    },
    onSilent: (sinceMs) => tell({ kind: 'silent', sinceMs }),
    onDead: () => giveUp(url),
  });
}

/** Another connection is tried after a while. */
function giveUp(url: string): void {
  disconnect();
  const delayMs = retryDelayMs(++failures, Math.random());
  tell({ kind: 'lost', retryAtMs: Date.now() + delayMs });
  retry = setTimeout(() => connect(url), delayMs);
}

function disconnect(): void {
  watchdog?.stop();
  watchdog = null;
  const closing = socket;
  socket = null;
  closing?.close();
}

function onFrame(frame: Frame): void {
  switch (frame.type) {
    case 'torrents:tick':
      return outbox.hold({ kind: 'torrents', changes: torrents.next(frame.payload) });
    case 'torrents:delta':
      return outbox.hold({ kind: 'torrents', changes: torrents.apply(frame.payload) });
    case 'servers:tick':
      return tellServers(servers.next(frame.payload));
    case 'stats:tick':
      tellServers(servers.figures());
      return outbox.send({ kind: 'stats', stats: frame.payload });
    case 'inspector:tick':
      return outbox.send({ kind: 'inspector', change: details.next(frame.payload) });
    case 'notices:changed':
      return outbox.send({ kind: 'notices', changed: frame.payload });
    case 'update:available':
      return outbox.send({ kind: 'update', info: frame.payload });
  }
}

function tellServers(news: ServerNews | null): void {
  if (!news) return;
  const { changes, standings } = news;
  if (standings) outbox.send({ kind: 'servers', standings });
  const isAny = changes.added.length + changes.patches.length + changes.removed.length > 0;
  if (isAny) outbox.send({ kind: 'torrents', changes });
}

function tell(state: ConnectionState): void {
  isSilent = state.kind === 'silent';
  outbox.send({ kind: 'state', state });
}

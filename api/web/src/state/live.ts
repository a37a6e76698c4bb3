// What is live while a user is signed in: the torrents, the figures of all, the torrent that is looked at.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import type { DetailDto } from '../../../../shared-protocol/dto/inspector.js';
import type { NoticesChanged } from '../../../../shared-protocol/dto/notices.js';
import type { UpdateInfoDto } from '../../../../shared-protocol/dto/settings.js';
import type { GlobalStats } from '../../../../shared-protocol/dto/torrents.js';
import { openLiveConnection, type LiveConnection } from '../live/connection.js';
import type { ServerStanding } from '../live/messages.js';
import { Detail } from './detail.js';
import { refreshSession } from './session.js';
import { Torrents } from './torrents.js';

const NOTHING: GlobalStats = {
  total_torrents: 0,
  active_torrents: 0,
  seeding_torrents: 0,
  total_download_rate: 0,
  total_upload_rate: 0,
  total_peers: 0,
};

export interface Live {
  readonly torrents: Torrents;
  readonly stats: Accessor<GlobalStats>;
  /** The other servers that the account sees; none until some are told of. */
  readonly servers: Accessor<readonly ServerStanding[]>;
  /** The details of the torrent in focus; null while there is none, or nothing of it has come yet. */
  readonly detail: Accessor<DetailDto | null>;
  /** The counts of what is unread, and the news of just now; null until the server has said so. */
  readonly notices: Accessor<NoticesChanged | null>;
  /** A newer release that was found. */
  readonly update: Accessor<UpdateInfoDto | null>;
  readonly connection: LiveConnection;
}

/** For the component that is there as long as a user is signed in. */
export function createLive(): Live {
  const torrents = new Torrents();
  const details = new Detail();
  const [stats, setStats] = createSignal(NOTHING);
  const [servers, setServers] = createSignal<readonly ServerStanding[]>([]);
  const [detail, setDetail] = createSignal<DetailDto | null>(null);
  const [notices, setNotices] = createSignal<NoticesChanged | null>(null);
  const [update, setUpdate] = createSignal<UpdateInfoDto | null>(null);
  const connection = openLiveConnection({
    onMessage(message) {
      switch (message.kind) {
        case 'torrents':
          return torrents.apply(message.changes);
        case 'servers':
          return void setServers(message.standings);
        case 'stats':
          return void setStats(message.stats);
        case 'inspector':
          return void setDetail(details.apply(message.change));
        case 'notices':
          return void setNotices(message.changed);
        case 'update':
          return void setUpdate(message.info);
      }
    },
    onRevoked: () => void refreshSession(),
    onLost: () => void refreshSession(),
  });
  onCleanup(() => connection.close());
  return { torrents, stats, servers, detail, notices, update, connection };
}

// What qBittorrent's interface keeps from request to request: lists of objects, and what clients were told of them last.
import { unixSeconds } from '../../clocks.js';
import type { Services } from '../../routes/services.js';
import { ObjectLists } from './objects/object-lists.js';
import type { Kept } from './row.js';
import { MainDataVersions } from './sync/main-data-versions.js';
import { PeerVersions } from './sync/peer-versions.js';

export function keptFrom(services: Services): Kept {
  const objectLists = new ObjectLists(services, { unixS: unixSeconds });
  return {
    objectLists,
    mainDataVersions: new MainDataVersions(objectLists),
    peerVersions: new PeerVersions(),
    matching: new Set(),
  };
}

// Requests to Transmission's RPC, for the shape of their answers: what is read, what is refused, what is changed.
import type { RpcFields } from '../../../support/compatible/rpc.js';

export interface RpcRequest {
  readonly method: string;
  readonly fields: RpcFields;
  /** Sent in place of a method with its arguments. */
  readonly body?: string;
}

export interface Known {
  /** Complete. */
  readonly alpha: string;
  /** Stopped; three files of which nothing is there. */
  readonly beta: string;
  readonly savePath: string;
}

/** RPC specification 3.1 for `torrent-set`, 3.3 for `torrent-get`, as of version 3.00. */
const FIELDS = [
  ...['activityDate', 'addedDate', 'bandwidthPriority', 'comment', 'corruptEver', 'creator', 'dateCreated'],
  ...['desiredAvailable', 'doneDate', 'downloadDir', 'downloadedEver', 'downloadLimit', 'downloadLimited', 'editDate'],
  ...['error', 'errorString', 'eta', 'etaIdle', 'files', 'fileStats', 'hashString', 'haveUnchecked', 'haveValid'],
  ...['honorsSessionLimits', 'id', 'isFinished', 'isPrivate', 'isStalled', 'labels', 'leftUntilDone', 'magnetLink'],
  ...['manualAnnounceTime', 'maxConnectedPeers', 'metadataPercentComplete', 'name', 'peer-limit', 'peers'],
  ...['peersConnected', 'peersFrom', 'peersGettingFromUs', 'peersSendingToUs', 'percentDone', 'pieces', 'pieceCount'],
  ...['pieceSize', 'priorities', 'queuePosition', 'rateDownload', 'rateUpload', 'recheckProgress'],
  ...['secondsDownloading', 'secondsSeeding', 'seedIdleLimit', 'seedIdleMode', 'seedRatioLimit', 'seedRatioMode'],
  ...['sizeWhenDone', 'startDate', 'status', 'trackers', 'trackerStats', 'totalSize', 'torrentFile', 'uploadedEver'],
  ...['uploadLimit', 'uploadLimited', 'uploadRatio', 'wanted', 'webseeds', 'webseedsSendingToUs'],
];
const NONE = 'f'.repeat(40);

function rpc(method: string, fields: RpcFields = {}): RpcRequest {
  return { method, fields };
}

export function readingRequests({ alpha, beta, savePath }: Known): readonly RpcRequest[] {
  return [
    rpc('session-get'),
    rpc('session-stats'),
    ...FIELDS.map((field) => rpc('torrent-get', { ids: [alpha, beta], fields: [field] })),
    rpc('torrent-get', { fields: ['id'] }),
    ...[1, [1], ['nonsense'], [NONE], [], 'recently-active', [-1], [99]].map((ids) =>
      rpc('torrent-get', { ids, fields: ['id', 'name'] }),
    ),
    rpc('torrent-get', { fields: ['id', 'name'], format: 'table' }),
    rpc('torrent-get', { fields: ['id', 'name'], format: 'objects' }),
    rpc('free-space', { path: savePath }),
  ];
}

export function refusedRequests({ alpha, beta }: Known): readonly RpcRequest[] {
  const raw = (body: string): RpcRequest => ({ method: 'as it is', fields: {}, body });
  return [
    ...['', '{', '[]', 'null', '{}', '{"method":5}', '{"arguments":{}}'].map(raw),
    rpc('nonsense'),
    rpc('torrent-get'),
    rpc('torrent-get', { fields: [] }),
    rpc('torrent-get', { fields: ['nonsense'] }),
    rpc('torrent-add'),
    rpc('torrent-add', { metainfo: 'nonsense' }),
    rpc('torrent-add', { filename: 'magnet:?xt=nonsense' }),
    rpc('torrent-set', { ids: [beta], 'files-wanted': [99] }),
    rpc('torrent-set', { ids: [beta], trackerRemove: [99] }),
    rpc('torrent-set', { ids: [beta], trackerAdd: ['nonsense'] }),
    rpc('torrent-set', { ids: [NONE], labels: ['x'] }),
    rpc('torrent-set-location', { ids: [beta] }),
    rpc('torrent-set-location', { ids: [beta], location: 'relative', move: true }),
    rpc('torrent-rename-path', { ids: [beta], path: 'beta/none', name: 'x' }),
    rpc('torrent-rename-path', { ids: [alpha, beta], path: 'beta', name: 'x' }),
    rpc('free-space'),
    rpc('free-space', { path: 'relative' }),
    ...['start', 'stop', 'verify', 'reannounce', 'remove'].map((name) => rpc(`torrent-${name}`, { ids: [NONE] })),
    rpc('torrent-remove', { ids: [] }),
  ];
}

export function changingRequests({ alpha, beta, savePath }: Known): readonly RpcRequest[] {
  const ids = [beta];
  return [
    rpc('session-set', { 'speed-limit-down': 100, 'speed-limit-down-enabled': false }),
    rpc('session-set', { 'no-such-key': 1 }),
    rpc('torrent-set', { ids, labels: ['hd'] }),
    rpc('torrent-set', { ids, seedRatioMode: 1, seedRatioLimit: 2 }),
    rpc('torrent-set', { ids, downloadLimit: 10, downloadLimited: true }),
    rpc('torrent-set', { ids, 'priority-high': [0], 'files-unwanted': [1] }),
    rpc('torrent-set', { ids, queuePosition: 0 }),
    rpc('torrent-set', { ids, bandwidthPriority: 1 }),
    ...['top', 'up', 'down', 'bottom'].map((where) => rpc(`queue-move-${where}`, { ids })),
    ...['reannounce', 'stop', 'start', 'verify', 'start-now'].map((name) => rpc(`torrent-${name}`, { ids: [alpha] })),
    rpc('torrent-rename-path', { ids, path: 'beta/film.bin', name: 'movie.bin' }),
    rpc('torrent-set-location', { ids, location: `${savePath}/moved`, move: true }),
    rpc('torrent-remove', { ids, 'delete-local-data': false }),
  ];
}

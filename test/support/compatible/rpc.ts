// Transmission's RPC as a tool speaks it: Basic with each request, and the session id that a 409 names.
import { httpCall, type Answer } from '../api-harness.js';
import { waitUntil } from '../peers/wait-until.js';
import type { Sample } from './samples.js';
import { basicOf, type Target } from './target.js';

const TIMEOUT_MS = 30_000;
const SESSION_HEADER = 'x-transmission-session-id';

export type RpcFields = Readonly<Record<string, unknown>>;

export interface RpcAnswer {
  readonly result: string;
  readonly arguments: RpcFields;
}

export interface RpcTorrent {
  readonly id: number;
  readonly hashString: string;
  readonly status: number;
  readonly percentDone: number;
  readonly recheckProgress: number;
  readonly labels: readonly string[];
  readonly downloadDir: string;
}

export class Rpc {
  #sessionId = '';

  constructor(readonly target: Target) {}

  async call(method: string, fields: RpcFields = {}): Promise<RpcAnswer> {
    const answer = await this.send(JSON.stringify({ method, arguments: fields }));
    if (answer.status !== 200) throw new Error(`${this.target.name}: ${method}: ${answer.status} ${answer.text}`);
    return answer.json<RpcAnswer>();
  }

  /** A body as it is, with the session id of the moment. */
  async send(body: string): Promise<Answer> {
    const once = () =>
      httpCall(`${this.target.url}/transmission/rpc`, 'POST', {
        headers: { authorization: basicOf(this.target), [SESSION_HEADER]: this.#sessionId },
        body,
      });
    const answer = await once();
    if (answer.status !== 409) return answer;
    this.#sessionId = String(answer.headers[SESSION_HEADER]);
    return once();
  }

  add(sample: Sample, fields: RpcFields = {}): Promise<RpcAnswer> {
    const metainfo = Buffer.from(sample.torrentBytes).toString('base64');
    return this.call('torrent-add', { ...fields, metainfo });
  }

  async torrents(): Promise<readonly RpcTorrent[]> {
    const fields = ['id', 'hashString', 'status', 'percentDone', 'recheckProgress', 'labels', 'downloadDir'];
    const answer = await this.call('torrent-get', { fields });
    return answer.arguments['torrents'] as readonly RpcTorrent[];
  }

  /** Until its first tracker has answered an announce, and a scrape where the program sends one besides. */
  waitForTracker(hash: string): Promise<true> {
    let last: unknown;
    return waitUntil(
      `${this.target.name}: tracker of ${hash}`,
      TIMEOUT_MS,
      async () => {
        const answer = await this.call('torrent-get', { ids: [hash], fields: ['trackerStats'] });
        last = answer.arguments;
        const [torrent] = answer.arguments['torrents'] as readonly { readonly trackerStats: readonly RpcFields[] }[];
        const { lastAnnounceSucceeded, lastScrapeSucceeded } = torrent?.trackerStats[0] ?? {};
        const isScraped = lastScrapeSucceeded === true || this.target.name === 'Swarmd';
        return (lastAnnounceSucceeded === true && isScraped) || undefined;
      },
      () => `Last seen: ${JSON.stringify(last)}`,
    );
  }

  /** The first state of the torrent that is as it is wanted. */
  waitFor(hash: string, isMet: (torrent: RpcTorrent) => boolean): Promise<RpcTorrent> {
    let last: unknown;
    return waitUntil(
      `${this.target.name}: torrent ${hash}`,
      TIMEOUT_MS,
      async () => {
        const torrent = (await this.torrents()).find(({ hashString }) => hashString === hash);
        last = torrent;
        return torrent && isMet(torrent) ? torrent : undefined;
      },
      () => `Last seen: ${JSON.stringify(last)}\n${this.target.stderr.slice(-2_000)}`,
    );
  }
}

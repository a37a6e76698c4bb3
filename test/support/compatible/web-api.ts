// qBittorrent's WebAPI as a tool speaks it: signs in with a form, keeps the cookie, and sends what it is told to.
import { httpCall, multipart, type Answer } from '../api-harness.js';
import { waitUntil } from '../peers/wait-until.js';
import type { Sample } from './samples.js';
import type { Target } from './target.js';

const TIMEOUT_MS = 30_000;

/** WebAPI documentation: "tracker has been contacted and is working". */
const TRACKER_WORKS = 2;

export type FormFields = Readonly<Record<string, string>>;

export interface WebApiRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/api/v2/`, with a query. */
  readonly path: string;
  /** Sent as an encoded form. */
  readonly form?: FormFields;
  /** Sent as a multipart form. */
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export class WebApi {
  #cookie = '';

  constructor(readonly target: Target) {}

  static async signedIn(target: Target): Promise<WebApi> {
    const api = new WebApi(target);
    const answer = await api.signIn();
    if (answer.text !== 'Ok.') throw new Error(`${target.name}: sign-in: ${answer.status} ${answer.text}`);
    return api;
  }

  async signIn(password = this.target.password): Promise<Answer> {
    const form = { username: this.target.username, password };
    const answer = await this.send({ method: 'POST', path: 'auth/login', form });
    this.#cookie = /^SID=[^;]+/.exec(answer.headers['set-cookie']?.[0] ?? '')?.[0] ?? this.#cookie;
    return answer;
  }

  send({ method, path, form, parts, headers = {} }: WebApiRequest): Promise<Answer> {
    const body = parts ? multipart(parts) : encoded(form);
    const cookie = this.#cookie === '' ? {} : { cookie: this.#cookie };
    return httpCall(`${this.target.url}/api/v2/${path}`, method, {
      ...body,
      headers: { ...cookie, ...body.headers, ...headers },
    });
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: 'GET', path });
  }

  post(path: string, form: FormFields = {}): Promise<Answer> {
    return this.send({ method: 'POST', path, form });
  }

  /** `fields`: beside the file. */
  add(sample: Sample, fields: FormFields = {}): Promise<Answer> {
    return this.send({ method: 'POST', path: 'torrents/add', parts: { ...fields, torrents: sample.torrentBytes } });
  }

  /** Until one of its trackers has answered. */
  waitForTracker(hash: string): Promise<true> {
    let last = '';
    return waitUntil(
      `${this.target.name}: tracker of ${hash}`,
      TIMEOUT_MS,
      async () => {
        const answer = await this.get(`torrents/trackers?hash=${hash}`);
        last = answer.text;
        const rows = answer.json<readonly { readonly url: string; readonly status: number }[]>();
        return rows.some(({ url, status }) => url.startsWith('http') && status === TRACKER_WORKS) || undefined;
      },
      () => `Last seen: ${last}`,
    );
  }

  /** The first object of the torrent in `torrents/info` that is as it is wanted. */
  waitFor(hash: string, isMet: (torrent: TorrentObject) => boolean): Promise<TorrentObject> {
    let last: unknown;
    return waitUntil(
      `${this.target.name}: torrent ${hash}`,
      TIMEOUT_MS,
      async () => {
        const answer = await this.get(`torrents/info?hashes=${hash}`);
        last = answer.text;
        const [torrent] = answer.status === 200 ? answer.json<TorrentObject[]>() : [];
        return torrent && isMet(torrent) ? torrent : undefined;
      },
      () => `Last seen: ${String(last)}\n${this.target.stderr.slice(-2_000)}`,
    );
  }
}

/** A torrent of `torrents/info`, as far as tests look at it. */
export interface TorrentObject {
  readonly hash: string;
  readonly state: string;
  readonly progress: number;
  readonly category: string;
  readonly tags: string;
  readonly save_path: string;
  readonly content_path: string;
}

function encoded(form: FormFields | undefined) {
  if (!form) return {};
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(form).toString() };
}

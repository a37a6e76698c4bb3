// Where samples are played: an API process, account 1, other accounts made as administrators make them, and torrents of
// which a caller is the owner, an editor or a viewer.
import { PERMISSIONS, type Permission } from '../../../../shared-protocol/dto/accounts.js';
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import { ADMIN_ACCOUNT_ID, parseAccountId, parseInfoHash } from '../../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../../shared-protocol/library-record.js';
import type { Route } from '../../../../api/routes/index.js';
import { multipart, startHarness, type Answer, type CallOptions, type Harness } from '../../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import type { SampleCall, Scene } from '../sample.js';

/** Each sign-in comes from an address of its own: the login limit is not what these tests are about. */
const THROUGH_A_PROXY = ['--trusted-proxies', '127.0.0.1/32'];

export interface Profile {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly permissions: readonly Permission[];
}

export interface Caller {
  readonly id: number;
  readonly profile: Profile;
  readonly bearer: Readonly<Record<string, string>>;
  readonly cookie: string;
}

type CallHeaders = Readonly<Record<string, string>>;

export const ADMIN_PROFILE: Profile = { name: 'admin', isAdmin: true, permissions: PERMISSIONS };

export class World {
  #sources = 0;
  #names = 0;
  #torrents = 0;
  readonly #callers = new Map<Profile, Caller>();

  private constructor(
    readonly harness: Harness,
    /** Account 1. */
    readonly admin: Caller,
  ) {}

  /** The directory is kept at the end when given. */
  static async start(args: readonly string[] = [], dataDir?: string): Promise<World> {
    const harness = await startHarness({
      args: [...THROUGH_A_PROXY, ...args],
      // No browser is opened on the machine of the test.
      deps: { openPage: () => undefined },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    const cookie = await (args.includes('desktop') ? signInByLink(harness) : harness.signIn());
    const bearer = { authorization: `Bearer ${await harness.apiKey(cookie)}` };
    return new World(harness, { id: 1, profile: ADMIN_PROFILE, bearer, cookie });
  }

  close(): Promise<void> {
    return this.harness.close();
  }

  /** Headers that make a request come from an address that nobody else has. */
  source(): CallHeaders {
    const n = ++this.#sources;
    return { 'x-forwarded-for': `10.0.${n >> 8}.${n & 255}` };
  }

  /** An account of the profile; the same one each time. Its password is that of account 1. */
  async caller(profile: Profile): Promise<Caller> {
    const known = this.#callers.get(profile);
    if (known) return known;
    const username = `caller-${++this.#names}`;
    const { password } = this.harness;
    const flags = Object.fromEntries(PERMISSIONS.map((name) => [name, profile.permissions.includes(name)]));
    const role = profile.isAdmin ? 'admin' : 'user';
    const user = { username, password, role, ...flags, disabled: false };
    const { id } = await this.asAdmin<{ id: number }>('POST', '/api/users', user);
    const login = await this.harness.call('POST', '/api/login', {
      headers: this.source(),
      body: { username, password },
    });
    const cookie = cookieOf(login);
    const bearer = { authorization: `Bearer ${await this.harness.apiKey(cookie)}` };
    const caller = { id, profile, bearer, cookie };
    this.#callers.set(profile, caller);
    return caller;
  }

  /** A new torrent to which the caller has the access, and nobody else any. */
  async scene(caller: Caller, access: Access | 'none'): Promise<Scene> {
    const torrentId = await this.#addTorrent();
    const accountId = parseAccountId(caller.id);
    const { engine } = this.harness;
    const shares = access === 'editor' || access === 'viewer' ? [{ accountId, access }] : [];
    engine.setFacts(torrentId, {
      ownerId: access === 'owner' ? accountId : ADMIN_ACCOUNT_ID,
      library: { ...NEW_LIBRARY_RECORD, shares },
    });
    return {
      harness: this.harness,
      torrentId,
      callerId: caller.id,
      asAdmin: (method, path, body) => this.asAdmin(method, path, body),
      asCaller: (method, path, body) => this.#as(caller, method, path, body),
    };
  }

  asAdmin<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    return this.#as(this.admin, method, path, body);
  }

  async #as<Body>({ bearer: headers }: Caller, method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.harness.call(method, path, { headers, ...(body === undefined ? {} : { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json<Body>();
  }

  send(route: Pick<Route, 'method' | 'path'>, call: SampleCall, scene: Scene, headers: CallHeaders): Promise<Answer> {
    const options: CallOptions = { headers: { ...this.source(), ...call.headers, ...headers } };
    const withBody = call.body === undefined ? options : { ...options, body: call.body };
    return this.harness.call(route.method, pathOf(route.path, call, scene), withBody);
  }

  async #addTorrent() {
    const name = `torrent-${++this.#torrents}`;
    const { torrentBytes } = makeTorrent({ name, pieceLength: 16_384, files: seededBytes(this.#torrents, 100) });
    const { headers, body } = multipart({ file: torrentBytes });
    const added = await this.harness.call('POST', '/api/torrents/file', {
      headers: { ...headers, ...this.admin.bearer },
      body,
    });
    return parseInfoHash(added.json<{ id: string }>().id);
  }
}

/** The desktop program's account has no password. */
async function signInByLink({ notices, call }: Harness): Promise<string> {
  const token = /\/signin#(\S+)/.exec(notices.join('\n'))?.[1];
  const answer = await call('POST', '/api/signin', { body: { token } });
  if (answer.status !== 200) throw new Error(`sign-in link: ${answer.status} ${answer.text}`);
  return cookieOf(answer);
}

function cookieOf(answer: Answer): string {
  return (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

function pathOf(path: string, { params = {}, query }: SampleCall, { torrentId }: Scene): string {
  const values: Readonly<Record<string, string>> = path.startsWith('/api/torrents/')
    ? { id: torrentId, ...params }
    : params;
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
  return query === undefined ? filled : `${filled}?${query.replace(/^\?/, '')}`;
}

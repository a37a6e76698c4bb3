// Tools of several accounts at qBittorrent's interface of one API process: of the administrator, of ann, who has every
// permission, and of bob, who has none and is shown what is shared with him.
import type { Test } from 'tap';
import { PERMISSIONS } from '../../shared-protocol/dto/accounts.js';
import { multipart, startHarness, type Answer, type Harness, type HarnessOptions } from './api-harness.js';
import { openBrowser, scriptOf, THROUGH_A_PROXY } from './browser.js';

const PASSWORD = 'correct horse';

export type Fields = Readonly<Record<string, string>>;

/** A tool that signs each request with its API key. */
export class Tool {
  constructor(
    private readonly harness: Harness,
    readonly accountId: number,
    readonly headers: Readonly<Record<string, string>>,
  ) {}

  /** Below `/api/v2/`. */
  get(path: string, fields: Fields = {}): Promise<Answer> {
    const query = new URLSearchParams(fields).toString();
    return this.harness.call('GET', `/api/v2/${path}${query && `?${query}`}`, { headers: this.headers });
  }

  post(path: string, fields: Fields = {}): Promise<Answer> {
    const headers = { ...this.headers, 'content-type': 'application/x-www-form-urlencoded' };
    return this.harness.call('POST', `/api/v2/${path}`, { headers, body: new URLSearchParams(fields).toString() });
  }

  /** The answer as JSON; fails unless it is 200. */
  async read<Body = Record<string, unknown>>(path: string, fields: Fields = {}): Promise<Body> {
    const answer = await this.get(path, fields);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.json<Body>();
  }

  /** Of Swarmd's own API. */
  async own<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.harness.call(method, path, {
      headers: this.headers,
      ...(body === undefined ? {} : { body }),
    });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json<Body>();
  }

  async addFile(file: Uint8Array): Promise<string> {
    const { headers, body } = multipart({ file });
    const answer = await this.harness.call('POST', '/api/torrents/file', {
      headers: { ...headers, ...this.headers },
      body,
    });
    if (answer.status !== 200) throw new Error(`add: ${answer.status} ${answer.text}`);
    return answer.json<{ id: string }>().id;
  }
}

export interface ToolScene {
  readonly harness: Harness;
  readonly admin: Tool;
  readonly ann: Tool;
  readonly bob: Tool;
  /** An account with these permissions and no others. */
  readonly join: (username: string, more: object) => Promise<Tool>;
}

export async function startToolScene(t: Test, { args = [], ...options }: HarnessOptions = {}): Promise<ToolScene> {
  const harness = await startHarness({ ...options, args: [...THROUGH_A_PROXY, ...args] });
  t.teardown(() => harness.close());
  const toolOf = async (accountId: number, username: string, password: string): Promise<Tool> => {
    const { headers } = await scriptOf(harness, await openBrowser(harness, username, password));
    return new Tool(harness, accountId, headers);
  };
  const admin = await toolOf(1, 'admin', harness.password);
  const join = async (username: string, more: object): Promise<Tool> => {
    const user = { username, password: PASSWORD, ...permissions(false), ...more };
    const { id } = await admin.own<{ id: number }>('POST', '/api/users', user);
    return toolOf(id, username, PASSWORD);
  };
  return { harness, admin, ann: await join('ann', permissions(true)), bob: await join('bob', {}), join };
}

function permissions(value: boolean): object {
  return Object.fromEntries(PERMISSIONS.map((permission) => [permission, value]));
}

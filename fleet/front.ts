// A front of a fleet: the daemon on a port of loopback, which stays its own from its first start on.
import { Role, type RoleOptions } from './role.js';

const READY = /^swarmd ready (http:\/\/\S+:(\d+)) peer-port \d+$/;

export class Front extends Role {
  #port: string;
  #url: string | null = null;

  /** `command`: without the port. */
  constructor(options: Omit<RoleOptions, 'ready'>, command: readonly string[]) {
    super({ ...options, ready: READY }, () => [...command, '--port', this.#port]);
    this.#port = '0';
  }

  /** Where it is, once it has been started. */
  get url(): string {
    if (this.#url === null) throw new Error(`bug: ${this.name} has not been started`);
    return this.#url;
  }

  override async start(): Promise<RegExpExecArray> {
    const match = await super.start();
    const [, url = '', port = ''] = match;
    this.#url = url;
    this.#port = port;
    return match;
  }
}

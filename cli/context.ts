// What a command works with: the terminal, the flags that all commands take, and the daemon once one is needed.
import { ApiClient } from './daemon/api-client.js';
import { findDaemon, type WhereFlags } from './daemon/find-daemon.js';
import { serverNamed } from './daemon/servers.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import type { Terminal } from './terminal.js';

export interface CommonFlags extends WhereFlags {
  readonly json?: boolean;
}

export class Context {
  /** How the program ends if nothing else happens. */
  exitCode: ExitCode = EXIT.done;

  constructor(
    readonly terminal: Terminal,
    readonly flags: CommonFlags,
  ) {}

  get isJson(): boolean {
    return this.flags.json === true;
  }

  /** @throws CommandFailed where there is no daemon */
  async api(): Promise<ApiClient> {
    return new ApiClient(await findDaemon(this.flags, this.terminal));
  }

  /** For a server by its name; none: the daemon itself. @throws CommandFailed where there is no daemon, or no such server */
  async apiOf(server: string | undefined): Promise<ApiClient> {
    const api = await this.api();
    return server === undefined ? api : api.at(await serverNamed(api, server));
  }

  /** The first line of standard input; at a terminal it is asked for. */
  async secret(question: string): Promise<string> {
    const asked = await this.terminal.ask(question);
    const text = asked ?? (await this.terminal.readInput()).toString('utf8');
    return text.split(/\r?\n/)[0] ?? '';
  }

  say(line: string): void {
    this.terminal.out.write(`${line}\n`);
  }

  warn(line: string): void {
    this.terminal.err.write(`swarmd: ${line}\n`);
  }
}

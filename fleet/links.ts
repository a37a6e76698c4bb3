// How the roles of a fleet reach one another: by Unix sockets of one machine, unless whoever makes a fleet brings a network.
import type { Layout } from './layout.js';

export interface DatabaseLink {
  /** Parameters of PostgreSQL. */
  readonly settings: readonly string[];
  /** Lines that are added to its `pg_hba.conf`. */
  readonly access: readonly string[];
  /** The host, or the directory of a Unix socket, that fronts connect to. */
  readonly host: string;
}

export interface Links {
  readonly database: DatabaseLink;
  /** A program, with arguments, by which a role is started, and which leaves its place to it. */
  before(role: string): readonly string[];
  /** Options by which an engine listens. */
  listen(engine: string): readonly string[];
  /** Fields of an engine's entry in the file of the engines. */
  entry(engine: string): Readonly<Record<string, string>>;
  /** The address that a front listens at. */
  hostOf(front: string): string;
  /** Further options of engines and fronts. */
  readonly options: readonly string[];
}

export class UnixSockets implements Links {
  readonly database: DatabaseLink;
  readonly options = [];

  constructor(private readonly layout: Layout) {
    const { postgres } = layout;
    this.database = { settings: ['listen_addresses='], access: [], host: postgres };
  }

  before(): readonly string[] {
    return [];
  }

  listen(engine: string): readonly string[] {
    return ['--listen', this.#addressOf(engine)];
  }

  entry(engine: string): Readonly<Record<string, string>> {
    return { address: this.#addressOf(engine) };
  }

  hostOf(): string {
    return '127.0.0.1';
  }

  #addressOf(engine: string): string {
    return `unix:${this.layout.socketOf(engine)}`;
  }
}

// What a command needs to find the engines that it is for.
import type { Adopter } from '../../shared-protocol/commands/shares.js';
import type { CommandName, CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';

export interface Routing {
  /** Engines are called by number, from 0. */
  readonly engines: readonly number[];
  /** @throws AppError `ENGINE_AWAY`, what the engine says */
  ask<Name extends CommandName>(engine: number, name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>;
  /** The engine that a torrent is on; undefined: on none that is known. */
  engineOf(id: TorrentId): number | undefined;
  /** Whether a torrent is on its way from one engine to another, which says that there is none. */
  isHandedOver(id: TorrentId): boolean;
  /**
   * The engine on which an account's torrents are saved. `path`: where one is to be saved, which another engine may do where
   * that one is away. `on`: the one that was chosen for it. @throws AppError `ENGINE_AWAY`: it is none of these
   */
  engineOfAccount(id: AccountId, path?: string, on?: string): number;
  /** Whether an account may take over files on an engine: its own, one that shares the root of its home, or as an administrator any. */
  isAdopterAt(adopter: Adopter, engine: number): boolean;
}

/** A number that one engine has given out, as one that no other has: of so many engines. */
export function jointNumber(own: number, engine: number, { engines }: Pick<Routing, 'engines'>): number {
  return own * engines.length + engine;
}

export function ownNumber(joint: number, { engines }: Pick<Routing, 'engines'>): { engine: number; own: number } {
  const engine = joint % engines.length;
  return { engine, own: (joint - engine) / engines.length };
}

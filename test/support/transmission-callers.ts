// Tools of several accounts at Transmission's interface of one API process: of the administrator, of ann, who has every
// permission, and of bob, who has none.
import type { Test } from 'tap';
import type { HarnessOptions } from './api-harness.js';
import { startToolScene, type Tool, type ToolScene } from './qbittorrent-scene.js';
import { TransmissionTool } from './transmission-rpc.js';

/** The tool of an account, and the account's own calls to the service. */
export interface RpcCaller extends Pick<Tool, 'own' | 'addFile' | 'accountId'> {
  readonly rpc: TransmissionTool;
}

export interface RpcScene extends Pick<ToolScene, 'harness'> {
  readonly admin: RpcCaller;
  readonly ann: RpcCaller;
  readonly bob: RpcCaller;
  readonly join: (...account: Parameters<ToolScene['join']>) => Promise<RpcCaller>;
}

export async function startRpcScene(t: Test, options: HarnessOptions = {}): Promise<RpcScene> {
  const { harness, admin, ann, bob, join } = await startToolScene(t, options);
  const callerOf = (tool: Tool): RpcCaller => {
    const key = (tool.headers['authorization'] ?? '').replace(/^Bearer /, '');
    return {
      rpc: new TransmissionTool(harness, '', key),
      accountId: tool.accountId,
      own: tool.own.bind(tool),
      addFile: tool.addFile.bind(tool),
    };
  };
  return {
    harness,
    admin: callerOf(admin),
    ann: callerOf(ann),
    bob: callerOf(bob),
    join: async (...account) => callerOf(await join(...account)),
  };
}

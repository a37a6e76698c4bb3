// The compatible interfaces behind their switches: what answers for one is loaded with the first request that comes while it
// is on, as many daemons are never asked by a tool of another program.
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { CompatibleInterface } from '../../shared-protocol/dto/compatible.js';
import type { CompatibleDeps } from './deps.js';

type Load = (deps: CompatibleDeps) => Promise<RequestHandler>;

const LOADS: Readonly<Record<CompatibleInterface, Load>> = {
  qbittorrent: async (deps) => (await import('./qbittorrent/router.js')).qbittorrentRouter(deps),
  transmission: async (deps) => (await import('./transmission/router.js')).transmissionRouter(deps),
};

/** Passes on everything while the interface is off. */
export function compatibleOnDemand(name: CompatibleInterface, deps: CompatibleDeps): RequestHandler {
  let router: Promise<RequestHandler> | null = null;
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!deps.services.compatibleInterfaces.isOn(name)) return next();
    router ??= LOADS[name](deps);
    router.then((answer) => answer(request, response, next), next);
  };
}

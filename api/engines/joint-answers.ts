// What several engines say of themselves, as what one would say: for those who ask how things are. Pure.
import type { EngineHealth } from '../../shared-protocol/commands.js';
import type { NetworkStatus } from '../../shared-protocol/network/network-options.js';

/** Sums of what is counted; of what cannot be, the worst. At least one answer. */
export function jointHealth(answers: readonly EngineHealth[]): EngineHealth {
  const sum = (field: keyof { [Key in keyof EngineHealth as EngineHealth[Key] extends number ? Key : never]: true }) =>
    answers.reduce((total, answer) => total + answer[field], 0);
  return {
    uptimeMs: Math.min(...answers.map(({ uptimeMs }) => uptimeMs)),
    loopDelayP99Ms: Math.max(...answers.map(({ loopDelayP99Ms }) => loopDelayP99Ms)),
    torrents: sum('torrents'),
    connections: sum('connections'),
    dhtNodes: sum('dhtNodes'),
    listeningPort: answers.find(({ listeningPort }) => listeningPort !== null)?.listeningPort ?? null,
    hasIncoming: answers.some(({ hasIncoming }) => hasIncoming),
    slabUsedBytes: sum('slabUsedBytes'),
    bans: sum('bans'),
    failedPieces: sum('failedPieces'),
    wastedBytes: sum('wastedBytes'),
  };
}

/** The one that people have to know of: where an engine has no way out, that one. At least one answer. */
export function jointNetworkStatus(answers: readonly NetworkStatus[]): NetworkStatus {
  return answers.find(({ binding }) => binding.kind === 'closed') ?? answers[0]!;
}

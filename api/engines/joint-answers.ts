// What several engines say of themselves, as what one would say: for those who ask how things are. Pure.
import type { EngineHealth } from '../../shared-protocol/commands.js';
import type { NetworkStatus } from '../../shared-protocol/network/network-options.js';

/** Sums of what is counted; of what cannot be, the worst. At least one answer. */
export function jointHealth(answers: readonly EngineHealth[]): EngineHealth {
  const sum = (of: (answer: EngineHealth) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  return {
    uptimeMs: Math.min(...answers.map(({ uptimeMs }) => uptimeMs)),
    loopDelayP99Ms: Math.max(...answers.map(({ loopDelayP99Ms }) => loopDelayP99Ms)),
    torrents: sum(({ torrents }) => torrents),
    connections: sum(({ connections }) => connections),
    dhtNodes: sum(({ dhtNodes }) => dhtNodes),
    listeningPort: answers.find(({ listeningPort }) => listeningPort !== null)?.listeningPort ?? null,
    hasIncoming: answers.some(({ hasIncoming }) => hasIncoming),
    slabUsedBytes: sum(({ slabUsedBytes }) => slabUsedBytes),
    bans: sum(({ bans }) => bans),
    failedPieces: sum(({ failedPieces }) => failedPieces),
    wastedBytes: sum(({ wastedBytes }) => wastedBytes),
  };
}

/** The one that people have to know of: where an engine has no way out, that one. At least one answer. */
export function jointNetworkStatus(answers: readonly NetworkStatus[]): NetworkStatus {
  return answers.find(({ binding }) => binding.kind === 'closed') ?? answers[0]!;
}

// Which roles of a fleet are cut off from which: each of them goes on, and takes the others for dead after a while.
import type { FleetNetwork } from '../../support/fleet-network.js';
import type { FleetUnderTest } from '../../support/fleet.js';
import type { SeededRandom } from '../../support/seeded-random.js';
import { pick } from '../attributes.js';

export interface Cut {
  /** As it is told: `engine-1 | front-1 front-2`. */
  readonly name: string;
  /** An engine that no front reaches, and that is lost after a while. */
  readonly isOfEngine: boolean;
  begin(): void;
  end(): void;
}

export function someCut(fleet: FleetUnderTest, network: FleetNetwork, random: SeededRandom): Cut {
  const [fronts, engines] = [fleet.fronts, fleet.engines].map((roles) => roles.map(({ name }) => name)) as [
    string[],
    string[],
  ];
  const [front, engine] = [pick(random, fronts), pick(random, engines)];
  const postgres = [fleet.postgres.name];
  const cuts: readonly (readonly [these: readonly string[], those: readonly string[]])[] = [
    [[front], [engine]],
    [[engine], fronts],
    [[front], postgres],
    [[front], [...engines, ...postgres]],
    [fronts, postgres],
  ];
  const [these, those] = pick(random, cuts);
  return {
    name: `${these.join(' ')} | ${those.join(' ')}`,
    isOfEngine: those === fronts,
    begin: () => network.cut(these, those),
    end: () => network.heal(these, those),
  };
}

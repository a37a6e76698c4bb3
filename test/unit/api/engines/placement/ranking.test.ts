// The order of engines for a new torrent: room, what is not promised, and load.
import fc from 'fast-check';
import t from 'tap';
import { rank, type PlacementVolume } from '../../../../../api/engines/placement/ranking.js';

const GIB = 2 ** 30;
const on = (name: string, volume: PlacementVolume, torrents = 0) => ({ name, volume, torrents });
const disk = (freeGib: number | null, promisedGib = 0): PlacementVolume => ({
  freeBytes: freeGib === null ? null : freeGib * GIB,
  promisedBytes: promisedGib * GIB,
});

void t.test('room first, then what nobody waits for', async (t) => {
  const ranked = (sizeGib: number) =>
    rank(
      [on('small', disk(10)), on('promised', disk(100, 95)), on('mute', disk(null)), on('large', disk(60, 20))],
      sizeGib * GIB,
    ).map(({ candidate: { name }, room }) => `${name} ${room}`);
  t.same(ranked(5), ['large fits', 'small fits', 'promised fits', 'mute unknown']);
  t.same(ranked(50), ['large fits', 'promised fits', 'mute unknown', 'small full']);
  t.same(ranked(500), ['mute unknown', 'large full', 'small full', 'promised full']);
});

void t.test('of one disk whoever has the fewest torrents', async (t) => {
  const shared = disk(50, 10);
  const best = (...candidates: ReturnType<typeof on>[]) => rank(candidates, GIB)[0]?.candidate.name;
  t.equal(best(on('a', shared, 7), on('b', shared, 3), on('c', shared, 3)), 'b', 'the first of two');
  t.equal(best(on('a', disk(null), 2), on('b', disk(null), 1)), 'b', 'also where disks say nothing');
  t.equal(best(on('a', disk(50), 100), on('b', disk(49), 0)), 'a', 'on two disks the roomier one');
});

const anyVolume = fc.record({
  freeBytes: fc.option(fc.nat(100), { nil: null }),
  promisedBytes: fc.nat(100),
});
const anyCandidates = fc
  .tuple(
    fc.array(anyVolume, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(3), fc.nat(5)), { maxLength: 8 }),
  )
  .map(([volumes, given]) =>
    given.map(([volume, torrents], place) => on(String(place), volumes[volume % volumes.length]!, torrents)),
  );

void t.test('each is ranked once, and none before a better one', async () => {
  fc.assert(
    fc.property(anyCandidates, fc.nat(120), (candidates, wanted) => {
      const ranked = rank(candidates, wanted);
      const order = ranked.map(({ candidate }) => candidate);
      const isWhole = order.length === candidates.length && candidates.every((one) => order.includes(one));
      return (
        isWhole &&
        ranked.slice(1).every((next, place) => {
          const { candidate, room, unpromisedBytes } = ranked[place]!;
          if (room !== next.room) return room === 'fits' || next.room === 'full';
          if (unpromisedBytes !== next.unpromisedBytes) return unpromisedBytes! > next.unpromisedBytes!;
          if (candidate.torrents !== next.candidate.torrents) return candidate.torrents < next.candidate.torrents;
          return candidates.indexOf(candidate) < candidates.indexOf(next.candidate);
        })
      );
    }),
  );
});

void t.test('a full disk is chosen only where no other says that it has room', async () => {
  fc.assert(
    fc.property(anyCandidates, fc.nat(120), (candidates, wanted) => {
      const [best] = rank(candidates, wanted);
      if (!best) return candidates.length === 0;
      const hasRoom = candidates.some(({ volume: { freeBytes } }) => freeBytes !== null && freeBytes >= wanted);
      return hasRoom ? best.room === 'fits' : best.room !== 'fits';
    }),
  );
});

void t.test('torrents that are placed one after another keep disks of one size level', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 2, max: 4 }), (given, count) => {
      const promised = Array.from({ length: count }, () => 0);
      for (const size of given) {
        const candidates = promised.map((promisedBytes, place) =>
          on(String(place), { freeBytes: 1_000, promisedBytes }),
        );
        promised[Number(rank(candidates, size)[0]!.candidate.name)]! += size;
      }
      return Math.max(...promised) - Math.min(...promised) <= Math.max(...given);
    }),
  );
});

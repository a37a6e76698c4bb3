import t from 'tap';
import { ProofTurns } from '../../../../../engine/torrent/check/proof-turns.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';

const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];

async function settle(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
}

void t.test('two at once, accounts in turn, and one that fails gives its place on', async (t) => {
  const turns = new ProofTurns();
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const results: Promise<string>[] = [];
  const ask = (account: typeof ANN, name: string) => {
    const work = () =>
      new Promise<string>((resolve, reject) => {
        begun.push(name);
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
      });
    results.push(turns.run(account, work).catch((error: unknown) => (error as Error).message));
  };
  for (const nth of [1, 2, 3, 4]) ask(ANN, `ann ${nth}`);
  for (const nth of [1, 2]) ask(BOB, `bob ${nth}`);
  await settle();
  t.same(begun, ['ann 1', 'ann 2']);
  ends.get('ann 1')!();
  ends.get('ann 2')!(new Error('unreadable'));
  await settle();
  t.same(begun.slice(2), ['ann 3', 'bob 1']);
  ends.get('bob 1')!();
  await settle();
  ends.get('ann 4')!();
  ends.get('ann 3')!();
  await settle();
  ends.get('bob 2')!();
  t.same(await Promise.all(results), ['ann 1', 'unreadable', 'ann 3', 'ann 4', 'bob 1', 'bob 2']);
  t.same(begun.slice(4), ['ann 4', 'bob 2']);
  ask(BOB, 'bob 3');
  await settle();
  t.equal(begun.at(-1), 'bob 3', 'no place is lost');
});

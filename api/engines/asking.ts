// Asking engines: the one that has a torrent, those that have some of several, all of them. One that is away holds nobody up who
// is not asking for what it alone has.
import type { CommandName, CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import { AppError, isEngineAway } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Routing } from './routing.js';

/** Engines that nothing is known of a torrent by are asked in its place: the first one says that there is none. */
const FIRST = 0;

/** Parts of what is asked for, by engine; `places` are those in the whole. */
export interface Split<Item> {
  readonly engine: number;
  readonly items: Item[];
  readonly places: number[];
}

export function engineFor(id: TorrentId, to: Pick<Routing, 'engineOf'>): number {
  return to.engineOf(id) ?? FIRST;
}

export function splitBy<Item>(items: readonly Item[], engineOf: (item: Item) => number): readonly Split<Item>[] {
  const parts = new Map<number, Split<Item>>();
  for (const [place, item] of items.entries()) {
    const engine = engineOf(item);
    const part = parts.get(engine) ?? { engine, items: [], places: [] };
    part.items.push(item);
    part.places.push(place);
    parts.set(engine, part);
  }
  return [...parts.values()];
}

/** Results of each part, put together in the order of the whole. */
export async function inOrder<Item, Result>(
  parts: readonly Split<Item>[],
  ask: (part: Split<Item>) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const whole: Result[] = [];
  await Promise.all(
    parts.map(async (part) => {
      const results = await ask(part);
      for (const [index, place] of part.places.entries()) whole[place] = results[index]!;
    }),
  );
  return whole;
}

/** Answers of all that are there, in the order of the engines. @throws what an engine says; AppError `ENGINE_AWAY`: none is there */
export async function askAll<Name extends CommandName>(
  to: Routing,
  name: Name,
  paramsFor: (engine: number) => CommandParams<Name>,
): Promise<CommandResult<Name>[]> {
  const answers = await Promise.allSettled(to.engines.map((engine) => to.ask(engine, name, paramsFor(engine))));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
  const failure =
    failures.find((reason) => !isEngineAway(reason)) ?? (failures.length === answers.length && failures[0]);
  if (failure) throw failure;
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** Answers, of all that are there, to how things are: an engine that fails, or says what is no answer, keeps no other's from who asks. */
export async function askState<Name extends CommandName>(
  to: Routing,
  name: Name,
  params: CommandParams<Name>,
  isAnswer: (answer: unknown) => answer is CommandResult<Name>,
): Promise<CommandResult<Name>[]> {
  const answers = await Promise.allSettled(to.engines.map((engine) => to.ask(engine, name, params)));
  const sound = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && isAnswer(answer.value) ? [answer.value] : [],
  );
  if (sound.length > 0) return sound;
  const failure = answers.find(({ status }) => status === 'rejected');
  throw failure ? (failure as PromiseRejectedResult).reason : new AppError('ENGINE_AWAY', 'engines: none answers');
}

/** The answer of whichever is there, the first ones before the others. @throws as {@link askAll} */
export async function askAny<Name extends CommandName>(
  to: Routing,
  name: Name,
  params: CommandParams<Name>,
): Promise<CommandResult<Name>> {
  let away: unknown = null;
  for (const engine of to.engines) {
    try {
      return await to.ask(engine, name, params);
    } catch (error) {
      if (!isEngineAway(error)) throw error;
      away ??= error;
    }
  }
  throw away;
}

// Which columns there are, and their order: as the user has put them, those that are newer than that as they are at first. Pure.

/** `all`: as at first. `chosen`: as the user has them; may lack some. */
export function ordered<Key>(all: readonly Key[], chosen: readonly Key[]): readonly Key[] {
  const result = [...new Set(chosen)].filter((key) => all.includes(key));
  for (const [at, key] of all.entries()) {
    if (result.includes(key)) continue;
    // Behind the one that it is behind at first.
    const before = all[at - 1];
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, key);
  }
  return result;
}

/** Returns the keys with one of them before another; `before` null: at the end. */
export function moved<Key>(keys: readonly Key[], key: Key, before: Key | null): readonly Key[] {
  if (key === before) return keys;
  const others = keys.filter((other) => other !== key);
  const at = before === null ? others.length : others.indexOf(before);
  return [...others.slice(0, at), key, ...others.slice(at)];
}

/** `hidden`: of the columns `known` when it was chosen; newer ones are hidden where they are at first. */
export function hiddenOf<Key>(
  hidden: readonly Key[],
  known: readonly Key[],
  hiddenAtFirst: readonly Key[],
): readonly Key[] {
  return [...new Set([...hidden, ...hiddenAtFirst.filter((key) => !known.includes(key))])];
}

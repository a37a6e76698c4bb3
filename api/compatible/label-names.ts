// Categories and tags by their names, whatever their case, as the service keeps no two that differ by it alone. An account
// finds those that it is shown; what it does not find is made where it may.
import type { CategoryDto, TagDto } from '../../shared-protocol/dto/labels.js';
import type { AccountContext } from '../routes/route.js';
import { withoutCase } from '../services/library/labels.js';

/** The labels that an account is shown, by name. */
export interface NamedLabels<Label> {
  find(name: string): Label | undefined;
  /** Labels that there are of these, each once. */
  among(names: readonly string[]): Label[];
}

export function categoriesOf({ services, principal }: AccountContext): NamedLabels<CategoryDto> {
  return namedLabels(services.shownLabels.categories(principal.account));
}

export function tagsOf({ services, principal }: AccountContext): NamedLabels<TagDto> {
  return namedLabels(services.shownLabels.tags(principal.account));
}

/** Names without those that differ from one before them by case alone. */
export function distinctNames(names: readonly string[]): string[] {
  const distinct = new Map<string, string>();
  for (const name of names) if (!distinct.has(folded(name))) distinct.set(folded(name), name);
  return [...distinct.values()];
}

function namedLabels<Label extends { readonly name: string }>(labels: readonly Label[]): NamedLabels<Label> {
  const byName = new Map(labels.map((label) => [withoutCase(label.name), label]));
  const find = (name: string) => byName.get(folded(name));
  return { find, among: (names) => distinctNames(names).flatMap((name) => find(name) ?? []) };
}

function folded(name: string): string {
  return withoutCase(name.normalize('NFC').trim());
}

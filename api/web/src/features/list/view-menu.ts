// How the list looks, as menus: which columns there are, and, where no heads are to be pressed, by what it is sorted.
import { t } from '../../strings/index.js';
import type { MenuEntry } from '../../ui/menu.jsx';
import { columnsThere } from './columns.jsx';
import { DENSITIES, type Density } from './list-layout.js';
import type { ListModel } from './list-model.js';

/** The name stays: a row without it could be any torrent's. */
export function columnMenu(model: ListModel): readonly MenuEntry[] {
  const toggles = columnsThere()
    .filter(({ key }) => key !== 'name')
    .map(({ key, title }): MenuEntry => {
      const isShown = !model.layout.hidden().includes(key);
      return {
        label: t(title),
        isChosen: isShown,
        keepsOpen: true,
        run: () =>
          model.layout.setHidden(
            isShown ? [...model.layout.hidden(), key] : model.layout.hidden().filter((other) => other !== key),
          ),
      };
    });
  return [...toggles, 'separator', { label: t('list.resetColumns'), run: model.layout.resetColumns }];
}

export function sortMenu(model: ListModel): readonly MenuEntry[] {
  const { key: now, descending } = model.sort();
  const keys = columnsThere().map(({ key, title }): MenuEntry => {
    return { label: t(title), isChosen: key === now, run: () => key === now || model.sortBy(key) };
  });
  const direction = (label: string, isDescending: boolean): MenuEntry => ({
    label,
    isChosen: descending === isDescending,
    run: () => model.setSort({ key: now, descending: isDescending }),
  });
  return [...keys, 'separator', direction(t('list.ascending'), false), direction(t('list.descending'), true)];
}

function densityMenu({ layout }: ListModel): readonly MenuEntry[] {
  return (Object.keys(DENSITIES) as Density[]).map((density) => ({
    label: t(`view.${density}`),
    isChosen: layout.density() === density,
    run: () => layout.setDensity(density),
  }));
}

export function viewMenu(model: ListModel, isNarrow: boolean): readonly MenuEntry[] {
  const save: MenuEntry = { label: t('view.save'), run: () => model.views.ask({ kind: 'save' }) };
  if (isNarrow) {
    return [{ label: t('list.selectAll'), run: model.selectAll }, save, 'separator', ...sortMenu(model)];
  }
  return [
    save,
    { label: t('list.sortBy'), children: sortMenu(model) },
    { label: t('view.density'), children: densityMenu(model) },
    'separator',
    ...columnMenu(model),
  ];
}

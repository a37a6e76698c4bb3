// What a cell says in full when the mouse rests on it. Written while it is there and taken away after: thousands of
// attributes that follow their torrents would be felt in each tick.
import { onCleanup, onMount } from 'solid-js';
import type { Torrents } from '../../state/torrents.js';
import { COLUMNS } from './columns.jsx';
import { idOfRow } from './row.jsx';

/** For the component that has the cells. */
export function showHints(list: () => HTMLElement, torrents: Torrents): void {
  let cell: HTMLElement | null = null;
  const onPointerOver = ({ target }: PointerEvent) => {
    const next = target instanceof Element ? target.closest<HTMLElement>('[role="gridcell"][data-column]') : null;
    if (next === cell) return;
    cell?.removeAttribute('title');
    cell = next;
    const text = cell && hintOf(cell, torrents);
    if (text) cell?.setAttribute('title', text);
  };
  onMount(() => {
    const element = list();
    element.addEventListener('pointerover', onPointerOver);
    onCleanup(() => element.removeEventListener('pointerover', onPointerOver));
  });
}

function hintOf(cell: HTMLElement, torrents: Torrents): string {
  const torrent = torrents.all.get(idOfRow(cell.closest('[role="row"]')));
  const column = COLUMNS.find(({ key }) => key === cell.dataset['column']);
  return (torrent && column?.hint?.(torrent)) ?? cell.innerText;
}

// The cells of a row. Those of plain text, which most are, are written by one effect of the row: with an effect for each, a
// tick would be felt in that alone.
import { createMemo, createRenderEffect, type Accessor } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import type { Column } from './columns.jsx';
import { widthOf } from './head.jsx';
import type { ListModel } from './list-model.js';
import styles from './list.module.css';

export interface CellsProps {
  readonly torrent: Accessor<Torrent>;
  readonly columns: readonly Column[];
  readonly model: ListModel;
  /** Whether a torrent can be taken hold of by its place in the queue. */
  readonly isGripped: boolean;
}

interface TextCell {
  readonly node: Text;
  readonly of: (torrent: Torrent) => string;
  shown: string;
}

export function Cells(props: CellsProps) {
  const cells = createMemo(() => {
    const texts: TextCell[] = [];
    const elements = props.columns.map((column) => {
      const widthPx = () => widthOf(props.model, column);
      return (
        <div
          role="gridcell"
          class={styles['cell']}
          data-column={column.key}
          data-numeric={column.isNumeric}
          data-clipped={column.isLong || widthPx() < column.widthPx}
          data-grip={column.key === 'queue' && props.isGripped}
        >
          {column.text ? textCell(column.text, texts) : column.cell?.(props.torrent, widthPx)}
        </div>
      );
    });
    createRenderEffect(() => writeTexts(texts, props.torrent()));
    return elements;
  });
  return <>{cells()}</>;
}

/** The element of the text, which is written later. */
function textCell(of: TextCell['of'], texts: TextCell[]): Text {
  const node = document.createTextNode('');
  texts.push({ node, of, shown: '' });
  return node;
}

function writeTexts(texts: readonly TextCell[], torrent: Torrent): void {
  for (const text of texts) {
    const now = text.of(torrent);
    if (now !== text.shown) text.node.data = text.shown = now;
  }
}

// A window over the page: focus stays in it, Escape closes it, and then the focus is where it was.
import { Dialog as Kobalte } from '@kobalte/core/dialog';
import type { JSX } from 'solid-js';
import styles from './dialog.module.css';
import { focusBefore, windowOpens } from './focus-back.js';
import { t } from '../strings/index.js';

export interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** @default 'medium' */
  readonly size?: 'small' | 'medium' | 'large';
  readonly children: JSX.Element;
}

/** The first that can be typed into, or chosen from. */
export function firstField(within: Element): HTMLElement | null {
  return within.querySelector<HTMLElement>(':is(input, textarea, select):enabled');
}

export function Dialog(props: DialogProps) {
  let content!: HTMLDivElement;
  return (
    <Kobalte open={props.isOpen} onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Kobalte.Portal>
        <Kobalte.Overlay class={styles['overlay']} />
        <div class={styles['place']}>
          <Kobalte.Content
            ref={content}
            class={`${styles['content']} ${styles[props.size ?? 'medium'] ?? ''}`}
            onOpenAutoFocus={(event) => {
              windowOpens(content);
              // Not the button that closes it: what one has come for.
              const first = firstField(content);
              if (!first) return;
              event.preventDefault();
              // A window below lets go of the focus once this turn is over.
              queueMicrotask(() => first.focus());
            }}
            // It is told of the closing of what was over it as well, and where something has the focus already.
            onCloseAutoFocus={(event) => !event.defaultPrevented && !content.isConnected && focusBefore(content)}
          >
            <div class={styles['head']}>
              <Kobalte.Title as="h2">{props.title}</Kobalte.Title>
              <Kobalte.CloseButton class={styles['close']} aria-label={t('common.close')}>
                ×
              </Kobalte.CloseButton>
            </div>
            {props.children}
          </Kobalte.Content>
        </div>
      </Kobalte.Portal>
    </Kobalte>
  );
}

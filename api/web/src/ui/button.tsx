import { splitProps, type JSX } from 'solid-js';
import styles from './button.module.css';

export interface ButtonProps extends JSX.ButtonHTMLAttributes<HTMLButtonElement> {
  /** @default 'plain' */
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Why it cannot be pressed: it stays focusable, so that a user who wonders is told. */
  readonly refused?: string | null;
}

export function Button(props: ButtonProps) {
  const [own, others] = splitProps(props, ['look', 'refused', 'class', 'onClick', 'title']);
  const refused = () => own.refused ?? undefined;
  return (
    <button
      type="button"
      {...others}
      class={`${styles['button']} ${styles[own.look ?? 'plain'] ?? ''} ${own.class ?? ''}`}
      aria-disabled={refused() ? true : undefined}
      title={[own.title, refused()].filter(Boolean).join('\n') || undefined}
      onClick={(event) => {
        if (refused()) return event.preventDefault();
        if (typeof own.onClick === 'function') own.onClick(event);
      }}
    />
  );
}

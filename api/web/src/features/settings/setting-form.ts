// The usual case: a form over one resource of the settings that is read and written under the same address.
import type { Accessor } from 'solid-js';
import { call } from '../../net/http.js';
import { createFetched, type Fetched } from '../../state/fetched.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import type { Codecs } from './codecs.js';
import { createForm, type Form, type Pins } from './create-form.js';

export interface SettingForm<Values extends object> {
  readonly form: Form<Values>;
  readonly remote: Fetched<Values>;
  /** The properties that the frame of the form takes. */
  readonly frame: {
    readonly form: Form<Values>;
    readonly refused: string | null;
    readonly loadError: string | null;
    readonly onRetry: () => void;
  };
}

/** The command line, as the answer of a resource tells of it. */
interface Pinned<Values> {
  readonly pinned?: readonly string[];
  readonly in_force?: Partial<Values>;
}

/**
 * `flags`: what may decide the fields in place of what is stored, by their names. `others`: what the body has besides, which
 * stays as it is at that moment.
 */
export function createSettingForm<Values extends object>(
  path: string,
  codecs: Codecs<Values>,
  flags: Pins<Values> = {},
  others: readonly string[] = [],
): SettingForm<Values> {
  const remote = createFetched<Values & Pinned<Values>>(path);
  const pins = () => {
    const pinned = remote.value()?.pinned ?? [];
    return Object.fromEntries(Object.entries(flags).filter(([name]) => pinned.includes(name))) as Pins<Values>;
  };
  /** The values with those of these names taken from elsewhere. */
  const withPinned = (values: Values, from: Partial<Values>): Values => {
    const names = Object.keys(pins()) as (keyof Values)[];
    const taken = names.flatMap((name) => ((from[name] ?? null) === null ? [] : [[name, from[name]] as const]));
    return { ...values, ...(Object.fromEntries(taken) as Partial<Values>) };
  };
  const form = createForm<Values>({
    codecs,
    pins,
    // What a flag has decided is shown as it is in this run.
    source: () => {
      const value = remote.value();
      return value && withPinned(value, value.in_force ?? {});
    },
    async save(values) {
      const now = others.length === 0 ? {} : await call<Readonly<Record<string, unknown>>>('GET', path);
      const kept = Object.fromEntries(others.map((name) => [name, now[name as keyof typeof now]]));
      await call('PUT', path, { ...kept, ...withPinned(values, remote.value() ?? {}) });
      await remote.reload();
    },
  });
  return { form, remote, frame: frameOf(form, remote) };
}

export function frameOf<Values extends object>(
  form: Form<Values>,
  remote: Fetched<unknown>,
  refused: Accessor<string | null> = refusedToSet,
): SettingForm<Values>['frame'] {
  return {
    form,
    get refused() {
      return refused();
    },
    get loadError() {
      return remote.error();
    },
    onRetry: () => void remote.reload(),
  };
}

/** Why the account may not change settings; null when it may. */
export function refusedToSet(): string | null {
  return may('perm_change_settings') ? null : t('permission.settings');
}

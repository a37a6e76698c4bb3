// The usual case: a form over one resource of the settings that is read and written under the same address.
import type { Accessor } from 'solid-js';
import { call } from '../../net/http.js';
import { createRemote, type Remote } from '../../state/resource.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import type { Codecs } from './codecs.js';
import { createForm, type Form } from './create-form.js';

export interface SettingForm<Values extends object> {
  readonly form: Form<Values>;
  readonly remote: Remote<Values>;
  /** The properties that the frame of the form takes. */
  readonly frame: {
    readonly form: Form<Values>;
    readonly refused: string | null;
    readonly loadError: string | null;
    readonly onRetry: () => void;
  };
}

export function createSettingForm<Values extends object>(path: string, codecs: Codecs<Values>): SettingForm<Values> {
  const remote = createRemote<Values>(path);
  const form = createForm<Values>({
    codecs,
    source: remote.value,
    async save(values) {
      await call('PUT', path, values);
      await remote.reload();
    },
  });
  return { form, remote, frame: frameOf(form, remote) };
}

export function frameOf<Values extends object>(
  form: Form<Values>,
  remote: Remote<unknown>,
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

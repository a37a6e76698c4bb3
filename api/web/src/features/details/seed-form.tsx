// When the torrent has seeded enough and what is done then: by default, or by a rule of its own, of which nothing is lost.
import { createSignal } from 'solid-js';
import type { SeedingInForceDto } from '../../../../../shared-protocol/dto/seeding.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { draftOf, problemsOf, ruleOf } from '../verbs/seeding-draft.js';
import { SeedingFields } from '../verbs/seeding-fields.jsx';
import { LimitForm } from './limit-form.jsx';

export interface SeedFormProps {
  readonly path: string;
  readonly now: SeedingInForceDto;
  readonly refused: string | null;
  readonly isOwner: boolean;
  readonly onSaved: () => void;
}

export function SeedForm(props: SeedFormProps) {
  const [draft, setDraft] = createSignal(draftOf(props.now.own));
  const save = () => {
    if (problemsOf(draft()).size > 0) return null;
    return call('PUT', props.path, { rule: ruleOf(draft()) }).then(props.onSaved);
  };
  return (
    <LimitForm refused={props.refused} save={save}>
      <h3>{t('details.limits.seeding')}</h3>
      <SeedingFields
        draft={draft()}
        onDraft={setDraft}
        now={props.now}
        isDisabled={props.refused !== null}
        isOwner={props.isOwner}
      />
      <p class="muted">{t('details.limits.again')}</p>
    </LimitForm>
  );
}

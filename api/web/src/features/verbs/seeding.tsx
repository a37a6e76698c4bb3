// When torrents have seeded enough, for one or several of them.
import { createSignal, onMount, Show } from 'solid-js';
import type { SeedingInForceDto } from '../../../../../shared-protocol/dto/seeding.js';
import { attempt } from '../../actions/perform.js';
import { refusedToOwn } from '../../actions/permitted.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { draftOf, problemsOf, ruleOf } from './seeding-draft.js';
import { SeedingFields } from './seeding-fields.jsx';
import { doAndTell } from './tell-done.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';

export function Seeding(props: VerbProps) {
  const torrents = props.verb.torrents;
  const only = torrents.length === 1 ? torrents[0] : undefined;
  const [now, setNow] = createSignal<SeedingInForceDto | null>(null);
  const isLoading = () => Boolean(only && !now());
  const [draft, setDraft] = createSignal(draftOf(null));
  onMount(async () => {
    if (!only) return;
    const rule = await attempt(() => call<SeedingInForceDto>('GET', torrentAddress(only.id, '/seeding_rule')));
    if (!rule) return props.onClose();
    setNow(rule);
    setDraft(draftOf(rule.own));
  });
  return (
    <VerbForm
      title={t('verbs.seeding.title', { count: torrents.length })}
      submit={t('verbs.seeding.save')}
      torrents={torrents}
      isLoading={isLoading()}
      isDisabled={problemsOf(draft()).size > 0}
      onClose={props.onClose}
      onSubmit={() => doAndTell(torrents, { action: 'seeding_rule', rule: ruleOf(draft()) })}
    >
      <Show when={!only}>
        <p class="muted">{t('verbs.seeding.many')}</p>
      </Show>
      <SeedingFields
        draft={draft()}
        onDraft={setDraft}
        now={now()}
        isDisabled={isLoading()}
        isOwner={refusedToOwn(torrents) === null}
      />
    </VerbForm>
  );
}

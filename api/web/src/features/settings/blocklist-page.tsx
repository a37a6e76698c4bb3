// The list of addresses to keep away from, and those that are banned by hand. Enabling the list fetches it in the
// background, so how that went is asked for again every few seconds.
import { createSignal, Show } from 'solid-js';
import type { BlocklistDto } from '../../../../../shared-protocol/dto/settings.js';
import { ApiError, call } from '../../net/http.js';
import { worded } from '../../net/worded.js';
import { count, dateTime } from '../../format/quantities.js';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import BansSection from '../bans/bans-section.jsx';
import { flag, text } from './codecs.js';
import { CheckControl, TextControl } from './controls.jsx';
import { createForm } from './create-form.js';
import { Facts } from './facts.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { frameOf, refusedToSet } from './setting-form.js';
import styles from './settings.module.css';

const PATH = '/api/settings/blocklist';
const LOOK_AGAIN_MS = 3_000;

export default function BlocklistPage() {
  const remote = createFetched<BlocklistDto>(PATH);
  const form = createForm<Pick<BlocklistDto, 'url' | 'enabled'>>({
    codecs: { enabled: flag, url: text },
    source: remote.value,
    async save(values) {
      await call('PUT', PATH, values);
      await remote.reload();
    },
    check: ({ enabled, url }) => (enabled && url.trim() === '' ? { url: t('settings.blocklist.urlNeeded') } : {}),
  });
  reloadEvery(remote, LOOK_AGAIN_MS);
  return (
    <>
      <Section about={t('settings.blocklist.about')}>
        <FormFrame {...frameOf(form, remote)}>
          <CheckControl form={form} name="enabled" label={t('settings.blocklist.enabled')} />
          <TextControl
            form={form}
            name="url"
            kind="url"
            label={t('settings.blocklist.url')}
            help={t('settings.blocklist.urlHelp')}
            placeholder="https://"
          />
        </FormFrame>
      </Section>
      <Loaded list={remote.value()} onRefreshed={remote.reload} />
      {/* The server shows them to no other account. */}
      <Show when={me().role === 'admin'}>
        <BansSection />
      </Show>
    </>
  );
}

function Loaded(props: { readonly list: BlocklistDto | null; readonly onRefreshed: () => Promise<void> }) {
  const [isBusy, setIsBusy] = createSignal(false);
  const [result, setResult] = createSignal<{ readonly isBad: boolean; readonly text: string } | null>(null);
  const refresh = async () => {
    setIsBusy(true);
    setResult(null);
    try {
      await call('POST', `${PATH}/refresh`);
      await props.onRefreshed();
      setResult({ isBad: false, text: t('settings.blocklist.refreshed', { count: props.list?.entries ?? 0 }) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setResult({ isBad: true, text: error.message });
    } finally {
      setIsBusy(false);
    }
  };
  const refused = () => refusedToSet() ?? (props.list?.url === '' ? t('settings.blocklist.noUrl') : null);
  return (
    <Section title={t('settings.blocklist.status')}>
      <Facts
        facts={[
          {
            name: t('settings.blocklist.lastLoaded'),
            value: <>{props.list && (dateTime(props.list.last_loaded_at) || t('settings.never'))}</>,
          },
          { name: t('settings.blocklist.entries'), value: <>{props.list && count(props.list.entries)}</> },
          {
            name: t('settings.blocklist.error'),
            value: (
              <span class={props.list?.error ? 'bad' : undefined}>
                {props.list?.error ? worded(props.list.error, props.list.reason) : '–'}
              </span>
            ),
          },
        ]}
      />
      <div class={styles['row']}>
        <Button refused={refused()} disabled={isBusy()} onClick={() => void refresh()}>
          {isBusy() ? t('settings.blocklist.refreshing') : t('settings.blocklist.refresh')}
        </Button>
        <span role="status">
          <Show when={result()}>
            {(shown) => <span class={shown().isBad ? 'bad' : undefined}>{shown().text}</span>}
          </Show>
        </span>
      </div>
    </Section>
  );
}

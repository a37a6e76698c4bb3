// Updates of Swarmd itself: how they are looked for, what was found, and installing it.
import { createSignal, Show } from 'solid-js';
import type { UpdateInfoDto, UpdaterDto } from '../../../../../shared-protocol/dto/settings.js';
import { dateTime, inert } from '../../format/quantities.js';
import { ApiError, call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { useShell } from '../shell/shell.jsx';
import { choice, flag } from './codecs.js';
import { CheckControl, ChoiceControl } from './controls.jsx';
import { createForm } from './create-form.js';
import { Facts } from './facts.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { frameOf, refusedToSet } from './setting-form.js';
import styles from './settings.module.css';

const PATH = '/api/settings/updater';

export default function UpdatesPage() {
  const remote = createFetched<UpdaterDto>(PATH);
  const form = createForm<Pick<UpdaterDto, 'enabled' | 'channel'>>({
    codecs: { enabled: flag, channel: choice(['stable', 'beta'] as const) },
    source: remote.value,
    async save(values) {
      await call('PUT', PATH, values);
      await remote.reload();
    },
  });
  return (
    <>
      <Found updater={remote.value()} onChecked={remote.reload} />
      <Show when={!hasNoSource(remote.value())}>
        <Section title={t('settings.updates.how')}>
          <FormFrame {...frameOf(form, remote)}>
            <CheckControl
              form={form}
              name="enabled"
              label={t('settings.updates.enabled')}
              help={remote.value()?.install_source === 'apt' ? t('settings.updates.aptCheck') : ''}
            />
            <ChoiceControl
              form={form}
              name="channel"
              label={t('settings.updates.channel')}
              options={[
                { value: 'stable', label: t('settings.updates.stable'), help: t('settings.updates.stableHelp') },
                { value: 'beta', label: t('settings.updates.beta'), help: t('settings.updates.betaHelp') },
              ]}
            />
          </FormFrame>
        </Section>
      </Show>
    </>
  );
}

/** Where there is nobody to ask, nothing is offered. */
function hasNoSource(updater: UpdaterDto | null): boolean {
  return updater?.has_source === false;
}

interface FoundProps {
  readonly updater: UpdaterDto | null;
  readonly onChecked: () => Promise<void>;
}

function Found(props: FoundProps) {
  const { live } = useShell();
  const [checked, setChecked] = createSignal<UpdateInfoDto | null>(null);
  const [busy, setBusy] = createSignal<'check' | 'install' | null>(null);
  const [said, setSaid] = createSignal<{ readonly isBad: boolean; readonly text: string } | null>(null);
  const info = () => checked() ?? live.update();
  const work = async (what: 'check' | 'install', request: () => Promise<string>) => {
    setBusy(what);
    setSaid(null);
    try {
      setSaid({ isBad: false, text: await request() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setSaid({ isBad: true, text: error.message });
    } finally {
      setBusy(null);
    }
  };
  const check = async () => {
    const found = await call<UpdateInfoDto>('POST', '/api/updater/check');
    setChecked(found);
    await props.onChecked();
    return found.available ? '' : t('settings.updates.upToDate', { version: inert(found.current_version) });
  };
  const install = async () => {
    await call('POST', '/api/updater/install');
    return t('settings.updates.installed');
  };
  const refusedToCheck = () => (hasNoSource(props.updater) ? t('server.noUpdates') : refusedToSet());
  const refusedToInstall = () => {
    if (me().role !== 'admin') return t('settings.adminOnly');
    return props.updater?.install_source === 'apt' ? t('settings.updates.byApt') : null;
  };
  const source = () => props.updater && t(`settings.updates.sources.${props.updater.install_source}`);
  return (
    <Section title={t('settings.updates.found')}>
      <Facts
        facts={[
          {
            name: t('settings.updates.lastChecked'),
            value: <>{props.updater && (dateTime(props.updater.last_checked_at) || t('settings.never'))}</>,
          },
          { name: t('settings.updates.lastSeen'), value: <>{inert(props.updater?.last_seen_version || '–')}</> },
          { name: t('settings.updates.source'), value: <>{source()}</> },
        ]}
      />
      <Show when={info()?.available && info()}>
        {(found) => (
          <p class={styles['warning']}>
            {t('settings.updates.available', {
              version: inert(found().latest_version),
              current: inert(found().current_version),
              file: inert(found().asset_filename),
            })}
          </p>
        )}
      </Show>
      <Show when={hasNoSource(props.updater)}>
        <p class="muted">{t('server.noUpdates')}</p>
      </Show>
      <div class={styles['row']}>
        <Button refused={refusedToCheck()} disabled={busy() !== null} onClick={() => void work('check', check)}>
          {busy() === 'check' ? t('settings.updates.checking') : t('settings.updates.check')}
        </Button>
        <Show when={info()?.available}>
          <Button
            look="primary"
            refused={refusedToInstall()}
            disabled={busy() !== null}
            onClick={() => void work('install', install)}
          >
            {busy() === 'install' ? t('settings.updates.installing') : t('settings.updates.install')}
          </Button>
        </Show>
        <span role="status">
          <span class={said()?.isBad ? 'bad' : undefined}>{said()?.text}</span>
        </span>
      </div>
    </Section>
  );
}

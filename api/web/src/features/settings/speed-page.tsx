// Speed limits: the usual pair, the alternative pair, which is wanted, and what holds now.
import { createMemo, onMount } from 'solid-js';
import type { LimitsDto } from '../../../../../shared-protocol/dto/settings.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { limits, limitsInForce, toggleAltSpeed } from '../../state/limits.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { createForm } from './create-form.js';
import { FormFrame } from './form.jsx';
import { LimitsNow } from './limits-now.jsx';
import { kbps, RateControl } from './rate-control.jsx';
import { Section } from './section.jsx';
import { frameOf, refusedToSet } from './setting-form.js';
import styles from './settings.module.css';

type Pairs = Omit<LimitsDto, 'alt_active'>;

const PATH = '/api/settings/limits';

export default function SpeedPage() {
  // The bar above may have read them long ago.
  onMount(() => void limits.reload());
  const form = createForm<Pairs>({
    codecs: { down_kbps: kbps, up_kbps: kbps, alt_down_kbps: kbps, alt_up_kbps: kbps },
    source: limits.value,
    async save(pairs) {
      // The body has the toggle in it as well; another user may have turned it since the page was opened.
      const { alt_active } = await call<LimitsDto>('GET', PATH);
      await call('PUT', PATH, { ...pairs, alt_active });
      await Promise.all([limits.reload(), limitsInForce.reload()]);
    },
  });
  const isAlt = createMemo(() => limits.value()?.alt_active ?? false);
  return (
    <>
      <Section title={t('settings.speed.now')}>
        <LimitsNow />
        <div class={styles['row']}>
          <Button
            look={isAlt() ? 'primary' : 'plain'}
            aria-pressed={isAlt()}
            refused={refusedToSet()}
            onClick={() => void attempt(toggleAltSpeed)}
          >
            {t('settings.speed.useAlt')}
          </Button>
        </div>
      </Section>
      <Section about={t('settings.speed.about')}>
        <FormFrame {...frameOf(form, limits)}>
          <h2>{t('settings.speed.usual')}</h2>
          <div class={styles['pair']}>
            <RateControl form={form} name="down_kbps" label={t('settings.speed.down')} />
            <RateControl form={form} name="up_kbps" label={t('settings.speed.up')} />
          </div>
          <h2>{t('settings.speed.alt')}</h2>
          <div class={styles['pair']}>
            <RateControl form={form} name="alt_down_kbps" label={t('settings.speed.altDown')} />
            <RateControl form={form} name="alt_up_kbps" label={t('settings.speed.altUp')} />
          </div>
        </FormFrame>
      </Section>
    </>
  );
}

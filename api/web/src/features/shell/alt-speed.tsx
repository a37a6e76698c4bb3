// The switch of the alternative limits, and whether it has its way: a rule of the schedule goes before it, or asks for these
// limits without it. Rules begin and end at the edge of a minute, so what holds is asked for again each minute.
import { onCleanup, onMount } from 'solid-js';
import { attempt } from '../../actions/perform.js';
import { limits, limitsInForce, toggleAltSpeed } from '../../state/limits.js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { whenIdle } from '../../ui/idle.js';
import { showNote } from '../../ui/toasts.jsx';
import styles from './top-bar.module.css';

const MINUTE_MS = 60_000;
/** The server looks at the edge itself. */
const LATER_MS = 1_500;

type Standing = 'off' | 'on' | 'overridden' | 'byRule';

export function AltSpeed() {
  onMount(() => {
    whenIdle([limitsInForce.reload]);
    let timer = 0;
    const wait = () => {
      const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS) + LATER_MS;
      timer = window.setTimeout(() => void limitsInForce.reload().then(wait), leftMs);
    };
    wait();
    onCleanup(() => clearTimeout(timer));
  });
  const toggle = async () => {
    await attempt(toggleAltSpeed);
    // The press alone changes nothing then.
    const now = standing();
    if (now === 'overridden' || now === 'byRule') showNote({ text: sentence(now) });
  };
  return (
    <Button
      look={standing() === 'on' || standing() === 'byRule' ? 'primary' : 'quiet'}
      class={standing() === 'overridden' ? styles['overridden'] : ''}
      data-standing={standing()}
      aria-pressed={limits.value()?.alt_active ?? false}
      aria-label={t('bar.altSpeed')}
      title={sentence(standing())}
      refused={may('perm_change_settings') ? null : t('permission.settings')}
      onClick={() => void toggle()}
    >
      <Icon name="slow" />
    </Button>
  );
}

function standing(): Standing {
  const isOn = limits.value()?.alt_active ?? false;
  const now = limitsInForce.known();
  if (isOn) return now?.source === 'rule' ? 'overridden' : 'on';
  return now?.source === 'alt' && now.rule_id !== null ? 'byRule' : 'off';
}

function sentence(now: Standing): string {
  return t(`bar.altSpeedIs.${now}`, { id: String(limitsInForce.known()?.rule_id ?? '') });
}

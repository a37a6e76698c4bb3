// Makes the page the program for magnet links in this browser. Nothing is stored here: the browser keeps it.
import { createSignal, Show } from 'solid-js';
import { atBase } from '../../net/base.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Section } from './section.jsx';

const MAGNET_URL = '/#add=%s';

export function HandlerSection() {
  const [outcome, setOutcome] = createSignal('');
  const register = () => {
    try {
      navigator.registerProtocolHandler('magnet', location.origin + atBase(MAGNET_URL));
      setOutcome(t('handlers.asked'));
    } catch (error) {
      setOutcome(t('handlers.failed', { reason: error instanceof Error ? error.message : '' }));
    }
  };
  return (
    <Section title={t('handlers.title')} about={t('handlers.about')}>
      <div>
        <Button refused={refusal()} onClick={register}>
          {t('handlers.register')}
        </Button>
      </div>
      <Show when={refusal() ?? outcome()}>{(text) => <p role="status">{text()}</p>}</Show>
    </Section>
  );
}

/** Why it cannot be; null: it can. */
function refusal(): string | null {
  if (!window.isSecureContext) return t('handlers.insecure');
  return 'registerProtocolHandler' in navigator ? null : t('handlers.unsupported');
}

// A speed limit: KiB/s, and beside it what that is.
import { rate } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { number, orUnlimited } from './codecs.js';
import { TextControl, type TextProps } from './controls.jsx';

const KIB = 1024;

/** Fractions are the server's to round. */
export const kbps = number({ isWhole: false });

export function RateControl<Values extends object>(props: Pick<TextProps<Values>, 'form' | 'name' | 'label'>) {
  const help = () => {
    const read = orUnlimited(kbps).read(props.form.typed(props.name));
    return 'value' in read ? rateLimit(read.value) : '';
  };
  return <TextControl {...props} kind="number" unit={t('settings.unit.kibPerS')} help={help()} />;
}

export function rateLimit(limitKbps: number): string {
  return limitKbps === 0 ? t('settings.speed.none') : rate(limitKbps * KIB);
}

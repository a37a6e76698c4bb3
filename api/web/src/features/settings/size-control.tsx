// A bound of a size: as it is written, and below it what that is where sizes are shown.
import { bytes } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { orUnlimited } from './codecs.js';
import { TextControl, type TextProps } from './controls.jsx';
import { size } from './size.js';

export function SizeControl<Values extends object>(props: Pick<TextProps<Values>, 'form' | 'name' | 'label'>) {
  const help = () => {
    const read = orUnlimited(size).read(props.form.typed(props.name));
    return 'value' in read ? sizeLimit(read.value) : '';
  };
  return <TextControl {...props} help={help()} />;
}

function sizeLimit(limit: number): string {
  return limit === 0 ? t('settings.speed.none') : bytes(limit);
}

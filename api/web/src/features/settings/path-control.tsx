// The control of a form for a folder of the server.
import { PathField } from '../../ui/path-field.jsx';
import type { Form } from './create-form.js';

interface PathControlProps<Values extends object> {
  readonly form: Form<Values>;
  readonly name: keyof Values & string;
  readonly label: string;
  readonly help?: string;
  /** Whether it is a folder of another machine, of which nothing is told here. */
  readonly isElsewhere?: boolean;
}

export function PathControl<Values extends object>(props: PathControlProps<Values>) {
  return (
    <PathField
      label={props.label}
      help={props.help}
      error={props.form.problemOf(props.name)}
      isElsewhere={props.isElsewhere ?? false}
      name={props.name}
      value={String(props.form.typed(props.name))}
      onInput={(path) => props.form.type(props.name, path)}
    />
  );
}

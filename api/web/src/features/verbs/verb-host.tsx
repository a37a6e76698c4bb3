// Shows the window of what is about to be done; it and its texts come when they are first needed.
import { Show } from 'solid-js';
import { verb, type Verb } from '../../state/verb.js';
import { onDemand } from '../../ui/on-demand.jsx';

const VerbDialog = onDemand<{ readonly verb: Verb }>(['verbs', 'labels', 'settings', 'details', 'paths'], async () => ({
  default: (await import('./verb-dialog.jsx')).VerbDialog,
}));

export function VerbHost() {
  return (
    <Show when={verb()} keyed>
      {(open) => <VerbDialog verb={open} />}
    </Show>
  );
}

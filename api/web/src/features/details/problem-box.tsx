// What is wrong with the torrent, what it means, and what to do about it.
import { Show } from 'solid-js';
import { refusedToEdit } from '../../actions/permitted.js';
import { reannounce, recheck, resume } from '../../actions/torrents.js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { messageOf, problemOf, type Problem } from '../../state/torrent-state.js';
import { awayServerOf } from '../../state/servers.js';
import { openVerb } from '../../state/verb.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import styles from './problem-box.module.css';

export function ProblemBox(props: { readonly torrent: Torrent }) {
  const targets = () => [props.torrent];
  const refused = () => refusedToEdit([props.torrent]);
  const isOfTrackers = (problem: Problem) => problem === 'unregistered' || problem === 'tracker';
  return (
    <Show when={awayServerOf(props.torrent) ? null : problemOf(props.torrent)}>
      {(problem) => (
        <section class={styles['box']} aria-label={t('problem.title')} data-mild={problem() === 'tracker'}>
          <p class={styles['title']}>
            <Icon name="warning" /> {t(`problem.${problem()}`)}
          </p>
          <p class={styles['message']}>{inert(messageOf(props.torrent))}</p>
          <p class={styles['how']}>{t(`problem.how.${problem()}`)}</p>
          <div class={styles['buttons']}>
            <Show
              when={isOfTrackers(problem())}
              fallback={
                <>
                  <Button refused={refused()} onClick={() => void resume(targets())}>
                    {t('problem.retry')}
                  </Button>
                  <Button refused={refused()} onClick={() => void recheck(targets())}>
                    {t('problem.recheck')}
                  </Button>
                </>
              }
            >
              <Button refused={refused()} onClick={() => void reannounce(targets())}>
                {t('problem.reannounce')}
              </Button>
              <Show when={problem() === 'unregistered'}>
                <Button refused={refused()} onClick={() => openVerb('trackers', targets())}>
                  {t('verbs.menu.trackers')}
                </Button>
              </Show>
            </Show>
          </div>
        </section>
      )}
    </Show>
  );
}

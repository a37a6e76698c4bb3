// Which Swarmd this is, and where its API is described.
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Facts } from './facts.jsx';
import { bootstrap } from './bootstrap.js';
import { Section } from './section.jsx';
import { atBase } from '../../net/base.js';

export default function AboutPage() {
  const version = createFetched<{ readonly version: string }>('/api/version');
  const flavor = () => {
    const about = bootstrap.value();
    return about ? t(`settings.about.flavors.${about.flavor}`) : '';
  };
  return (
    <Section>
      <Facts
        facts={[
          { name: t('settings.about.version'), value: <>{version.value()?.version ?? version.error()}</> },
          { name: t('settings.about.flavor'), value: <>{flavor()}</> },
          {
            name: t('settings.about.api'),
            value: (
              <a href={atBase('/api/docs')} target="_blank" rel="noopener">
                {t('settings.about.docs')}
              </a>
            ),
          },
          {
            name: t('settings.about.openapi'),
            value: (
              <a href={atBase('/api/openapi.json')} target="_blank" rel="noopener">
                /api/openapi.json
              </a>
            ),
          },
        ]}
      />
    </Section>
  );
}

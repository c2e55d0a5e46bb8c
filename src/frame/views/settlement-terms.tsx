/** How a market is settled, with its dates: what a contract pays, who decides, and what happens if the market is annulled. */
import type { CatalogueEvent } from '../../wire/catalogue.ts';
import { dayAndTime } from '../format.ts';
import { t } from '../texts/texts.ts';
import { RulesSource, RulesText } from './rules-text.tsx';

export function SettlementTerms({ event }: { readonly event: CatalogueEvent }) {
  const rules = event.rules ?? null;
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{t('settles')}</h2>
      <p>{event.kind === 'binary' ? t('paysNote') : `${t(`kind_${event.kind}`)} ${t('paysNote')}`}</p>
      {rules === null ? <p>{t('settlesBy')}</p> : <RulesText event={event} rules={rules} />}
      <p>{t('settlesVoid')}</p>
      <dl>
        <div>
          <dt>{t('opened')}</dt>
          <dd>{dayAndTime(event.opensAt)}</dd>
        </div>
        <div>
          <dt>{t('tradingCloses')}</dt>
          <dd>{dayAndTime(event.closesAt)}</dd>
        </div>
        {rules !== null && <RulesSource rules={rules} />}
      </dl>
    </section>
  );
}

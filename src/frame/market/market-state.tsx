/**
 * The texts about the market itself: a notice with a way on if it cannot be traded any more, which may happen while the view is
 * open, and the terms by which it is settled.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogueEvent, EventRules, Outcome } from '../../wire/catalogue.ts';
import { dayAndTime } from '../format.ts';
import { Icon } from '../parts/pictures.tsx';
import { refusalText } from '../parts/states.tsx';
import { catchFocus, go } from '../route.ts';
import { t } from '../texts/texts.ts';
import { presentation } from '../theme.ts';
import { shownPrice, winnerOf } from '../trading/price.ts';

interface MarketStateProps {
  readonly event: CatalogueEvent;
  /** Whether the service does not list the event any more. */
  readonly gone: boolean;
}

/** Empty while the market trades. The live region is always there, so that a change is announced. */
export function MarketState({ event, gone }: MarketStateProps) {
  const state = gone ? 'gone' : stateOf(event);
  return (
    <div class="market-state" role="status">
      {state !== 'open' && (
        <div class="moved">
          <Icon name="alert" />
          <div>
            <p>{t(`state_${state}`)}</p>
            <p class="ways">
              <button type="button" class="link" onClick={() => go({ name: 'positions', list: 'open' })}>
                {t('viewPositions')}
              </button>
              <button type="button" class="link" onClick={() => go({ name: 'markets' })}>
                {t('browse')}
              </button>
            </p>
          </div>
        </div>
      )}
    </div>
  );
}

/** One outcome that trades keeps the event open. The stream is ahead of the catalogue, so its prices decide. */
function stateOf({ status, outcomes }: CatalogueEvent): 'open' | 'paused' | 'closed' | 'resolved' | 'voided' {
  if (status !== 'open') {
    return status;
  }
  return outcomes.length > 0 && outcomes.every((outcome) => !shownPrice(outcome).open) ? 'closed' : 'open';
}

interface StoppedProps {
  readonly event: CatalogueEvent;
  readonly outcome: Outcome;
  readonly onClose: () => void;
}

/** Takes the place of the button in a ticket if trading stopped while the customer was typing. */
export function TradingStopped({ event, outcome, onClose }: StoppedProps) {
  const way = useRef<HTMLButtonElement>(null);
  useEffect(() => catchFocus(way.current), []);
  const isPaused = outcome.status === 'paused' || event.status === 'paused';
  const hasOthers = event.outcomes.some((other) => other.id !== outcome.id && shownPrice(other).open);
  return (
    <div class="offer">
      <p class="moved" role="alert">
        <Icon name="alert" />
        <span>{refusalText(isPaused ? 'market_paused' : 'market_not_open')}</span>
      </p>
      <button
        type="button"
        class="button plain"
        ref={way}
        onClick={() => (hasOthers ? onClose() : go({ name: 'markets' }))}
      >
        {t(hasOthers ? 'otherOutcome' : 'browse')}
      </button>
    </div>
  );
}

/** How a market is settled, with its dates: the payout of a contract, the source that decides, and the refund if it is annulled. */
export function SettlementTerms({ event }: { readonly event: CatalogueEvent }) {
  const rules = event.rules ?? null;
  const decidedAt = decisionOf(event);
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h2 id="rules-title">{t('settles')}</h2>
      <p>
        {event.kind === 'binary' || winnerOf(event) !== undefined
          ? t('paysNote')
          : `${t(`kind_${event.kind}`)} ${t('paysNote')}`}
      </p>
      {rules === null ? <p>{t('settlesBy')}</p> : <RulesText event={event} rules={rules} />}
      <p>{t('settlesVoid')}</p>
      <dl>
        <div>
          <dt>{t('opened')}</dt>
          <dd>{dayAndTime(event.opensAt)}</dd>
        </div>
        <div>
          <dt>{t(decidedAt === null ? 'tradingCloses' : 'decided')}</dt>
          <dd>{dayAndTime(decidedAt ?? event.closesAt)}</dd>
        </div>
        {rules !== null && <RulesSource rules={rules} expects={decidedAt === null} />}
      </dl>
    </section>
  );
}

/** When the last outcome was decided; null while one is open. The price of a decided outcome is as old as its result. */
function decisionOf({ outcomes }: CatalogueEvent): string | null {
  const isDecided = outcomes.length > 0 && outcomes.every(({ resolution }) => resolution !== undefined);
  return isDecided
    ? (outcomes
        .map(({ priceUpdatedAt }) => priceUpdatedAt)
        .toSorted()
        .at(-1) ?? null)
    : null;
}

/** The published rules of resolution, closed at first because they may be long. */
function RulesText({ event, rules }: { readonly event: CatalogueEvent; readonly rules: EventRules }) {
  return (
    <details class="rules-text">
      <summary>{t('rules')}</summary>
      {presentation.value.locale !== 'en' && <p class="note">{t('rulesInEnglish')}</p>}
      {rules.text !== null && <Paragraphs text={rules.text} />}
      {rules.outcomes.map(({ id, text }) => (
        <div key={id}>
          <p class="rules-outcome">{event.outcomes.find((outcome) => outcome.id === id)?.label}</p>
          <Paragraphs text={text} />
        </div>
      ))}
    </details>
  );
}

/**
 * The source of the result and the date on which it is expected, each only if it is published.
 * @param expects whether the result is still to come
 */
function RulesSource({ rules, expects }: { readonly rules: EventRules; readonly expects: boolean }) {
  const { source, sourceUrl, resolvesAt } = rules;
  const words = source ?? sourceUrl;
  return (
    <>
      {words !== null && (
        <div>
          <dt>{t('rulesSource')}</dt>
          <dd lang="en">
            {sourceUrl !== null && /^https?:/.test(sourceUrl) ? (
              <a href={sourceUrl} target="_blank" rel="noopener noreferrer">
                {words}
                <span class="unseen"> ({t('opensNewPage')})</span>
              </a>
            ) : (
              words
            )}
          </dd>
        </div>
      )}
      {expects && resolvesAt !== null && (
        <div>
          <dt>{t('resultExpected')}</dt>
          <dd>{dayAndTime(resolvesAt)}</dd>
        </div>
      )}
    </>
  );
}

function Paragraphs({ text }: { readonly text: string }) {
  return text
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line, index) => (
      <p key={index} lang="en">
        {line}
      </p>
    ));
}

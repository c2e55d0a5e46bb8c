/** What a market that cannot be traded any more says, and where the customer goes from there; it may happen while the view is open. */
import { useEffect, useRef } from 'preact/hooks';
import type { CatalogueEvent, Outcome } from '../../wire/catalogue.ts';
import { catchFocus } from '../focus.ts';
import { Icon } from '../parts/marks.tsx';
import { refusalText } from '../parts/states.tsx';
import { go } from '../route.ts';
import { t } from '../texts/texts.ts';
import { shownPrice } from '../trading/price.ts';

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

/** Of the whole event: one outcome that trades keeps it open, and the stream is ahead of the catalogue. */
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

/** In the ticket, in place of its button: trading stopped while the customer was typing. */
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

/** The states of a view without data (loading, empty, failed), each with a next step, and the texts of refusals. */
import type { ComponentChildren } from 'preact';
import { focusHeading, go } from '../route.ts';
import { probe } from '../service.ts';
import { named, t } from '../texts/texts.ts';
import { type EndedOrder, endReason } from '../trading/end-reason.ts';
import { Icon } from './pictures.tsx';

export function Skeletons({ count, kind }: { readonly count: number; readonly kind: 'card' | 'row' }) {
  return (
    <div class={kind === 'card' ? 'cards' : 'rows'} role="status" aria-label={t('loading')}>
      {Array.from({ length: count }, (_, index) => (
        <div class={`skeleton ${kind}`} key={index} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

export function Empty(props: {
  readonly icon: 'search' | 'wallet' | 'chart' | 'star';
  readonly title: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={props.icon} />
      </span>
      <p class="empty-title">{props.title}</p>
      {props.hint && <p class="quiet">{props.hint}</p>}
      {props.children}
    </div>
  );
}

/** A failed load. If another attempt would fail with the same code, the customer is led back to the list. */
export function Failure({ code, again }: { readonly code: string; readonly again: () => void }) {
  if (code === 'away') {
    // The banner of the frame reports that the service is away; this text adds that the customer need not do anything.
    return (
      <Empty icon="chart" title={t('awayHint')}>
        <button type="button" class="button plain" onClick={probe}>
          {t('tryNow')}
        </button>
      </Empty>
    );
  }
  const retry = () => {
    again();
    focusHeading();
  };
  return (
    <div class="empty" role="alert">
      <span class="empty-icon">
        <Icon name="alert" />
      </span>
      <p class="empty-title">{refusalText(code)}</p>
      <button type="button" class="button plain" onClick={isGone(code) ? () => go({ name: 'markets' }) : retry}>
        {t(isGone(code) ? 'browse' : 'tryAgain')}
      </button>
    </div>
  );
}

/** Whether the market is not there, so that another attempt would fail too. */
export function isGone(code: string | null): boolean {
  return code === 'unknown_event' || code === 'market_not_offered';
}

/**
 * A refusal in the customer's language.
 * @param reason one of the reasons of a code that has several
 */
export function refusalText(code: string, reason?: unknown): string {
  return reason === 'jurisdiction' ? t('notOfferedHere') : named('e_', SAME_WORDS[code] ?? code, t('e_default'));
}

/** The end of an order without a fill: that it cost nothing, and why it ended. */
export function endText(order: EndedOrder): string {
  const { action, status } = order;
  const end = t(action === 'sell' ? 'saleNotDone' : status === 'rejected' ? 'rejected' : 'cancelled');
  const reason = endReason(order);
  return `${end} ${named('why_', reason, named('e_', reason, t('why_unknown')))}`;
}

/** Codes that mean the same to a customer. */
const SAME_WORDS: Readonly<Record<string, string>> = {
  market_unavailable: 'market_paused',
  insufficient_collateral: 'over_tenant_exposure',
  market_not_found: 'unknown_event',
  service_unavailable: 'away',
  session_revoked: 'session_expired',
};

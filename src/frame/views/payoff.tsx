/** What stands around a typed stake: amounts to choose from, what it would pay at the price shown now, its limit and the balance. */
import type { Side } from '../../core/terms.ts';
import type { Outcome } from '../../wire/catalogue.ts';
import type { FrameAccount } from '../../wire/embed.ts';
import { quantity, price as shownText, signedPercent, usd } from '../format.ts';
import { Money } from '../parts/money.tsx';
import { refusalText } from '../parts/states.tsx';
import { plural, t } from '../texts/texts.ts';
import { account } from '../trading/account.ts';
import { centsOf, decimal, payoffOf } from '../trading/estimate.ts';
import { shownPrice } from '../trading/price.ts';

const STAKES = ['5', '10', '25', '100'] as const;

interface PayoffProps {
  readonly outcome: Outcome;
  readonly side: Side;
  /** As typed. */
  readonly stake: string;
}

/** "Payout if you win $37.12 (+271%)", for a stake that is an amount at a side that has a price. */
export function Payoff({ outcome, side, stake }: PayoffProps) {
  const { yesCents, noCents } = shownPrice(outcome);
  const price = side === 'YES' ? yesCents : noCents;
  const stakeMinor = centsOf(stake);
  const payoff = stakeMinor === null ? null : payoffOf(stakeMinor, price, account.value?.platformFeeBps ?? 0);
  if (payoff === null) {
    return <p class="note">{t(price === null ? 'quoteOnly' : 'paysNote')}</p>;
  }
  const contracts = Number(payoff.contracts) / 1_000_000;
  return (
    <div class="payoff" data-test="payoff">
      <dl>
        <dt>{t('payoutIfWon')}</dt>
        <dd class="yes-text">
          <Money amount={decimal(payoff.payoutMinor)} />
          <small class="share">{signedPercent(payoff.gainPercent)}</small>
        </dd>
      </dl>
      <p class="note">
        {plural('contractsAt', contracts, quantity(contracts), { price: shownText(price) ?? '' })}. {t('estimateNote')}
      </p>
    </div>
  );
}

/** The usual stakes, of which one tap fills in the field. */
export function QuickStakes({ stake, onStake }: { readonly stake: string; readonly onStake: (stake: string) => void }) {
  return (
    <div class="quick">
      {STAKES.map((amount) => (
        <button type="button" key={amount} class="chip" aria-pressed={stake === amount} onClick={() => onStake(amount)}>
          {usd(amount).replace(/[.,]00/, '')}
        </button>
      ))}
    </div>
  );
}

/** Above the lowest limit: which one it is, and the most that can be staked. */
export function TooMuch(props: {
  readonly largest: NonNullable<FrameAccount['largestStake']>;
  readonly onStake: (stake: string) => void;
}) {
  const { amount, limit } = props.largest;
  const isSome = Number(amount) > 0;
  return (
    <>
      <p class="note wrong" role="alert">
        {refusalText(limit)} {isSome && t('maxStake', { amount: usd(amount) })}
      </p>
      {isSome && (
        <button type="button" class="button plain" onClick={() => props.onStake(String(Number(amount)))}>
          {t('stakeLess', { amount: usd(amount) })}
        </button>
      )}
    </>
  );
}

/** The balance, and the button that stakes as much of it as the limits allow. Empty where the operator holds the money. */
export function Balance({ onMax }: { readonly onMax: (stake: string) => void }) {
  const available = account.value?.available ?? null;
  if (available === null) {
    return null;
  }
  const most = account.value?.largestStake?.amount ?? available;
  return (
    <span class="balance">
      {t('balance', { amount: usd(available) })}
      <button type="button" class="link" onClick={() => onMax(String(Number(most)))}>
        {t('max')}
      </button>
    </span>
  );
}

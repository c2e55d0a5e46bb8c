/** An order whose amounts are not final, and the reason. It is read only. */
import type { Order } from '../../wire/order.ts';
import { Money } from '../parts/money.tsx';
import { Reference } from '../parts/reference.tsx';
import { t } from '../texts/texts.ts';
import { sideLabel } from '../trading/price.ts';
import { Busy, waitingWords } from './deal-steps.tsx';
import type { HeldMarket } from './held-markets.ts';

export function PendingOrder({ order, market }: { readonly order: Order; readonly market: HeldMarket | undefined }) {
  const { side, operatorMoney, executionRef } = order;
  const name = market === undefined ? t(side === 'YES' ? 'yes' : 'no') : sideLabel(market.outcome, side);
  return (
    <li class="card">
      <div>
        <p class="over">
          <b class={side === 'YES' ? 'tag yes-tag' : 'tag no-tag'}>{name}</b>
          <span>{t('pending')}</span>
          {operatorMoney !== null && <Money amount={operatorMoney.authorizationAmount} />}
        </p>
        <h2>{market === undefined ? t('unknownMarket') : market.event.title}</h2>
        {market !== undefined && market.event.kind !== 'binary' && <p class="quiet">{market.outcome.label}</p>}
      </div>
      <Busy text={waitingWords(order)} />
      <Reference of={executionRef} />
    </li>
  );
}

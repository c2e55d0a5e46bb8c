/** The result of an order: contracts, price and money of the fills, or that nothing was filled. */
import { useEffect, useRef } from 'preact/hooks';
import type { Order } from '../../wire/order.ts';
import { price, quantity } from '../format.ts';
import { Icon } from '../parts/marks.tsx';
import { Money } from '../parts/money.tsx';
import { Reference } from '../parts/reference.tsx';
import { go } from '../route.ts';
import { t } from '../texts/texts.ts';
import type { Deal } from '../trading/deal.ts';
import { decimal, payoutOf } from '../trading/estimate.ts';
import { Term } from './deal-terms.tsx';

export function Receipt({
  order,
  asked,
  deal,
  onClose,
}: {
  readonly order: Order;
  /** Contracts of the quote. */
  readonly asked: number;
  readonly deal: Deal;
  readonly onClose: () => void;
}) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus({ preventScroll: true }), []);
  const { operatorMoney, operatorExitMoney, status } = order;
  const nothing = order.filledQuantity === 0;
  const isSale = order.action === 'sell';
  if (nothing) {
    return (
      <div class="offer">
        <p class="refusal">
          <Icon name="alert" />
          <span>{t(isSale ? 'saleNotDone' : status === 'rejected' ? 'rejected' : 'cancelled')}</span>
        </p>
        <button type="button" class="button plain" ref={done} onClick={deal.reset}>
          {t(isSale ? 'tryAgain' : 'another')}
        </button>
      </div>
    );
  }
  const released = operatorMoney !== null && Number(operatorMoney.releaseAmount) > 0;
  return (
    <div class="offer receipt">
      <p class="success">
        <span>
          <Icon name="check" />
        </span>
        {t(order.action === 'buy' ? 'bought' : 'sold')}
      </p>
      {released && <p class="note">{t('partly')}</p>}
      {isSale && order.filledQuantity < asked && <p class="note">{t('partlySold')}</p>}
      <dl class="terms">
        <Term name={t('contracts')}>{quantity(order.filledQuantity)}</Term>
        {order.averagePrice !== null && <Term name={t('price')}>{price(order.averagePrice * 100)}</Term>}
        {operatorMoney !== null && (
          <>
            <Term name={t('payoutIfWon')}>
              <Money amount={decimal(payoutOf(order.filledQuantity))} />
            </Term>
            <Term name={t('staked')} strong>
              <Money amount={operatorMoney.actualDebit} />
            </Term>
          </>
        )}
        {released && (
          <Term name={t('givenBack')}>
            <Money amount={operatorMoney.releaseAmount} />
          </Term>
        )}
        {operatorExitMoney !== null && (
          <Term name={t('received')} strong>
            <Money amount={operatorExitMoney.sellProceeds} />
          </Term>
        )}
      </dl>
      <Reference of={order.executionRef} />
      <button
        type="button"
        class="button"
        ref={done}
        onClick={() => (order.action === 'buy' ? go({ name: 'positions', list: 'open' }) : onClose())}
      >
        {t(order.action === 'buy' ? 'viewPositions' : 'done')}
      </button>
      {order.action === 'buy' && (
        <button type="button" class="button plain" onClick={deal.reset}>
          {t('another')}
        </button>
      )}
    </div>
  );
}

/** The tables of the order book of YES and of recent trades, as the market reports them. Loaded when a customer opens them. */
import { useEffect } from 'preact/hooks';
import type { ContractBook, ContractTrades, Outcome } from '../../wire/catalogue.ts';
import { clockTime, quantity, price as shownPrice } from '../format.ts';
import { Failure } from '../parts/states.tsx';
import { call, useLoading } from '../service.ts';
import { t } from '../texts/texts.ts';

const REFRESH_MS = 5_000;
const MOST_LEVELS = 6;
const MOST_TRADES = 8;

type Level = ContractBook['bids'][number];

export function DepthTables({ outcome }: { readonly outcome: Outcome }) {
  const path = `/contracts/${encodeURIComponent(outcome.id)}`;
  const { state, again } = useLoading(
    (signal) =>
      Promise.all([
        call<ContractBook>(`${path}/book`, { signal }),
        call<ContractTrades>(`${path}/trades`, { signal }),
      ] as const),
    [path],
  );
  useEffect(() => {
    const timer = window.setInterval(again, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [path]);
  const { data, failed } = state.value;
  if (data === null) {
    return failed === null ? <div class="depth-wait skeleton" /> : <Failure code={failed} again={again} />;
  }
  const [{ bids, asks }, { trades }] = data;
  const most = Math.max(...[...bids, ...asks].map(({ contracts }) => contracts));
  return (
    <>
      {bids.length + asks.length === 0 ? (
        <p class="quiet">{t('bookEmpty')}</p>
      ) : (
        <>
          <p class="note">{t('bookNote')}</p>
          <div class="book">
            <Side name={t('bids')} className="buyers" levels={bids} most={most} />
            <Side name={t('asks')} className="sellers" levels={asks} most={most} />
          </div>
        </>
      )}
      <Trades trades={trades} />
    </>
  );
}

interface SideProps {
  readonly name: string;
  readonly className: string;
  readonly levels: readonly Level[];
  /** The largest level of both sides, for the bars. */
  readonly most: number;
}

function Side({ name, className, levels, most }: SideProps) {
  return (
    <table class={className}>
      <caption>{name}</caption>
      <thead>
        <tr>
          <th scope="col">{t('price')}</th>
          <th scope="col">{t('contracts')}</th>
        </tr>
      </thead>
      <tbody>
        {levels.slice(0, MOST_LEVELS).map(({ price, contracts }) => (
          <tr key={price} style={{ '--share': `${(contracts / most) * 100}%` }}>
            <td>{shownPrice(price * 100)}</td>
            <td>{quantity(contracts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Trades({ trades }: Pick<ContractTrades, 'trades'>) {
  if (trades.length === 0) {
    return <p class="quiet">{t('tradesEmpty')}</p>;
  }
  return (
    <table class="trades">
      <caption>{t('recentTrades')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('time')}</th>
          <th scope="col">{t('price')}</th>
          <th scope="col">{t('contracts')}</th>
        </tr>
      </thead>
      <tbody>
        {trades.slice(0, MOST_TRADES).map(({ at, price, contracts }) => (
          <tr key={`${at} ${contracts}`}>
            <td>{clockTime(at)}</td>
            <td>{shownPrice(price * 100)}</td>
            <td>{quantity(contracts)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>{t('tradesNote')}</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The books of the demo operator: its cash ledger, and the buttons that settle the customer's positions. */
import { signal } from '@preact/signals';
import { dollars, type LedgerLine } from './cash-ledger.ts';
import { ledger, positions, resolve } from './operator.ts';

/** Whether the fields of the API are shown beside each line. */
const technical = signal(false);

export function Cash() {
  const { cash, held, lines } = ledger.value;
  return (
    <section class="ledger">
      <h2>Your cash ledger</h2>
      <p class="explain">
        The money stays with you. Each trade arrives as an exact instruction: you book it once and calculate nothing.
      </p>
      <dl class="tiles">
        <div class="whole">
          <dt>The customer’s balance</dt>
          <dd data-test="balance">{dollars(cash)}</dd>
        </div>
        <div>
          <dt>Held</dt>
          <dd data-test="reserved">{dollars(held)}</dd>
        </div>
        <div>
          <dt>Paid in</dt>
          <dd data-test="paid">{dollars(-sumOf(lines, (line) => line.cash < 0n))}</dd>
        </div>
        <div>
          <dt>Won or returned</dt>
          <dd data-test="won">{dollars(sumOf(lines, (line) => line.cash > 0n))}</dd>
        </div>
      </dl>
      {lines.length === 0 ? (
        <p class="nothing">Nothing yet. Buy something in the markets, and watch it arrive here.</p>
      ) : (
        <ul class="postings">
          {lines.slice(0, 12).map((line) => (
            <li key={line.id}>
              <span class={`sign ${kindOf(line)}`} aria-hidden="true">
                {SIGNS[kindOf(line)]}
              </span>
              <span>
                {line.what}
                <small>{line.from.startsWith('webhook') ? 'Reported by webhook' : 'Read from the feed'}</small>
                {technical.value && (
                  <code>
                    {line.instruction}, {line.from}
                  </code>
                )}
              </span>
              <b class={kindOf(line)}>{amountOf(line)}</b>
            </li>
          ))}
        </ul>
      )}
      {lines.length > 0 && (
        <label class="technical">
          <input
            type="checkbox"
            checked={technical.value}
            onChange={(event) => {
              technical.value = event.currentTarget.checked;
            }}
          />
          Show the names of the API
        </label>
      )}
    </section>
  );
}

const SIGNS = { minus: '↑', plus: '↓', kept: '·' } as const;

/** Whether the customer paid, was paid, or only had money put on hold or released from it. */
function kindOf({ cash }: LedgerLine): keyof typeof SIGNS {
  return cash < 0n ? 'minus' : cash > 0n ? 'plus' : 'kept';
}

function sumOf(lines: readonly LedgerLine[], counts: (line: LedgerLine) => boolean): bigint {
  return lines.filter(counts).reduce((sum, { cash }) => sum + cash, 0n);
}

/** The cash that moved, with its sign, or the amount that was put on hold or released. */
function amountOf({ cash, held }: LedgerLine): string {
  if (cash !== 0n) {
    return `${cash > 0n ? '+' : ''}${dollars(cash)}`;
  }
  return held === 0n ? dollars(0n) : held < 0n ? `${dollars(-held)} released` : `${dollars(held)} on hold`;
}

/** Rounds down, as the frame does. */
const CONTRACTS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2, roundingMode: 'floor' });

export function Settle() {
  if (positions.value.length === 0) {
    return null;
  }
  return (
    <section class="settle">
      <h2>Decide how it ends</h2>
      <p class="explain">In practice mode you settle the customer’s positions.</p>
      <ul class="postings">
        {positions.value.map(({ positionId, side, quantity, operatorMoney }) => (
          <li key={positionId}>
            <span>
              {CONTRACTS.format(quantity)} contracts {side === 'YES' ? 'Yes' : 'No'}
              <small>cost ${operatorMoney.costBasis}</small>
            </span>
            <span class="choices">
              {(['WIN', 'LOSS', 'VOID'] as const).map((word) => (
                <button type="button" key={word} onClick={() => void resolve(positionId, word)}>
                  {word.toLowerCase()}
                </button>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

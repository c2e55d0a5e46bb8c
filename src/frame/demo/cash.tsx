/** The operator's cash ledger in the demo, and the buttons that settle the customer's positions. */
import { dollars } from './money.ts';
import { ledger, positions, resolve } from './operator.ts';

export function Cash() {
  const { cash, held, lines } = ledger.value;
  return (
    <section>
      <h2>Your cash ledger</h2>
      <p class="explain">
        The money stays with you. Each trade arrives as an instruction; you book it once and calculate nothing.
      </p>
      <dl class="tiles">
        <div>
          <dt>Balance</dt>
          <dd data-test="balance">{dollars(cash)}</dd>
        </div>
        <div>
          <dt>Reserved</dt>
          <dd data-test="reserved">{dollars(held)}</dd>
        </div>
        <div>
          <dt>Available</dt>
          <dd>{dollars(cash - held)}</dd>
        </div>
      </dl>
      {lines.length === 0 ? (
        <p class="explain">Nothing yet. Buy something in the frame.</p>
      ) : (
        <ul class="lines">
          {lines.slice(0, 12).map((line) => (
            <li key={line.id}>
              <span>
                {line.what}
                <code>
                  {line.instruction}, {line.from}
                </code>
              </span>
              <b class={line.cash < 0n ? 'minus' : ''}>
                {line.cash !== 0n
                  ? dollars(line.cash)
                  : `${dollars(line.held < 0n ? -line.held : line.held)} ${line.held < 0n ? 'freed' : 'held'}`}
              </b>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Settle() {
  if (positions.value.length === 0) {
    return null;
  }
  return (
    <section>
      <h2>Settle a position</h2>
      <ul class="lines">
        {positions.value.map(({ positionId, side, quantity, operatorMoney }) => (
          <li key={positionId}>
            <span>
              {quantity} {side}
              <code>cost ${operatorMoney.costBasis}</code>
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

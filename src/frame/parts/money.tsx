/** An amount in dollars, exactly as booked, with its value in the selected currency beside it. */
import { approximately, usd } from '../format.ts';

export function Money({ amount }: { readonly amount: string | number }) {
  const other = approximately(amount);
  return (
    <span class="money">
      {usd(amount)}
      {other !== null && <small class="approx">{other}</small>}
    </span>
  );
}

/** An amount in dollars, exactly as booked, with what it is worth in the picked currency beside it. */
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

/** An amount in dollars, exactly as booked, with its value in the selected currency beside it. */
import { approximately, dollarSign, signedUsd, usd } from '../format.ts';

export function Money({ amount, signed = false }: { readonly amount: string | number; readonly signed?: boolean }) {
  const other = approximately(amount);
  return (
    <span class="money">
      {signed ? signedUsd(amount) : usd(amount)}
      {other !== null && <small class="approx">{other}</small>}
    </span>
  );
}

/** A profit or a loss with its sign, and its share of what was paid. */
export function Gain({ amount, percent }: { readonly amount: string; readonly percent?: string | null }) {
  const tone = Number(amount) < 0 ? 'no-text' : Number(amount) > 0 ? 'yes-text' : '';
  return (
    <span class={tone}>
      <Money amount={amount} signed />
      {percent && <small class="share">{percent}</small>}
    </span>
  );
}

/** Beside the field of an amount, on the side where the region writes it. */
export function DollarSign() {
  const { text, isBehind } = dollarSign();
  return (
    <span aria-hidden="true" style={{ order: isBehind ? 1 : 0 }}>
      {text}
    </span>
  );
}

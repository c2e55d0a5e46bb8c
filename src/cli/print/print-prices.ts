/** Prices as text for a terminal: the reference as a probability, the executable as a price, null as no price. */

export function percent(probability: number | null): string {
  return probability === null ? '-' : `${(probability * 100).toFixed(1)}%`;
}

export function cents(value: number | null): string {
  return value === null ? '-' : `${Number(value.toFixed(2))}¢`;
}

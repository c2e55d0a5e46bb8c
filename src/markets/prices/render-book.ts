/**
 * The depth of a contract as it is published: levels of YES, best first, without the name of a venue. Five-minute
 * contracts and closed ones publish none (contract chapter 3).
 */
import type { Level } from '../../money/book.ts';
import { MICROS } from '../../money/decimal.ts';
import type { ContractBook } from '../../wire/catalogue.ts';
import { primaryBook } from '../board/best-prices.ts';
import type { BoardContract } from '../event.ts';
import { publishedPrice } from './price-rules.ts';

const DEEPEST = 50;

export function renderBook(contract: BoardContract, now: Date): ContractBook {
  const { tradable } = publishedPrice(contract, now);
  const shown = !tradable ? [] : contract.routable ? contract.books : [primaryBook(contract)].filter((book) => !!book);
  return {
    contractId: contract.contractId,
    bids: merge(shown.map(({ bids }) => bids))
      .reverse()
      .slice(0, DEEPEST),
    asks: merge(shown.map(({ asks }) => asks)).slice(0, DEEPEST),
    updatedAt: latest(shown.map(({ updatedAt }) => updatedAt))?.toISOString() ?? null,
  };
}

/** One ladder of several, lowest price first; equal prices are one level. */
function merge(ladders: readonly (readonly Level[])[]): { price: number; contracts: number }[] {
  const quantities = new Map<bigint, bigint>();
  for (const { priceMicros, quantityMicros } of ladders.flat()) {
    quantities.set(priceMicros, (quantities.get(priceMicros) ?? 0n) + quantityMicros);
  }
  return [...quantities]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([price, quantity]) => ({ price: Number(price) / MICROS, contracts: Number(quantity) / MICROS }));
}

function latest(times: readonly Date[]): Date | undefined {
  return times.reduce<Date | undefined>((last, at) => (last === undefined || at > last ? at : last), undefined);
}

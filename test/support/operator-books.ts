import type { AnyJson } from './any-json.ts';
/**
 * An operator's own ledger, kept as the contract tells an operator to keep one: it applies the instructions of the
 * responses as given and recomputes nothing. Beside it, facts about positions from filled quantities. Cents, micro-contracts.
 */

export const cents = (text: string): bigint => {
  const match = /^(-?)(\d+)\.(\d\d)$/.exec(text);
  if (match === null) {
    throw new Error(`no amount: ${text}`);
  }
  return BigInt(`${match[1]}${match[2]}${match[3]}`);
};
export const micros = (contracts: number): bigint => BigInt(Math.round(contracts * 1e6));

interface Held {
  quantity: bigint;
  cost: bigint;
  /** What came back out of it, less what it had cost. */
  realised: bigint;
}

export class OperatorBooks {
  /** Free money of each customer, and what is reserved. */
  readonly available = new Map<string, bigint>();
  readonly held = new Map<string, bigint>();
  /** By customer, contract and side. */
  readonly positions = new Map<string, Held>();
  readonly #applied = new Set<string>();

  constructor(customers: readonly string[], opening: bigint) {
    for (const customer of customers) {
      this.available.set(customer, opening);
      this.held.set(customer, 0n);
    }
  }

  reserve(customer: string, quote: AnyJson): void {
    const amount = cents(quote.operatorMoney.authorizationAmount);
    this.#move(this.available, customer, -amount);
    this.#move(this.held, customer, amount);
  }

  /** The order was refused or withdrawn: what was reserved for it is given back. */
  giveBack(customer: string, amount: string): void {
    this.#move(this.held, customer, -cents(amount));
    this.#move(this.available, customer, cents(amount));
  }

  /** A final buy that was reserved before. A replay is not applied again. */
  bought(customer: string, order: AnyJson): void {
    if (!this.#first(order.orderId)) {
      return;
    }
    const money = order.operatorMoney;
    const [authorization, debit, release] = [money.authorizationAmount, money.actualDebit, money.releaseAmount].map(
      cents,
    );
    if (authorization !== (debit ?? 0n) + (release ?? 0n)) {
      throw new Error(`authorization is not debit and release: ${JSON.stringify(money)}`);
    }
    if (debit !== cents(money.tradeAmount) + cents(money.platformFee) + cents(money.venueFee)) {
      throw new Error(`debit is not trade and fees: ${JSON.stringify(money)}`);
    }
    this.#move(this.held, customer, -(authorization ?? 0n));
    this.#move(this.available, customer, release ?? 0n);
    const quantity = micros(order.filledQuantity);
    if (quantity > 0n) {
      const position = this.position(customer, order.contractId, order.side);
      position.quantity += quantity;
      position.cost += debit ?? 0n;
    }
  }

  sold(customer: string, order: AnyJson): void {
    if (!this.#first(order.orderId)) {
      return;
    }
    const proceeds = cents(order.operatorExitMoney.sellProceeds);
    this.#move(this.available, customer, proceeds);
    const position = this.position(customer, order.contractId, order.side);
    const quantity = micros(order.filledQuantity);
    const share = quantity === 0n ? 0n : (position.cost * quantity) / position.quantity;
    position.quantity -= quantity;
    position.cost -= share;
    position.realised = position.quantity === 0n ? 0n : position.realised + proceeds - share;
  }

  settled(settlement: AnyJson): void {
    if (!this.#first(settlement.id)) {
      throw new Error(`told twice: ${settlement.id}`);
    }
    const { settlementCredit, voidCredit } = settlement.operatorMoney;
    const credit = cents(settlementCredit) + cents(voidCredit);
    this.#move(this.available, settlement.externalUserId, credit);
    const position = this.position(settlement.externalUserId, settlement.contractId, settlement.side);
    const expected = { contracts: micros(settlement.contracts), pnl: cents(settlement.realisedPnl) };
    if (expected.contracts !== position.quantity || expected.pnl !== credit - position.cost) {
      throw new Error(
        `settled otherwise than held: ${JSON.stringify(settlement)} of ${position.quantity} at ${position.cost}`,
      );
    }
    position.quantity = 0n;
    position.cost = 0n;
    position.realised = 0n;
  }

  position(customer: string, contractId: string, side: string): Held {
    const key = `${customer} ${contractId} ${side}`;
    const held = this.positions.get(key) ?? { quantity: 0n, cost: 0n, realised: 0n };
    this.positions.set(key, held);
    return held;
  }

  #first(id: string): boolean {
    const first = !this.#applied.has(id);
    this.#applied.add(id);
    return first;
  }

  #move(accounts: Map<string, bigint>, customer: string, amount: bigint): void {
    const after = (accounts.get(customer) ?? 0n) + amount;
    if (accounts === this.held && after < 0n) {
      throw new Error(`${customer} holds ${after}`);
    }
    accounts.set(customer, after);
  }
}

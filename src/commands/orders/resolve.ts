/** `orders resolve`: records what the venue reported to a person about an order of unknown outcome. */

import { Args, Flags } from '@oclif/core';
import type { ApprovalRequest } from '../../cli/approvals.ts';
import { yesFlag } from '../../cli/base-command.ts';
import { usage } from '../../cli/failure.ts';
import { readCents } from '../../cli/flags.ts';
import { OperatorCommand } from '../../cli/operator-command.ts';
import { orderText } from '../../cli/questions.ts';
import { findOneOrder } from '../../cli/service/find-orders.ts';
import { jsonNumber, MICRO_SCALE, ONE_DOLLAR_MICROS, parseDecimal } from '../../money/decimal.ts';
import { createRecordPorts, resolveByPerson } from '../../trading/execution/record-execution.ts';
import type { Learned } from '../../trading/execution/report.ts';
import { findOrder } from '../../trading/orders/orders.ts';
import { renderOrder } from '../../trading/orders/read-orders.ts';
import type { OrderDetail } from '../../wire/order.ts';

/** More contracts than any book has; a larger number is a typing error. */
const MOST_CONTRACTS_MICROS = 1_000_000_000_000_000n;

export default class Resolve extends OperatorCommand<typeof Resolve> {
  static override summary = 'Record what the venue reported to a person about an order of unknown outcome.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD --rejected --evidence "ticket 4711: never received" --yes',
    '<%= config.bin %> <%= command.id %> inl_Best_0123456789ABCD --filled 17.19 --price 0.57 --fee 12 --evidence "statement of 3 May" --yes',
  ];
  static override args = {
    ref: Args.string({ required: true, description: 'executionRef, order id or clientOrderId.' }),
  };
  static override flags = {
    filled: Flags.string({ helpValue: 'N', summary: 'Total number of filled contracts.', exclusive: ['rejected'] }),
    price: Flags.string({
      helpValue: 'PRICE',
      summary: 'Average price of the contracts not recorded yet.',
      dependsOn: ['filled'],
    }),
    fee: Flags.string({
      helpValue: 'CENTS',
      summary: 'Venue fee of the contracts not recorded yet.',
      dependsOn: ['filled'],
    }),
    rejected: Flags.boolean({ summary: 'The venue did not accept the order.' }),
    evidence: Flags.string({
      helpValue: 'TEXT',
      required: true,
      summary: 'Source of this information; it is stored with the order.',
    }),
    ...yesFlag,
  };

  async run(): Promise<OrderDetail> {
    const learned = this.learned();
    const evidence = this.flags.evidence.trim();
    if (evidence === '') {
      throw usage('--evidence must name the source of this information; it is stored with the order.');
    }
    const { sql } = await this.openContext();
    const order = await findOneOrder(sql, this.args.ref);
    this.noteReference(this.args.ref, order);
    await this.confirm(
      async () =>
        `Record for ${await orderText(sql, order)}: ${this.summary(learned)}? It moves money and cannot be undone.`,
    );
    await this.expectNoApproval(
      {
        kind: 'order_resolution',
        operatorId: order.operatorId,
        orderId: order.orderId,
        learned: asText(learned),
        evidence,
        filledMicros: order.filledQuantityMicros.toString(),
      },
      `record for ${order.executionRef}: ${this.summary(learned)}; ${evidence}`,
    );
    await resolveByPerson(createRecordPorts(sql), order, learned, evidence);
    const now = await findOrder(sql, order.operatorId, order.orderId);
    const rendered = renderOrder(now ?? order, { intent: true });
    this.printFacts({
      orderId: rendered.orderId,
      status: rendered.status,
      transmissionState: rendered.transmissionState,
    });
    return rendered;
  }

  private summary(learned: Learned): string {
    const { filled, price, fee } = this.flags;
    return learned.rejected ? 'rejected' : `filled ${filled} at ${price}, fee ${fee} cents`;
  }

  private learned(): Learned {
    const { filled, price, fee, rejected } = this.flags;
    if (rejected) {
      return { rejected: true };
    }
    if (filled === undefined || price === undefined || fee === undefined) {
      throw usage('Give --rejected, or --filled with --price and --fee.');
    }
    return {
      rejected: false,
      quantityMicros: readMicros('--filled', filled, 0n, MOST_CONTRACTS_MICROS),
      priceMicros: readMicros('--price', price, 1n, ONE_DOLLAR_MICROS - 1n),
      feeMinor: readCents(fee, 0n),
    };
  }
}

/** Numbers as text, for JSON. */
function asText(learned: Learned): Extract<ApprovalRequest, { kind: 'order_resolution' }>['learned'] {
  return learned.rejected
    ? { rejected: true }
    : {
        rejected: false,
        quantityMicros: learned.quantityMicros.toString(),
        priceMicros: learned.priceMicros.toString(),
        feeMinor: learned.feeMinor.toString(),
      };
}

/** @throws a usage failure for anything but a number from `least` to `most`, in millionths. */
function readMicros(flag: string, text: string, least: bigint, most: bigint): bigint {
  let micros: bigint | undefined;
  try {
    micros = parseDecimal(text, MICRO_SCALE, 'exact');
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
  }
  if (micros === undefined || micros < least || micros > most) {
    const range = `${jsonNumber(least, MICRO_SCALE)} to ${jsonNumber(most, MICRO_SCALE)}`;
    throw usage(`${flag} is a number from ${range} with up to six places, not ${text}.`);
  }
  return micros;
}

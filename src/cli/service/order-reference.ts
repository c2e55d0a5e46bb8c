/** An order by any of its references, for commands of a partner: order id, executionRef in any case, or clientOrderId. */
import { Args, Flags } from '@oclif/core';
import type { InlayClient } from '../../client/create-client.ts';
import { Failure } from '../failure.ts';
import { wholeOrderId } from './whole-id.ts';

const ORDER_ID = /^ord_/;
const EXECUTION_REF = /^\s*\w+_best_\w+\s*$/i;

export const orderArgument = {
  order: Args.string({ required: true, description: 'Order id, executionRef, or clientOrderId with --user.' }),
};

export const customerFlag = {
  user: Flags.string({ helpValue: 'USER', summary: 'Customer of the order, if it is named by its clientOrderId.' }),
};

/**
 * @param user your own id of the customer; a clientOrderId is unique within one customer only
 * @returns the order id
 * @throws Failure unknown_order
 */
export async function findOrderId(client: InlayClient, reference: string, user: string | undefined): Promise<string> {
  if (ORDER_ID.test(reference)) {
    return wholeOrderId(client, reference);
  }
  const isOwn = user !== undefined && !EXECUTION_REF.test(reference);
  const { orders } = await client.get('/api/v1/orders', {
    query: isOwn ? { externalUserId: user, clientOrderId: reference } : { executionRef: reference },
  });
  const [found] = orders;
  if (found === undefined) {
    throw new Failure(
      'unknown_order',
      `No order has the reference ${reference}.`,
      isOwn ? {} : { next: 'If it is your own id of the order, name the customer with --user.' },
    );
  }
  return found.orderId;
}

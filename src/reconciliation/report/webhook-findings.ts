/** `webhook_stuck`: events and deliveries that an operator is still owed, and deliveries that were given up. */
import type { Sql } from '../../db/client.ts';
import {
  findExhaustedDeliveries,
  findStuckDeliveries,
  type StuckDeliveries,
} from '../../webhooks/delivery/outstanding.ts';
import type { FoundRow } from './report.ts';

/** @param from deliveries given up before this moment are not reported. */
export async function findWebhookTrouble(sql: Sql, operatorId: string, from: Date): Promise<FoundRow[]> {
  const stuck = await findStuckDeliveries(sql, operatorId);
  const exhausted = await findExhaustedDeliveries(sql, operatorId, from);
  return [
    ...stuck.map((owed) =>
      finding(
        owed,
        owed.endpointId === null
          ? `${owed.count} events wait to be queued, the oldest since ${owed.oldestAt}.`
          : `${owed.count} deliveries to one endpoint are not acknowledged, the oldest since ${owed.oldestAt}.`,
      ),
    ),
    ...exhausted.map((lost) =>
      finding(
        lost,
        `${lost.count} deliveries to one endpoint were given up, the first at ${lost.oldestAt}; they can be replayed.`,
      ),
    ),
  ];
}

function finding({ endpointId, oldestId }: StuckDeliveries, detail: string): FoundRow {
  return {
    checkName: 'webhook_stuck',
    severity: 'warning',
    detail,
    subjectType: 'record',
    subjectId: endpointId ?? oldestId,
  };
}

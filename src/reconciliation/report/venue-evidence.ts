/** `venue_evidence`: what venues or persons said that has to be looked at, in words that name no venue and none of its ids. */
import type { Sql } from '../../db/client.ts';
import { publicReason } from '../../trading/execution/public-reason.ts';
import type { FoundRow } from './report.ts';

interface EvidenceRow {
  readonly orderId: string;
  readonly executionRef: string;
  readonly kind: string;
  readonly severity: FoundRow['severity'];
  readonly raw: unknown;
}

/** What identifies the order or its market at the venue says nothing to an operator. */
const UPSTREAM_KEYS = new Set(['ourId', 'venueOrderId', 'listingId', 'fillId', 'venue']);
const MOST = 100;

export async function findVenueEvidence(sql: Sql, operatorId: string, from: Date): Promise<FoundRow[]> {
  const rows = await sql<EvidenceRow[]>`
    select e.order_id, e.kind, e.severity, e.raw, coalesce(o.execution_ref, e.order_id) as execution_ref
    from venue_evidence e left join orders o on o.operator_id = e.operator_id and o.order_id = e.order_id
    where e.operator_id = ${operatorId} and e.recorded_at >= ${from}
    order by e.recorded_at desc limit ${MOST}`;
  return rows.map(({ orderId, executionRef, kind, severity, raw }) => {
    const said = publicReason(wordsOf(raw), executionRef);
    const subject = kind.replaceAll('_', ' ');
    return {
      checkName: 'venue_evidence',
      severity,
      detail:
        said === null || said === ''
          ? `Reported about the order: ${subject}.`
          : `Reported about the order: ${subject}: ${said}`,
      subjectType: 'record',
      subjectId: orderId,
    };
  });
}

/** The evidence as one line: text as it is, an object as its fields. */
function wordsOf(raw: unknown): string {
  if (Array.isArray(raw)) {
    return raw.map(wordsOf).join('; ');
  }
  if (typeof raw !== 'object' || raw === null) {
    return raw === null ? '' : String(raw);
  }
  return Object.entries(raw)
    .filter(([key, value]) => !UPSTREAM_KEYS.has(key) && value !== null)
    .map(([key, value]) => `${key} ${wordsOf(value)}`)
    .join(', ');
}

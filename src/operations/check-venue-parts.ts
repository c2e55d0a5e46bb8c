/** Whether our accounts can pay orders on every part of a venue where markets trade, as of their last comparison. */
import type { Sql } from '../db/client.ts';
import { listOpenTransfers } from '../trading/account/part-transfers.ts';
import { listEmptyParts } from '../trading/account/venue-parts.ts';
import type { Check } from './check.ts';

/** A transfer between parts ends within seconds as a rule. */
const LATE_MS = 120_000;

/** A part may be left empty on purpose, so this is only worth knowing. */
export async function checkVenueParts(sql: Sql): Promise<Check> {
  const empty = await listEmptyParts(sql);
  const said = empty.map(
    ({ venue, part, markets }) =>
      `${venue}: nothing on part ${part}, where ${markets === 1 ? '1 market trades' : `${markets} markets trade`}`,
  );
  const late = (await listOpenTransfers(sql)).filter(({ requestedAt }) => Date.now() - requestedAt.getTime() > LATE_MS);
  said.push(
    ...late.map(
      ({ venue, reference, from, to, state }) =>
        `${venue}: transfer ${reference} from part ${from} to part ${to} is ${state === 'asked' ? 'without an answer' : 'under way'}`,
    ),
  );
  return {
    name: 'venue parts',
    ok: said.length === 0,
    warning: true,
    detail: said.join('; ') || 'no market trades where our accounts have nothing',
  };
}

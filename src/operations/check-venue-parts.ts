/** Whether our accounts can pay orders on every part of a venue where markets trade, as of their last comparison. */
import type { Sql } from '../db/client.ts';
import { listEmptyParts } from '../trading/account/venue-parts.ts';
import type { Check } from './check.ts';

/** A part may be left empty on purpose, so this is only worth knowing. */
export async function checkVenueParts(sql: Sql): Promise<Check> {
  const empty = await listEmptyParts(sql);
  const described = empty.map(
    ({ venue, part, markets }) =>
      `${venue}: nothing on part ${part}, where ${markets === 1 ? '1 market trades' : `${markets} markets trade`}`,
  );
  return {
    name: 'venue parts',
    ok: empty.length === 0,
    warning: true,
    detail: described.join('; ') || 'no market trades where our accounts have nothing',
  };
}

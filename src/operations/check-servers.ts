/** Whether operators that are spread over servers are placed as this release needs it, and every server is set up alike. */
import { isSpread } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { EVERYWHERE, OF_THE_SERVICE, SPREAD_TABLES } from '../db/schema/spread.ts';
import type { Check } from './check.ts';

/** Version of Citus and what it must be set to, as one word of each server. */
const ASKED = `select concat_ws(' ', extversion, current_setting('citus.enable_unsafe_triggers'),
  current_setting('citus.propagate_set_commands'), current_setting('wal_level')) from pg_extension where extname = 'citus'`;
const SET_UP = / on local logical$/;

/** Nothing, where there is one server. */
export async function checkServers(sql: Sql): Promise<Check[]> {
  if (!(await isSpread(sql))) {
    return [];
  }
  const known = `{${[...EVERYWHERE, ...OF_THE_SERVICE].join(',')}}`;
  const wanted = await sql.unsafe<{ name: string }[]>(SPREAD_TABLES, [known]);
  const placed = await sql<{ name: string }[]>`
    select replace(logicalrelid::text, 'public.', '') as name from pg_dist_partition where partmethod in ('h', 'n')`;
  const names = new Set(placed.map(({ name }) => name));
  const missing = [...EVERYWHERE, ...wanted.map(({ name }) => name)].filter((name) => !names.has(name));
  const servers = await sql<{ server: string; success: boolean; result: string }[]>`
    select node.nodename || ':' || node.nodeport as server, answer.success, answer.result
    from run_command_on_all_nodes(${ASKED}) answer join pg_dist_node node on node.nodeid = answer.nodeid order by 1`;
  const versions = new Set(servers.map(({ result }) => result));
  const wrong = servers.filter(({ success, result }) => !success || !SET_UP.test(result));
  return [
    {
      name: 'placement',
      ok: missing.length === 0,
      detail:
        missing.length === 0
          ? `${names.size} tables over ${servers.length} servers`
          : `not placed: ${missing.join(', ')}; "inlay migrate" places them`,
    },
    {
      name: 'servers',
      ok: wrong.length === 0 && versions.size === 1,
      detail:
        wrong.length > 0
          ? `${wrong.map(({ server, result }) => `${server} has ${result}`).join('; ')}; docs/scale.md says what is needed`
          : `Citus ${[...versions].map((word) => word.split(' ')[0]).join(' and ')}`,
    },
  ];
}

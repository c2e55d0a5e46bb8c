/**
 * Roads to the functions that change operators' rows. On one server there is one road, and a call carries commands of all operators. If
 * operators are spread over servers (docs/scale.md), the road of a shard leads straight to the server that has it, and to copies of the
 * functions that name the shard's own tables (schema/shard-copies.ts): such a call costs what it costs on one server.
 */
import { allEnded, isSpread } from './by-operator.ts';
import { connectBeside, type Sql } from './client.ts';
import { hasMoved, isUnreachable } from './database-errors.ts';

/** Where a function is called. */
export interface Road {
  readonly sql: Sql;
  /** The schema of the functions. */
  readonly schema: string;
  /** What the call names first: an operator, or '' if it may carry commands of several. */
  readonly operatorId: string;
  /** Whether the server has operators' rows alone, and no markets. */
  readonly isShard: boolean;
}

/**
 * The table that all tables of operators are colocated with: the rows of an operator are on one server. Its shards have the names of all.
 */
export const FIRST_TABLE = 'operator_ledgers';

export const schemaOfShard = (shardId: string): string => `shard_${shardId}`;

const TRIES = 40;
/** A shard that was split has its copies a moment later, and one that moves is at its new server after a second or two. */
const PAUSE_MS = 100;

/**
 * Calls a function for commands of several operators, once for each shard that has some of them.
 * @param call returns one output per command, in their order. It is repeated if it was refused because the shard has moved or was split,
 *   or because what it knew of markets was too old: nothing was written then. If it could not connect, it goes through the coordinator.
 * @returns the outputs in the order of the commands
 * @throws the first error of a call, after all of them have ended
 */
export async function callByShard<C extends { readonly operatorId: string }, V>(
  sql: Sql,
  commands: readonly C[],
  call: (road: Road, commands: readonly C[]) => Promise<readonly V[]>,
): Promise<readonly V[]> {
  if (!(await isSpread(sql))) {
    return call({ sql, schema: 'public', operatorId: '', isShard: false }, commands);
  }
  const servers = serversOf(sql);
  const outputs: V[] = [];
  let left = [...commands.keys()];
  for (let tries = 1; left.length > 0; tries += 1) {
    const again: number[] = [];
    await servers.findShards(left.map((place) => commands[place]?.operatorId ?? ''));
    const groups = Map.groupBy(left, (place) => servers.roadKey(commands[place]?.operatorId ?? ''));
    await allEnded(
      [...groups].map(async ([key, places]) => {
        try {
          const own = places.map((place) => commands[place] as C);
          const answers = await call(servers.road(key), own);
          for (const [index, place] of places.entries()) {
            outputs[place] = answers[index] as V;
          }
        } catch (error) {
          if (tries === TRIES || !servers.learns(key, error)) {
            throw error;
          }
          again.push(...places);
        }
      }),
    );
    left = again;
    if (left.length > 0 && tries > 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  return outputs;
}

interface Shard {
  readonly shardId: string;
  readonly host: string;
  readonly port: number;
}

/** How long a server that could not be connected to is asked through the coordinator. */
const AWAY_MS = 5_000;

type Servers = ReturnType<typeof knowServers>;

const known = new WeakMap<Sql, Servers>();

function serversOf(sql: Sql): Servers {
  const servers = known.get(sql) ?? knowServers(sql);
  known.set(sql, servers);
  return servers;
}

/** What a process knows of the servers: where the shards of operators are, one pool for each server, and which cannot be reached. */
function knowServers(sql: Sql) {
  /** By operators, as they are asked for: the shard of an operator changes only if it is split. */
  const shards = new Map<string, Shard>();
  const pools = new Map<string, Sql>();
  const awayUntil = new Map<string, number>();
  endWith(sql, pools);

  const addressOf = ({ host, port }: Shard) => `${host}:${port}`;
  const isAway = (shard: Shard) => (awayUntil.get(addressOf(shard)) ?? 0) > performance.now();

  return {
    async findShards(operatorIds: readonly string[]): Promise<void> {
      const unknown = [...new Set(operatorIds)].filter((operatorId) => !shards.has(operatorId));
      if (unknown.length === 0) {
        return;
      }
      const found = await sql<(Shard & { readonly operatorId: string })[]>`
        select asked.operator_id, asked.shard_id::text as shard_id, node.nodename as host, node.nodeport as port
        from (select operator_id, get_shard_id_for_distribution_column(${FIRST_TABLE}, operator_id) as shard_id
              from unnest(${unknown}::text[]) as wanted(operator_id)) asked
          join pg_dist_placement placement on placement.shardid = asked.shard_id
          join pg_dist_node node on node.groupid = placement.groupid and node.noderole = 'primary'`;
      for (const { operatorId, ...shard } of found) {
        shards.set(operatorId, shard);
      }
    },

    /** The same for operators whose commands go together: the id of a shard, or an operator that is asked through the coordinator. */
    roadKey(operatorId: string): string {
      const shard = shards.get(operatorId);
      return shard === undefined || isAway(shard) ? operatorId : shard.shardId;
    },

    road(key: string): Road {
      const shard = findById(key);
      if (shard === undefined) {
        return { sql, schema: 'public', operatorId: key, isShard: false };
      }
      const address = addressOf(shard);
      const pool = pools.get(address) ?? connectBeside(sql, shard.host, shard.port);
      pools.set(address, pool);
      return { sql: pool, schema: schemaOfShard(shard.shardId), operatorId: '', isShard: true };
    },

    /** @returns whether the call wrote nothing, and another one may find its way */
    learns(key: string, error: unknown): boolean {
      const shard = findById(key);
      if (shard !== undefined && isUnreachable(error)) {
        awayUntil.set(addressOf(shard), performance.now() + AWAY_MS);
        return true;
      }
      if (shard === undefined || !hasMoved(error)) {
        return false;
      }
      shards.clear();
      return true;
    },
  };

  function findById(shardId: string): Shard | undefined {
    return shards.values().find((shard) => shard.shardId === shardId);
  }
}

/** The pools of the other servers end with the one that they were made for. */
function endWith(sql: Sql, pools: ReadonlyMap<string, Sql>): void {
  const end = sql.end.bind(sql);
  sql.end = async (options) => {
    await Promise.all([...pools.values()].map((pool) => pool.end(options)));
    await end(options);
  };
}

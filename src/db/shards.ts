/**
 * Roads to the functions that change operators' rows. On one server there is one road, and a call carries commands of all operators. If
 * operators are spread over servers (docs/scale.md), the road of a shard leads straight to the server that has it, and to copies of the
 * functions that name the shard's own tables (schema/shard-copies.ts): such a call costs what it costs on one server.
 */
import { allEnded, isSpread } from './by-operator.ts';
import { connectBeside, type Sql } from './client.ts';
import { hasMoved, hasNoCopy, isUnreachable } from './database-errors.ts';

/** Where a function is called. */
export interface Road {
  readonly sql: Sql;
  /** The schema of the functions. */
  readonly schema: string;
  /** What the call names first: an operator, or '' if it may carry commands of several. */
  readonly operatorId: string;
  /** The shard, on whose server there are no markets; undefined on the one server, and through the coordinator. */
  readonly shard?: Shard;
}

interface Shard {
  readonly shardId: string;
  readonly host: string;
  readonly port: number;
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
 * @param readFacts reads on the coordinator what the servers of shards do not have, one fact per command, for all calls at once; by default
 *   nothing
 * @returns the outputs in the order of the commands
 * @throws the first error of a call, after all of them have ended
 */
export async function callByShard<C extends { readonly operatorId: string }, V, F = never>(
  sql: Sql,
  commands: readonly C[],
  call: (road: Road, commands: readonly C[], facts: readonly F[] | null) => Promise<readonly V[]>,
  readFacts?: (commands: readonly C[]) => Promise<readonly F[]>,
): Promise<readonly V[]> {
  if (!(await isSpread(sql))) {
    return call({ sql, schema: 'public', operatorId: '' }, commands, null);
  }
  const servers = serversOf(sql);
  const outputs: V[] = [];
  let left = [...commands.keys()];
  for (let tries = 1; left.length > 0; tries += 1) {
    const again: number[] = [];
    const roads = await servers.findRoads(left.map((place) => commands[place]?.operatorId ?? ''));
    const facts = new Map<number, F>();
    for (const [index, fact] of ((await readFacts?.(left.map((place) => commands[place] as C))) ?? []).entries()) {
      facts.set(left[index] ?? -1, fact);
    }
    const groups = Map.groupBy(left, (place) => roads.get(commands[place]?.operatorId ?? ''));
    await allEnded(
      [...groups].map(async ([road, places]) => {
        try {
          const own = places.map((place) => commands[place] as C);
          const known =
            road?.shard === undefined || facts.size === 0 ? null : places.map((place) => facts.get(place) as F);
          const answers = await call(road as Road, own, known);
          for (const [index, place] of places.entries()) {
            outputs[place] = answers[index] as V;
          }
        } catch (error) {
          if (tries === TRIES || !servers.learns(road as Road, error)) {
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

/** How long a server that could not be connected to, or a shard without copies, is asked through the coordinator. */
const AWAY_MS = 5_000;

type Servers = ReturnType<typeof knowServers>;

const known = new WeakMap<Sql, Servers>();

function serversOf(sql: Sql): Servers {
  const servers = known.get(sql) ?? knowServers(sql);
  known.set(sql, servers);
  return servers;
}

/** What a process knows of the servers: where the shards of operators are, a pool for each server, and what has to be asked for otherwise. */
function knowServers(sql: Sql) {
  /** By operators, as they are asked for: the shard of an operator changes only if it is split. */
  const shards = new Map<string, Shard>();
  const pools = new Map<string, Sql>();
  /** By the address of a server, or the id of a shard. */
  const awayUntil = new Map<string, number>();
  endWith(sql, pools);

  const addressOf = ({ host, port }: Shard) => `${host}:${port}`;
  const isAway = (name: string) => (awayUntil.get(name) ?? 0) > performance.now();

  return {
    /** @returns the road of each operator; operators of one shard have the same object */
    async findRoads(operatorIds: readonly string[]): Promise<ReadonlyMap<string, Road>> {
      const asked = [...new Set(operatorIds)];
      await findShards(asked.filter((operatorId) => !shards.has(operatorId)));
      const byShard = new Map<string, Road>();
      return new Map(
        asked.map((operatorId) => {
          const shard = shards.get(operatorId);
          if (shard === undefined || isAway(addressOf(shard)) || isAway(shard.shardId)) {
            return [operatorId, { sql, schema: 'public', operatorId }];
          }
          const road = byShard.get(shard.shardId) ?? straightTo(shard);
          byShard.set(shard.shardId, road);
          return [operatorId, road];
        }),
      );
    },

    /** @returns whether the call wrote nothing, and another one may find its way */
    learns({ shard }: Road, error: unknown): boolean {
      if (shard === undefined) {
        return false;
      }
      if (isUnreachable(error) || hasNoCopy(error)) {
        awayUntil.set(isUnreachable(error) ? addressOf(shard) : shard.shardId, performance.now() + AWAY_MS);
      }
      shards.clear();
      return isUnreachable(error) || hasNoCopy(error) || hasMoved(error);
    },
  };

  function straightTo(shard: Shard): Road {
    const address = addressOf(shard);
    const pool = pools.get(address) ?? connectBeside(sql, shard.host, shard.port);
    pools.set(address, pool);
    return { sql: pool, schema: schemaOfShard(shard.shardId), operatorId: '', shard };
  }

  async function findShards(operatorIds: readonly string[]): Promise<void> {
    if (operatorIds.length === 0) {
      return;
    }
    const found = await sql<(Shard & { readonly operatorId: string })[]>`
      select asked.operator_id, asked.shard_id::text as shard_id, node.nodename as host, node.nodeport as port
      from (select operator_id, get_shard_id_for_distribution_column(${FIRST_TABLE}, operator_id) as shard_id
            from unnest(${[...operatorIds]}::text[]) as wanted(operator_id)) asked
        join pg_dist_placement placement on placement.shardid = asked.shard_id
        join pg_dist_node node on node.groupid = placement.groupid and node.noderole = 'primary'`;
    for (const { operatorId, ...shard } of found) {
      shards.set(operatorId, shard);
    }
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

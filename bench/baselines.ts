/** The baselines of the rows, measured in the same run on the same server: TPC-B-like, and one INSERT with commit. */
import postgres from 'postgres';
import { monotonicMs, startAt } from './paced-start.ts';

const ACCOUNTS = 200_000;
const TELLERS = 200;
const BRANCHES = 20;

export async function prepareBaselines(ownerUrl: string): Promise<void> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`
    create table if not exists bench_accounts (aid int primary key, bid int, abalance int, filler char(84)) with (fillfactor = 90);
    create table if not exists bench_tellers (tid int primary key, bid int, tbalance int) with (fillfactor = 50);
    create table if not exists bench_branches (bid int primary key, bbalance int) with (fillfactor = 50);
    create table if not exists bench_history (tid int, bid int, aid int, delta int, mtime timestamp);
    create table if not exists bench_inserts (id bigint generated always as identity primary key, body text);
    insert into bench_accounts select n, n % ${BRANCHES} + 1, 0, '' from generate_series(1, ${ACCOUNTS}) n on conflict do nothing;
    insert into bench_tellers select n, n % ${BRANCHES} + 1, 0 from generate_series(1, ${TELLERS}) n on conflict do nothing;
    insert into bench_branches select n, 0 from generate_series(1, ${BRANCHES}) n on conflict do nothing;
    analyze bench_accounts, bench_tellers, bench_branches;`);
  await sql.end();
}

const random = (most: number) => 1 + Math.floor(Math.random() * most);

/** TPC-B-like transactions a second: five statements between begin and commit, prepared, 32 clients of the service's driver. */
export async function tpcb(ownerUrl: string, count = 6_000, clients = 32): Promise<number> {
  const sql = postgres(ownerUrl, { max: clients, onnotice: () => {} });
  let left = count;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (left > 0) {
        left -= 1;
        const [aid, tid, bid, delta] = [random(ACCOUNTS), random(TELLERS), random(BRANCHES), random(10_000) - 5_000];
        await sql.begin(async (tx) => {
          await tx`update bench_accounts set abalance = abalance + ${delta} where aid = ${aid}`;
          await tx`select abalance from bench_accounts where aid = ${aid}`;
          await tx`update bench_tellers set tbalance = tbalance + ${delta} where tid = ${tid}`;
          await tx`update bench_branches set bbalance = bbalance + ${delta} where bid = ${bid}`;
          await tx`insert into bench_history values (${tid}, ${bid}, ${aid}, ${delta}, now())`;
        });
      }
    }),
  );
  const rate = (count * 1000) / (performance.now() - start);
  await sql.end();
  return rate;
}

/** Single INSERTs with commit per second, and the duration of one, at `perSecond` if it is given. */
export async function inserts(
  ownerUrl: string,
  count = 12_000,
  perSecond?: number,
  clients = 32,
): Promise<{ rate: number; p50Ms: number; p99Ms: number }> {
  const sql = postgres(ownerUrl, { max: clients, onnotice: () => {} });
  await Promise.all(Array.from({ length: clients }, () => sql`select 1`));
  const latencies: number[] = [];
  let next = 0;
  const start = monotonicMs();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        const from = perSecond === undefined ? monotonicMs() : await startAt(start + (index * 1000) / perSecond);
        await sql`insert into bench_inserts (body) values ('x')`;
        latencies.push(monotonicMs() - from);
      }
    }),
  );
  const rate = (count * 1000) / (monotonicMs() - start);
  await sql.end();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return { rate, p50Ms: at(0.5), p99Ms: at(0.99) };
}

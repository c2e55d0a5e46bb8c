/** What a tenant is told on every channel, as text in which whatever differs from run to run has its order of appearance instead. */
import { createHash } from 'node:crypto';
import type { AnyJson } from '../support/any-json.ts';
import type { Tenant } from '../support/tenant.ts';
import type { World } from '../support/world.ts';
import type { Sink } from '../webhooks/sinks.ts';

const KINDS = ['feed', 'orders', 'settlements', 'positions', 'ledger', 'fees', 'revenue', 'statement'];
/** What replaces an id, a cursor and so on. */
const CHANGING: readonly (readonly [string, RegExp])[] = [
  ['id', /\b[a-z]{2,4}_[0-9a-f]{32}\b|\b(?:op|ctr|evt)_[0-9a-z]{8,20}\b/g],
  ['ref', /\binl_Best_[0-9A-Z]{14}\b/g],
  ['uuid', /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g],
  ['hash', /\b[0-9a-f]{40,64}\b|\b0x[0-9a-fA-F]{40}\b/g],
  ['cursor', /\bW[A-Za-z0-9_-]{11,}/g],
  ['event', /live\d{10,}/g],
];

/** Two commands may fall into the same millisecond or not, so that times have no order of appearance. */
const TIMES = /\b20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?)?/g;

export interface Told {
  /** The golden text. */
  readonly text: string;
  /** Items of the feed as they came, for the log's root. */
  readonly items: readonly AnyJson[];
}

export async function readTold(
  service: World,
  { tenant, users }: { readonly tenant: Tenant; readonly users: readonly string[] },
  received: Sink['received'],
): Promise<Told> {
  const parts: string[] = [];
  const get = async (path: string) => {
    const { status, text, body } = await service.request('GET', `/api/v1/${path}`, { key: tenant.key });
    parts.push(`GET ${path} ${status}`, lines(body) ?? text.trimEnd(), '');
    return body;
  };
  const { items } = await get('reconciliation/feed?limit=500');
  const types = [...new Set<string>(items.map((item: AnyJson) => item.type))].sort();
  for (const filter of [...types.map((type) => `type=${type}`), ...users.map((user) => `externalUserId=${user}`)]) {
    const { body } = await service.request('GET', `/api/v1/reconciliation/feed?limit=500&${filter}`, {
      key: tenant.key,
    });
    parts.push(`feed ${filter}: ${body.items.map((item: AnyJson) => item.sequence).join(' ')}`);
  }
  const order = new Map<string, number>(
    items.map((item: AnyJson, index: number) => [item.detail?.eventId ?? item.id, index]),
  );
  const mine = received
    .map(({ body }) => JSON.parse(body))
    .filter(({ id }) => order.has(id))
    .sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  parts.push('', 'webhooks', ...mine.map((body) => JSON.stringify(body)), '');
  const { ranAt: _, ...report } = (await service.request('GET', '/api/v1/reconciliation', { key: tenant.key })).body;
  parts.push('GET reconciliation', JSON.stringify(report, null, 1), '');
  await get('orders?limit=100');
  for (const id of new Set<string>(items.flatMap((item: AnyJson) => item.orderId ?? []))) {
    await get(`orders/${id}?fills=true`);
  }
  await get('positions?limit=100');
  await get('settlements?limit=100');
  await get('collateral');
  for (const user of users) {
    await get(`users/${user}/balance`);
    await get(`users/${user}/ledger?limit=100`);
  }
  for (const kind of KINDS) {
    await get(`reconciliation/export?kind=${kind}&format=csv`);
    await get(`reconciliation/export?kind=${kind}&format=jsonl`);
  }
  return { text: inOrderOfAppearance(parts.join('\n')), items };
}

/** A page as one line for each of its rows. */
function lines(body: AnyJson): string | undefined {
  if (typeof body !== 'object' || body === null) {
    return undefined;
  }
  return Object.entries(body)
    .map(([name, value]) =>
      Array.isArray(value)
        ? [`${name}:`, ...value.map((row) => `  ${JSON.stringify(row)}`)].join('\n')
        : `${name}: ${JSON.stringify(value)}`,
    )
    .join('\n');
}

function inOrderOfAppearance(text: string): string {
  let replaced = text.replaceAll(TIMES, '<time>');
  for (const [word, pattern] of CHANGING) {
    const seen = new Map<string, string>();
    replaced = replaced.replaceAll(pattern, (found) => {
      const name = seen.get(found) ?? `${word}-${seen.size + 1}`;
      seen.set(found, name);
      return `<${name}>`;
    });
  }
  return replaced;
}

/**
 * The root of the log over these items, by RFC 6962 and RFC 8785 alone: nothing of the service is used. An item's members are text,
 * whole numbers, null, lists and objects.
 * @returns base64
 */
export function rootOf(items: readonly AnyJson[]): string {
  const leaves = items.map(({ cursor: _, ...item }) => digest(0, Buffer.from(canonical(item))));
  return subtree(leaves).toString('base64');
}

function subtree(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves;
  if (leaves.length === 1 && only !== undefined) {
    return only;
  }
  const half = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return digest(1, Buffer.concat([subtree(leaves.slice(0, half)), subtree(leaves.slice(half))]));
}

const digest = (prefix: number, bytes: Buffer): Buffer =>
  createHash('sha256').update(Buffer.of(prefix)).update(bytes).digest();

function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** A partner that trades over HTTP with one service after the other, as behind a load balancer. */

/** What the tests read of any answer; a field that an answer lacks is undefined. */
export interface PartnerAnswer {
  readonly status: number;
  readonly body: {
    readonly error?: string;
    readonly quoteId?: string;
    readonly orderId?: string;
    readonly ok?: boolean;
    readonly findings?: readonly unknown[];
    readonly data?: readonly { readonly outcomes: readonly Outcome[] }[];
    readonly idempotentReplay?: boolean;
    /** Of an embed session. */
    readonly token?: string;
    readonly orders?: readonly { readonly orderId: string; readonly clientOrderId: string }[];
    readonly positions?: readonly { readonly positionId: string }[];
    /** Of the feed. */
    readonly items?: readonly { readonly sequence: number }[];
    readonly nextCursor?: string;
    /** Of a checkpoint. */
    readonly size?: number;
  };
}

interface Outcome {
  readonly id: string;
  readonly tradable: boolean;
  readonly executableYesCents: number;
}

/**
 * @param key an API key, or a whole `authorization` header such as `Embed TOKEN`
 * @param user sent as `x-service-user` where it is given.
 */
export async function askService(
  url: string,
  key: string,
  method: string,
  path: string,
  user?: string,
  body?: object,
): Promise<PartnerAnswer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: key.includes(' ') ? key : `Bearer ${key}`,
      ...(user !== undefined && { 'x-service-user': user }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as PartnerAnswer['body'] };
}

/** @returns a contract whose YES can be bought for more than twenty cents; '' while the catalogue has none. */
export async function pickContract(url: string, key: string): Promise<string> {
  const { body } = await askService(url, key, 'GET', '/api/v1/events?limit=100');
  const outcomes = (body.data ?? []).flatMap((event) => event.outcomes);
  return outcomes.find(({ tradable, executableYesCents }) => tradable && executableYesCents > 20)?.id ?? '';
}

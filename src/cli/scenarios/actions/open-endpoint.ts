/** The `endpoint` step: a receiver on loopback and its registration, both for the rest of the file. The secret is never printed. */
import { type ActionPorts, type Answer, answer, type Fields } from './action-ports.ts';

const REMOVE_MS = 20_000;

/** @returns a 200 with the endpoint, or a 400 with the error of its registration. */
export async function openEndpoint({ deliveries, inlay, signal }: ActionPorts, fields: Fields): Promise<Answer> {
  let secret: string | undefined;
  const url = await deliveries.listen(0, () => secret);
  const types = (fields['events'] ?? []) as readonly string[];
  const added = await inlay(
    [
      'webhooks',
      'add',
      '--operator',
      String(fields['operator']),
      '--url',
      url,
      ...types.flatMap((type) => ['--event', type]),
    ],
    signal,
  );
  const body = (typeof added.json === 'object' && added.json !== null ? added.json : { output: added.json }) as Fields;
  if (added.exitCode !== 0) {
    return answer(400, { exitCode: added.exitCode, ...body });
  }
  const { secret: issued, endpointId, events } = body;
  secret = String(issued);
  deliveries.atEnd(async () => {
    await inlay(['webhooks', 'remove', String(endpointId), '--yes'], AbortSignal.timeout(REMOVE_MS));
  });
  return answer(200, { endpointId, url, events });
}

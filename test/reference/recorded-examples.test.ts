/**
 * The examples of the OpenAPI documents and of the reference are requests to a running service, its responses and its webhooks, recorded
 * here. After a change of what the service answers, or for a new operation:
 * npx vitest run test/reference/recorded-examples.test.ts -u
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyJson } from '../support/any-json.ts';
import { logKeysOf, tellBooks, tellDamage, tellLog } from './books-story.ts';
import { tellCatalogue, tellPrices } from './catalogue-story.ts';
import { EXAMPLES_FILE } from './examples.ts';
import { tellEveryCaller, tellFrame, tellSessions } from './frame-story.ts';
import { tellLive, tellResults } from './live-story.ts';
import { createLogNames } from './log-names.ts';
import type { Examples, Exchange } from './recording.ts';
import { tellCustomers, tellSandbox, tellTestTools } from './sandbox-story.ts';
import { openStage, type Stage } from './stage.ts';
import { tellWebhooks } from './webhooks-story.ts';

const OF_THE_LOG = ['getFeedCheckpoint', 'getFeedProof', 'listLogKeys'];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test('the examples are what the service answers, and a second recording has the same bytes', async () => {
  const keys = logKeysOf(stage);
  await tellCatalogue(stage);
  await tellPrices(stage);
  const token = await tellSessions(stage);
  await tellSandbox(stage);
  await tellTestTools(stage);
  await tellCustomers(stage);
  await tellFrame(stage, token);
  await tellEveryCaller(stage);
  const items = await tellLog(stage, keys);
  await tellLive(stage);
  await tellResults(stage);
  await tellBooks(stage);
  await tellDamage(stage);
  await tellWebhooks(stage);

  const examples = stage.recording.finish((recorded, fix) => withLog(recorded, createLogNames(fix(items), keys)));
  await expect(`${JSON.stringify(examples, null, 1)}\n`).toMatchFileSnapshot(EXAMPLES_FILE);
});

/** Answers about the log belong to the feed as it is shown. */
function withLog({ operations, webhooks }: Examples, rename: (answer: AnyJson) => AnyJson): Examples {
  // Keys come before the checkpoints that they sign.
  const renamed = OF_THE_LOG.toReversed().map((operationId) => {
    const exchanges = (operations[operationId] ?? []).map((exchange: Exchange) =>
      exchange.status < 300 ? { ...exchange, body: rename(exchange.body) } : exchange,
    );
    return [operationId, exchanges] as const;
  });
  return { operations: { ...operations, ...Object.fromEntries(renamed) }, webhooks };
}

/** Where the stories of the recording take place: a service with a catalogue, two operators, and a receiver of webhooks. */
import { createHash } from 'node:crypto';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { type BoardWrites, openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { syncCatalogue } from '../../src/markets/ingestion/sync-catalogue.ts';
import type { KeyWishes } from '../../src/operators/keys.ts';
import type { Operator, OperatorSettings } from '../../src/operators/operator.ts';
import { createSecretBox } from '../../src/webhooks/endpoint-secret.ts';
import { addEndpoint } from '../../src/webhooks/endpoints.ts';
import type { WebhookEventType } from '../../src/wire/webhook.ts';
import { TestVenue } from '../markets/test-venue.ts';
import type { AnyJson } from '../support/any-json.ts';
import { setBook, type TestMarket } from '../support/market.ts';
import { ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { answers, openSink } from '../webhooks/sinks.ts';
import { BOOKS, listEvents, VENUE } from './catalogue.ts';
import { openRecording, type Recording, type Sender } from './recording.ts';

const MINUTE_MS = 60_000;
/** In production the past of a price is what was recorded, and nothing that was invented for a demonstration. */
const PRODUCTION = {
  NODE_ENV: 'production',
  INLAY_SECRET: createHash('sha256').update('the secret of the recording').digest('hex'),
};

/** An operator of the stories, as the sender of its requests. */
export interface Player {
  readonly operator: Operator;
  readonly key: string;
}

export interface Stage {
  readonly service: World;
  readonly venue: ScriptedVenue;
  readonly listing: TestVenue;
  readonly recording: Recording;
  readonly casino: Player;
  readonly live: Player;
  /** The minute before the recording began, to which the catalogue's moments are relative. */
  readonly began: Date;
  operator(slug: string, settings?: OperatorSettings & { mode?: 'sandbox' | 'live' }): Promise<Player>;
  keyOf(player: Player, wishes: KeyWishes): Promise<Sender>;
  /** Reads the catalogue of the venue again. */
  listAgain(): Promise<void>;
  setPrices(market: TestMarket, bid: string, ask: string): Promise<void>;
  /** Waits for the delivery of an event, and keeps it. @param fields of its data */
  keepEvent(type: WebhookEventType, summary: string, fields: object): Promise<AnyJson>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const venue = new ScriptedVenue();
  const service = await openWorld({ venue, environment: PRODUCTION });
  const { sql, context } = service;
  const { log, clock, secrets } = context;
  const recording = await openRecording(service);
  const began = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS);
  const writes: BoardWrites = service.add(openBoardWrites({ sql, log, clock, fence: null }));
  const listing = new TestVenue(VENUE, listEvents(began));
  const sink = service.add(await openSink(answers.ok));

  const operator: Stage['operator'] = async (slug, { mode = 'sandbox', ...settings } = {}) => {
    const created = await service.createOperator({
      slug,
      mode,
      platformFeeBps: 200,
      executionConfirmed: true,
      ...settings,
    });
    const admin = { sql, box: createSecretBox(secrets), policy: { allowLoopback: true } };
    await addEndpoint(admin, created.operatorId, sink.url, []);
    return { operator: created, key: (await service.issueKey(created)).apiKey };
  };
  const listAgain = async () => {
    await syncCatalogue(listing, 0, writes);
    await context.board.refresh();
  };
  const setPrices: Stage['setPrices'] = async (market, bid, ask) => {
    await setBook(sql, market, { bids: [[bid, '20000']], asks: [[ask, '20000']] });
    await context.board.refresh();
  };

  return recording.meanwhile(async () => {
    await listAgain();
    await sql`update listings set feed = 'websocket'`;
    for (const [market, bid, ask] of BOOKS) {
      await setPrices(market, bid, ask);
    }
    const now = new Date();
    writes.feed({ venue: VENUE, connected: true, session: now.getTime(), confirmedAt: now, lastSyncAt: now });
    await writes.settled();
    await context.board.refresh();
    const casino = await operator('lucky-casino', { name: 'Lucky Casino', presentation: { accent: '#7c3aed' } });
    const live = await operator('lucky-casino-live', { name: 'Lucky Casino', mode: 'live' });
    await moveCollateral(sql, live.operator.operatorId, 'deposit', 500_000n, 'wire-2026-11');
    service.add(await startWebhookJobs(service.openWorker()));
    return {
      service,
      venue,
      listing,
      recording,
      casino,
      live,
      began,
      operator,
      keyOf: async (player, wishes) => ({ key: (await service.issueKey(player.operator, wishes)).apiKey }),
      listAgain,
      setPrices,
      keepEvent: async (type, summary, fields) => {
        const wanted = Object.entries(fields);
        const find = () =>
          sink.received
            .map(({ body }) => JSON.parse(body) as AnyJson)
            .find((one) => one.type === type && wanted.every(([name, value]) => one.data[name] === value));
        const found = await recording.meanwhile(() => until(find, (one) => one !== undefined));
        recording.keepEvent(type, summary, found);
        return found;
      },
      close: () => service.close(),
    };
  });
}

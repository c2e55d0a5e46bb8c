/** Webhook jobs that deliver to a sink, the owner of their tables, and a tablespace on another disk. */
import { connect, type Sql } from '../../src/db/client.ts';
import { addEndpoint } from '../../src/webhooks/endpoints/manage-endpoints.ts';
import { createTablespace } from '../support/tablespace.ts';
import { answers, openSink, type Sink } from './sinks.ts';
import { openWorld, type World } from './world.ts';

export interface MovingWorld {
  readonly world: World;
  readonly owner: Sql;
  readonly sink: Sink;
  /** Name of the tablespace. */
  readonly cold: string;
  readonly endpointId: string;
  close(): Promise<void>;
}

export async function openMovingWorld(): Promise<MovingWorld> {
  const world = await openWorld();
  const owner = connect(world.ownerUrl, { max: 1, applicationName: 'moving', deadlineMs: 60_000 });
  const cold = await createTablespace(world.ownerUrl);
  const sink = await openSink(answers.ok);
  const { endpointId } = await addEndpoint(world.admin, world.operatorId, sink.url, []);
  await world.startJobs();
  return {
    world,
    owner,
    sink,
    cold: cold.name,
    endpointId,
    close: async () => {
      await owner.end({ timeout: 1 });
      await sink.close();
      await world.close();
      await cold.remove();
    },
  };
}

/** The auditor of the bench: the loop that a worker runs, in a separate process. It ends on a message or when the parent is gone. */
import { once } from 'node:events';
import { createLog } from '../src/core/log.ts';
import { connect } from '../src/db/client.ts';
import { openListener } from '../src/db/listener.ts';
import { startAuditing } from '../src/jobs/books.ts';

export interface AuditorOrder {
  readonly databaseUrl: string;
  readonly auditUrl: string;
}

const [order] = (await once(process, 'message')) as [AuditorOrder];
const audit = connect(order.auditUrl, { max: 2, applicationName: 'inlay-bench-audit' });
const { databaseUrl } = order;
const listener = openListener(databaseUrl, 'inlay-bench-listener');
const auditing = startAuditing({ audit, databaseUrl, listener, log: createLog('error') });
process.send?.({ ready: true });

async function close(): Promise<void> {
  await auditing.close();
  await listener.close();
  await audit.end({ timeout: 1 });
  process.exit(0);
}
process.on('message', (message) => message === 'close' && void close());
process.on('disconnect', () => process.exit(0));

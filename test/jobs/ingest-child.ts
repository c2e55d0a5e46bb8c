/** A worker that follows a venue whose book moves five times a second: `ingest-child DATABASE_URL`. It runs until it is killed. */

import { createLog } from '../../src/core/log.ts';
import { systemClock } from '../../src/core/time.ts';
import { connect } from '../../src/db/client.ts';
import { startIngest } from '../../src/jobs/ingest.ts';
import { event, levels, market, TestVenue } from '../markets/test-venue.ts';

const [databaseUrl = ''] = process.argv.slice(2);
const sql = connect(databaseUrl, { max: 4, applicationName: 'ingest-child' });
const venue = new TestVenue('paper', [event('e1', [market('m1', 'e1')])]);
let turn = 0;
setInterval(() => {
  turn += 1;
  venue.setBook('m1', levels([0.1 + (turn % 10) / 1000, 10]), levels([0.2, 10]));
}, 200);
startIngest({ sql, databaseUrl, clock: systemClock, log: createLog('silent') }, () => [venue]);

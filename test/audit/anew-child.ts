/** A process in which the auditor reads everything anew, to be killed by a test: node anew-child.ts DATABASE_URL OPERATOR_ID */
import { readAnew } from '../../src/audit/read-on.ts';
import { connect } from '../../src/db/client.ts';
import { toldOf } from '../../src/ledger/render/told.ts';

const [databaseUrl = '', operatorId = ''] = process.argv.slice(2);
const sql = connect(databaseUrl, { max: 1, applicationName: 'inlay-test-anew' });
await readAnew(sql, operatorId, toldOf);
await sql.end();

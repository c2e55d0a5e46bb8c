/** `positions show`: one position of a customer. */
import { positionArgument } from '../../cli/flags.ts';
import { partnerCall } from '../../cli/partner-command.ts';
import { positionFacts } from '../../cli/print/print-trading.ts';

export default partnerCall({
  hidden: true,
  summary: 'Show a position.',
  examples: ['pos_0197f1c2'],
  ids: { position: 'position' },
  args: positionArgument,
  call: ({ client, args }) => client.get('/api/v1/positions/{id}', { path: { id: args.position } }),
  show: positionFacts,
});

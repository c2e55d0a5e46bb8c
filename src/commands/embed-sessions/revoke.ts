/** `embed-sessions revoke`: ends a session at once. */
import { Args } from '@oclif/core';
import { partnerCall } from '../../cli/partner-command.ts';

export default partnerCall({
  summary: 'End an embed session; repeating the command changes nothing.',
  examples: ['ses_0197f1c2a0b37d3e8a6b1c5d9e2f4a60 --yes'],
  args: { id: Args.string({ required: true, description: 'Id of the session, from "embed-sessions mint".' }) },
  question: ({ args }) => `End ${args.id}? Its frame asks for a new session at once.`,
  call: ({ client, args }) => client.delete('/api/v1/embed-sessions/{id}', { path: { id: args.id } }),
  show: ({ sessionId, revokedAt }) => `${sessionId} ended at ${revokedAt}`,
});

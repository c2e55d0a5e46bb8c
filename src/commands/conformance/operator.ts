/** `conformance operator`: drives an operator's webhook endpoint and compares its books with the instructions. */
import { Flags } from '@oclif/core';
import { findTradable } from '../../cli/conformance/facts.ts';
import { checkOperator, type RoundResult } from '../../cli/conformance/operator.ts';
import { startEventTap } from '../../cli/conformance/operator-webhooks.ts';
import { usage } from '../../cli/failure.ts';
import { PartnerCommand } from '../../cli/partner-command.ts';
import { listFlags } from '../../cli/terminal/table.ts';
import { EXIT } from '../../core/errors.ts';

const SECOND_MS = 1_000;

export default class ConformanceOperator extends PartnerCommand<typeof ConformanceOperator> {
  static override summary = 'Check the webhook endpoint and the books of an operator.';
  static override description =
    'Register http://HOST:PORT/ of this command as the endpoint of a sandbox operator, instead of your own. For each round it trades a day of a new customer, holds the events back, and passes them on to your endpoint: in order, in another order, repeated, late, with some lost, and with a forged one. Then it reads the balance of the customer from your books (GET ADDRESS/CUSTOMER answers {"available": "9990.00", "held": "5.00"}) and compares it with the instructions to the cent. It ends with exit code 5 if a round differs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --listen 4242 --secret whsec_... --endpoint http://127.0.0.1:3000/hooks --books http://127.0.0.1:3000/balances',
  ];
  static override ids = { contract: 'contract' } as const;
  static override flags = {
    ...listFlags,
    listen: Flags.integer({
      required: true,
      min: 1,
      max: 65_535,
      helpValue: 'PORT',
      summary: 'Port of the webhook URL that you registered.',
    }),
    host: Flags.string({ helpValue: 'HOST', default: '127.0.0.1', summary: 'Address to listen on.' }),
    secret: Flags.string({
      helpValue: 'SECRET',
      required: true,
      summary: 'Signing secret of the registered endpoint (whsec_...).',
    }),
    endpoint: Flags.string({ required: true, helpValue: 'URL', summary: 'Your webhook endpoint.' }),
    books: Flags.string({ required: true, helpValue: 'URL', summary: 'URL of your balances.' }),
    contract: Flags.string({ helpValue: 'CTR', summary: 'Contract to trade; by default an open one.' }),
    wait: Flags.integer({
      helpValue: 'SECONDS',
      default: 10,
      min: 0,
      max: 600,
      summary: 'Seconds that your service has to book the events of a round.',
    }),
  };

  async run(): Promise<{ ok: boolean; rounds: RoundResult[] }> {
    const { listen, host, secret, endpoint, books } = this.flags;
    for (const url of [endpoint, books]) {
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
        throw usage(`${url} is not an http or https URL.`);
      }
    }
    // fails for every live key, and without a key
    await this.client.get('/api/v1/sandbox/scenarios');
    const contractId = this.flags.contract ?? (await findTradable(this.client));
    const tap = await startEventTap(host, listen, secret).catch((error: Error) => {
      throw usage(`Cannot listen on ${host}:${listen}: ${error.message}.`);
    });
    const rounds: RoundResult[] = [];
    try {
      const settleMs = this.flags.wait * SECOND_MS;
      const operator = {
        client: this.client,
        withinBudget: <T>(ask: () => Promise<T>) => this.read(ask),
        contractId,
        tap,
        endpoint: { url: endpoint, secret },
        books,
        settleMs,
      };
      for await (const round of checkOperator(operator)) {
        rounds.push(round);
      }
    } finally {
      await tap.close();
    }
    await this.printList(rounds, [
      {
        name: 'ok',
        title: '',
        value: ({ ok }) => (ok ? 'ok' : 'FAIL'),
        paint: ({ ok }) => (ok ? 'green' : 'red'),
      },
      { name: 'round', value: (row) => row.round },
      { name: 'instructed', value: ({ instructed }) => `${instructed.available} + ${instructed.held}`, align: 'right' },
      { name: 'booked', value: ({ booked }) => `${booked.available} + ${booked.held}`, align: 'right' },
      { name: 'differences', title: 'difference', value: ({ differences }) => differences.join('; ') },
    ]);
    const ok = rounds.every((round) => round.ok);
    for (const { round, shows } of rounds.filter((one) => !one.ok)) {
      this.note(`The round "${round}" shows ${shows}.`);
    }
    if (!ok) {
      this.endWith(EXIT.expectationFailed);
    }
    return { ok, rounds };
  }
}
